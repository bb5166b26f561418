#include "crawler/agent/agent_charter.h"
#include "agents/charter.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

/* The charter that is kept, and the seeds that it has, by the hashes of their URLs. */
struct growing {
	struct buf charter;
	struct map seeds;
};

static int note_seed(void *ctx, const char *name, const char *value, struct err_note *why)
{
	struct growing *g = ctx;

	(void)why;
	if (strcmp(name, CHARTER_SEED) == 0)
		map_at(&g->seeds, XXH3_64bits(value, strlen(value)));
	return 0;
}

static int add_seed(void *ctx, const char *name, const char *value, struct err_note *why)
{
	struct growing *g = ctx;
	const size_t had = g->seeds.used;

	(void)note_seed(ctx, name, value, why);
	if (g->seeds.used > had)
		charter_add(&g->charter, name, value);
	return 0;
}

int agent_charter_add(struct store *store, const struct buf *seeds, struct err_note *why)
{
	struct growing g = {.charter = BUF_EMPTY};
	int err = 0;

	if (!agent_charter_kept(store, &g.charter))
		return 0;
	map_init(&g.seeds, sizeof(uint64_t));
	err = charter_each(&g.charter, note_seed, &g, why);
	if (!err)
		err = charter_each(seeds, add_seed, &g, why);
	if (!err)
		err = agent_charter_keep(store, &g.charter, why);
	map_release(&g.seeds);
	buf_release(&g.charter);
	return err;
}

int agent_charter_take_seeds(struct member *member, struct store *store, agent_charter_seed *seed, void *ctx, uint64_t *revision,
	struct err_note *why)
{
	struct buf lines = BUF_EMPTY, taken = BUF_EMPTY;
	int err = 0;

	if (!member_take_seeds(member, &lines, revision))
		return 0;
	charter_begin(&taken);
	/* each line has its line feed, and perhaps NULs: it comes from the server */
	for (const char *at = lines.at, *last = lines.at + lines.used, *end; !err && at < last; at = end + 1) {
		end = memchr(at, '\n', (size_t)(last - at));
		err = seed(ctx, at, (size_t)(end - at), &taken, why);
	}
	if (!err)
		err = agent_charter_add(store, &taken, why);
	buf_release(&lines);
	buf_release(&taken);
	return err ? err : 1;
}
