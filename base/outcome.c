#include "base/outcome.h"

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

static const struct {
	const char *name, *meaning;
} rows[] = {
#define REFUSAL_ROW(name, text, meaning) {text, meaning},
	REFUSAL_TABLE(REFUSAL_ROW)
#undef REFUSAL_ROW
};

const char *refusal_name(enum refusal r)
{
	return (unsigned)r < REFUSALS ? rows[r].name : "?";
}

const char *refusal_meaning(enum refusal r)
{
	return (unsigned)r < REFUSALS ? rows[r].meaning : "for a reason of a later version";
}
