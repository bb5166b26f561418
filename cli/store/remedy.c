#include "cli/store/remedy.h"
#include "base/outcome.h"
#include "crawler/resume/retry.h"

#include <string.h>

void remedy_word(struct buf *out, const char *text)
{
	const int is_plain = *text && !strpbrk(text, " \t\n'\"\\$&;|<>()*?[]{}#~`!");

	if (!is_plain)
		buf_text(out, "'");
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c == '\'')
			buf_text(out, "'\\''");
		else
			buf_format(out, "%c", c < 32 || c == 127 ? '?' : c);
	}
	if (!is_plain)
		buf_text(out, "'");
}

/* Returns the flags that end the rule, or the detector, that a page was refused for; NULL if there are none. */
static const char *flags_against(unsigned outcome)
{
	static const struct {
		enum outcome outcome;
		const char *flags;
	} rows[] = {{OUTCOME_DUPLICATE, "--retry-skipped --trap-opt duplicates=0"},
		{OUTCOME_MIRROR, "--retry-skipped --trap-opt mirror=0"},
		{OUTCOME_SESSION, "--retry-skipped --trap-opt session-ids=0"},
		{OUTCOME_REPEATS, "--retry-skipped --trap-opt repeats=0 --trap-opt depth=0"},
		{OUTCOME_QUERIES, "--retry-skipped --trap-opt queries=0"},
		{OUTCOME_CALENDAR, "--retry-skipped --trap-opt years=0 --trap-opt past=0"},
		{OUTCOME_HOSTS, "--retry-skipped --trap-opt hosts=0"}, {OUTCOME_PRIVATE, "--retry-failed=private --allow-private"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].outcome == outcome)
			return rows[i].flags;
	return NULL;
}

int remedy_command(const char *store, unsigned outcome, unsigned status, struct buf *out)
{
	const char *flags = flags_against(outcome);

	if (!flags && (retry_reasons_of(outcome, status) & RETRY_ALL))
		flags = "--retry-failed";
	if (!flags)
		return 0;
	buf_text(out, "lycosa crawl --store ");
	remedy_word(out, store);
	buf_format(out, " %s", flags);
	return 1;
}
