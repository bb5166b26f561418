/* The lines of an HTTP head: read with and without their line ends they must say the same, what is
 * kept is in bounds, and each answer amounts to something sensible. */
#include "fetch/answer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void judge(const struct answer *a)
{
	for (unsigned error = OUTCOME_NONE; error < OUTCOME_ROBOTS_WAIT; error++) {
		for (unsigned tries = 0; tries < 3; tries++) {
			struct verdict v = answer_judge(a, (enum outcome)error, TRANSIENT, tries, 3);
			check(v.retry_after >= 0 && v.retry_after <= ANSWER_MAX_DELAY);
			check(v.state != PAGE_QUEUED || tries < 2);
			check(v.state != PAGE_CRAWLED || (a->status / 100 == 2 && !error));
			check(v.state != PAGE_REDIRECTED || a->has_location);
			check(v.state == PAGE_QUEUED || v.retry_after == 0);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	struct answer with = {0}, without = {0};

	answer_reset(&with);
	answer_reset(&without);
	while (at < end) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((lf ? lf : end) - at);
		/* a block of just that size, so that a read past the end is seen */
		char *line = malloc(n ? n : 1);
		if (!line)
			abort();
		memcpy(line, at, n);
		int full = answer_line(&with, at, n + (lf != NULL), "lycosa", 1700000000);
		full |= answer_line(&without, line, n, "lycosa", 1700000000);
		free(line);
		if (full)
			break;
		at += n + (lf != NULL);
	}
	check(with.status == without.status && with.nofollow == without.nofollow);
	check(with.retry_after == without.retry_after && with.packed == without.packed);
	check(with.has_location == without.has_location);
	check(with.location.used == without.location.used);
	check(with.has_refresh == without.has_refresh && with.refresh.used == without.refresh.used);
	for (size_t i = 0; i < with.location.used; i++)
		check((unsigned char)with.location.at[i] < 0x80);
	check(with.gzipped <= with.packed);
	check(strcmp(with.type, without.type) == 0);
	check(with.status < 1000 && strlen(with.type) < sizeof with.type);
	check(with.has_type == (with.type[0] != 0));
	judge(&with);
	answer_release(&with);
	answer_release(&without);
	return 0;
}
