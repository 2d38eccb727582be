#include "trouble.h"

const struct fault_kind fault_kinds[FAULTS] = {
#define FAULT_ROW(name, text, weight) [name] = {text, weight},
    FAULT_TABLE(FAULT_ROW)
#undef FAULT_ROW
};

struct cluster_piece *trouble_victim(struct stage *stage, const struct trouble *trouble)
{
	switch (trouble->fault) {
	case KILL:
	case DRAIN:
		return stage_node(stage, trouble->node);
	case BUS:
		return stage_bus(stage);
	case STORE:
		return stage_postgres(stage);
	default:
		return NULL;
	}
}

static void tell(const struct cluster_piece *piece, enum mrl_signal what)
{
	/* One that has ended by itself meanwhile has no process. */
	if (piece->id != 0)
		(void)mrl_program_tell(piece->id, false, what);
}

void trouble_begin(struct stage *stage, const struct trouble *trouble)
{
	const struct cluster_piece *node = stage_node(stage, trouble->node);

	switch (trouble->fault) {
	case KILL:
		tell(node, MRL_KILL);
		return;
	case PAUSE:
		tell(node, MRL_STOP);
		return;
	case DRAIN:
		tell(node, MRL_USR1);
		return;
	case BUS:
		tell(stage_bus(stage), trouble->gently ? MRL_TERM : MRL_KILL);
		return;
	case STORE:
		tell(stage_postgres(stage), trouble->gently ? MRL_INT : MRL_QUIT);
		return;
	case BUS_HANGS:
	case BUS_CUT:
		stage_put(stage, trouble->node, NETWORK_BUS, trouble->fault == BUS_CUT ? DETOUR_CUT : DETOUR_HANGS);
		return;
	default:
		stage_put(stage, trouble->node, NETWORK_STORE, trouble->fault == STORE_CUT ? DETOUR_CUT : DETOUR_HANGS);
		return;
	}
}

static bool mend_victim(struct stage *stage, struct trouble *trouble)
{
	struct cluster_piece *piece = trouble_victim(stage, trouble);

	if (piece->id == 0) {
		trouble->broken = false;
		return stage_start(stage, piece);
	}
	/* It had ended by itself, and was started again. */
	if (piece->id != trouble->process) {
		trouble->broken = false;
		return true;
	}
	/* A drained node that waits to be told is told. */
	if (trouble->fault == DRAIN && !trouble->told) {
		tell(piece, MRL_TERM);
		trouble->told = true;
	}
	return true;
}

bool trouble_mend(struct stage *stage, struct trouble *trouble)
{
	switch (trouble->fault) {
	case PAUSE:
		tell(stage_node(stage, trouble->node), MRL_CONT);
		break;
	case BUS_HANGS:
	case BUS_CUT:
		stage_put(stage, trouble->node, NETWORK_BUS, DETOUR_OPEN);
		break;
	case STORE_HANGS:
	case STORE_CUT:
		stage_put(stage, trouble->node, NETWORK_STORE, DETOUR_OPEN);
		break;
	default:
		return mend_victim(stage, trouble);
	}
	trouble->broken = false;
	return true;
}
