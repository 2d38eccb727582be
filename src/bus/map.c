/* Things by their number; numbers are counted up, so their last bits spread them well. */
#include "bus_internal.h"

static struct entry **slot(struct map *map, uint64_t id)
{
	return &map->slots[id % MAP_SIZE];
}

void map_put(struct map *map, struct entry *entry)
{
	struct entry **first = slot(map, entry->id);

	entry->next = *first;
	*first = entry;
}

struct entry *map_find(const struct map *map, uint64_t id)
{
	struct entry *entry = map->slots[id % MAP_SIZE];

	while (entry != NULL && entry->id != id)
		entry = entry->next;
	return entry;
}

struct entry *map_take(struct map *map, uint64_t id)
{
	for (struct entry **link = slot(map, id); *link != NULL; link = &(*link)->next) {
		struct entry *entry = *link;

		if (entry->id == id) {
			*link = entry->next;
			return entry;
		}
	}
	return NULL;
}

struct entry *map_take_any(struct map *map)
{
	for (size_t i = 0; i < MAP_SIZE; i++) {
		if (map->slots[i] != NULL)
			return map_take(map, map->slots[i]->id);
	}
	return NULL;
}
