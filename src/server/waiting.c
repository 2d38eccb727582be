#include "waiting.h"

#include <stddef.h>

#include <os/socket.h>

enum { LOOK_MS = 200, MOST_LOOKS = 2 };

static void on_look(uv_timer_t *timer)
{
	struct mrl__waiting *waiting = timer->data;

	if (waiting->first == NULL)
		(void)uv_timer_stop(timer);
	for (struct mrl__wait *wait = waiting->first; wait != NULL; wait = wait->next) {
		wait->unread = mrl_socket_has_input(lws_get_socket_fd(wait->wsi)) ? wait->unread + 1 : 0;
		if (wait->unread != MOST_LOOKS)
			continue;
		/* Asks for the end, which comes once this has returned: the list stays as it is. */
		lws_set_timeout(wait->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
		/* libwebsockets looks at its timeouts when it is called next; this has it called. */
		lws_cancel_service(lws_get_context(wait->wsi));
	}
}

void mrl__waiting_open(struct mrl__waiting *waiting, uv_loop_t *loop)
{
	(void)uv_timer_init(loop, &waiting->timer);
	waiting->timer.data = waiting;
	waiting->first = NULL;
}

void mrl__waiting_close(struct mrl__waiting *waiting)
{
	uv_close((uv_handle_t *)&waiting->timer, NULL);
}

void mrl__waiting_add(struct mrl__waiting *waiting, struct mrl__wait *wait, struct lws *wsi)
{
	if (wait->link != NULL)
		return;
	*wait = (struct mrl__wait){.next = waiting->first, .link = &waiting->first, .wsi = wsi};
	if (waiting->first != NULL)
		waiting->first->link = &wait->next;
	waiting->first = wait;
	if (!uv_is_active((uv_handle_t *)&waiting->timer) && !uv_is_closing((uv_handle_t *)&waiting->timer))
		(void)uv_timer_start(&waiting->timer, on_look, LOOK_MS, LOOK_MS);
}

void mrl__waiting_remove(struct mrl__wait *wait)
{
	if (wait->link == NULL)
		return;
	*wait->link = wait->next;
	if (wait->next != NULL)
		wait->next->link = wait->link;
	wait->link = NULL;
}
