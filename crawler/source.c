#include "crawler/source.h"

int event_is_news(const struct event *e)
{
	return e->kind != EVENT_RETRY || (e->error != FETCH_ADDRESS && e->error != FETCH_ROBOTS);
}
