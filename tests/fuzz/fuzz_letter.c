/* Bytes that may be a letter between agents: whatever is read is within its limits, and a letter that is written again from what
 * was read reads the same. */
#include "agents/letter.h"
#include "agents/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

/* Reads a letter, and writes it to `again`. Returns whether it was one. */
static int read_letter(const void *bytes, size_t n, struct letter_out *again)
{
	static const uint8_t some = 0;
	struct letter l;
	int more = letter_open(&l, bytes, n, NULL), first = 1;

	if (more)
		return 0;
	check(l.partition < PARTITIONS && l.left <= n && isfinite(l.page.key));
	struct frontier_remote page = l.page;
	page.n_links = l.left - (size_t)letter_is_of_page(l.kind);
	page.kinds = l.has_kinds ? &some : NULL;
	if (l.kind == LETTER_MASS)
		letter_write_masses(again, l.partition, l.left);
	for (; (more = letter_url(&l, NULL)) > 0; first = 0) {
		double mass;
		uint8_t kind;
		check(l.url.used > 0 && l.url.used <= LETTER_URL_MAX && !memchr(l.url.at, 0, l.url.used));
		if (l.kind == LETTER_MASS) {
			if (letter_mass(&l, &mass, NULL))
				break;
			check(mass > 0 && mass <= LETTER_MASS_MAX);
			letter_write_mass(again, l.url.at, l.url.used, mass);
		} else if (l.kind == LETTER_SEED) {
			letter_write_seed(again, l.partition, l.url.at, l.url.used);
		} else if (first) {
			letter_write_page(again, l.kind, l.partition, &page, l.url.at, l.url.used);
		} else {
			if (letter_kind_of_link(&l, &kind, NULL))
				break;
			letter_write_link(again, &page, l.url.at, l.url.used, kind);
		}
	}
	letter_release(&l);
	return more == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct letter_out once = {.bytes = BUF_EMPTY}, twice = {.bytes = BUF_EMPTY};

	if (read_letter(data, size, &once)) {
		check(read_letter(once.bytes.at, once.bytes.used, &twice));
		check(once.bytes.used == twice.bytes.used && once.bytes.used <= size);
		check(memcmp(once.bytes.at, twice.bytes.at, once.bytes.used) == 0);
	}
	letter_out_release(&once);
	letter_out_release(&twice);
	return 0;
}
