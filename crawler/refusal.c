#include "crawler/refusal.h"

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
