#include "crawler/source.h"

const char *fetch_error_name(enum fetch_error error)
{
	static const char *const names[] = {
#define ERROR_NAME(name, text) text,
		FETCH_ERROR_TABLE(ERROR_NAME)
#undef ERROR_NAME
	};

	return (unsigned)error < FETCH_ERRORS ? names[error] : "unknown";
}

const char *event_name(enum event_kind kind)
{
	static const char *const names[EVENT_KINDS] = {[EVENT_CRAWLED] = "crawled",
		[EVENT_FAILED] = "failed",
		[EVENT_RETRY] = "retry",
		[EVENT_REFUSED] = "refused",
		[EVENT_REDIRECTED] = "redirected"};

	return (unsigned)kind < EVENT_KINDS ? names[kind] : "unknown";
}

int event_is_news(const struct event *e)
{
	return e->kind != EVENT_RETRY || (e->error != FETCH_ADDRESS && e->error != FETCH_ROBOTS);
}
