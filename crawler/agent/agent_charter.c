#include "crawler/agent/agent_charter.h"
#include "agents/charter.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART ((size_t)STORE_TEXT_MAX) /* bytes of a setting */

struct part_name {
	char text[32];
};

static struct part_name name_of(size_t part)
{
	struct part_name n;

	snprintf(n.text, sizeof n.text, "agent-charter.%zu", part);
	return n;
}

int agent_charter_keep(struct store *store, const struct buf *charter, struct err_note *why)
{
	int err = 0;

	for (size_t at = 0; !err && at < charter->used; at += PART) {
		char *part = mem_part(charter->at + at, charter->used - at < PART ? charter->used - at : PART);
		err = store_set(store, name_of(at / PART).text, part, why);
		free(part);
	}
	return err;
}

int agent_charter_kept(struct store *store, struct buf *charter)
{
	const char *part;

	buf_clear(charter);
	for (size_t i = 0; (part = store_get(store, name_of(i).text)) != NULL; i++)
		buf_text(charter, part);
	return charter->used > 0;
}

int agent_charter_add_seed(struct store *store, const char *url, struct err_note *why)
{
	struct buf charter = BUF_EMPTY;
	int err = 0;

	if (agent_charter_kept(store, &charter)) {
		charter_add(&charter, CHARTER_SEED, url);
		err = agent_charter_keep(store, &charter, why);
	}
	buf_release(&charter);
	return err;
}

int agent_charter_take_seeds(struct member *member, int (*seed)(void *ctx, const char *url, size_t n, struct err_note *why),
	void *ctx, uint64_t *revision, struct err_note *why)
{
	struct buf lines = BUF_EMPTY;
	int err = 0;

	if (!member_take_seeds(member, &lines, revision))
		return 0;
	/* each line has its line feed, and perhaps NULs: it comes from the server */
	for (const char *at = lines.at, *last = lines.at + lines.used, *end; !err && at < last; at = end + 1) {
		end = memchr(at, '\n', (size_t)(last - at));
		err = seed(ctx, at, (size_t)(end - at), why);
	}
	buf_release(&lines);
	return err ? err : 1;
}
