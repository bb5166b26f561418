/* Bytes that may be a value of the bucket that the agents of a crawl share (news, roster, table of shares), or a pack of parcels on
 * the bus: what is read is within its limits, and is read the same when it is written again. */
#include "agents/news.h"
#include "agents/post.h"
#include "agents/roster.h"
#include "agents/partition.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void same_text(const struct buf *once, const struct buf *twice)
{
	check(once->used == twice->used && memcmp(once->at, twice->at, once->used) == 0);
}

static void read_news(const char *text, size_t n, struct buf *once, struct buf *twice)
{
	struct news *news = calloc(2, sizeof *news);

	check(news != NULL);
	if (news_read(&news[0], text, n) == 0) {
		check(news[0].n_marks <= NEWS_AGENTS);
		buf_clear(once);
		news_write(&news[0], once);
		check(news_read(&news[1], once->at, once->used) == 0);
		buf_clear(twice);
		news_write(&news[1], twice);
		same_text(once, twice);
	}
	free(news);
}

static void read_roster(const char *text, size_t n, struct buf *once, struct buf *twice)
{
	struct roster *r = calloc(2, sizeof *r);

	check(r != NULL);
	if (roster_read(&r[0], text, n) == 0) {
		check(r[0].n <= NEWS_AGENTS && r[0].agents <= NEWS_AGENTS);
		for (unsigned i = 0; i < r[0].n; i++)
			check(strlen(r[0].id[i]) == ROSTER_ID - 1 && roster_find(&r[0], r[0].id[i]) <= i);
		buf_clear(once);
		roster_write(&r[0], once);
		check(roster_read(&r[1], once->at, once->used) == 0);
		buf_clear(twice);
		roster_write(&r[1], twice);
		same_text(once, twice);
	}
	free(r);
}

static void read_shares(const char *text, size_t n, struct buf *once, struct buf *twice)
{
	struct share_table t, again;

	if (share_table_read(&t, text, n))
		return;
	for (unsigned p = 0; p < PARTITIONS; p++)
		check(t.owner[p] < NEWS_AGENTS);
	buf_clear(once);
	share_table_write(&t, once);
	check(share_table_read(&again, once->at, once->used) == 0);
	buf_clear(twice);
	share_table_write(&again, twice);
	same_text(once, twice);
}

static void read_pack(const uint8_t *data, size_t n, struct buf *again)
{
	const uint8_t *at = data, *end = data + n;
	struct post_parcel p;
	const void *parcel;
	size_t length;
	int more;

	buf_clear(again);
	while ((more = post_unpack(&at, end, &parcel, &length)) > 0) {
		check(length <= n);
		if (post_parcel_read(&p, parcel, length) == 0)
			check(p.n + POST_HEAD == length);
		post_pack(again, parcel, length);
	}
	check(again->used <= n && (!again->used || memcmp(again->at, data, again->used) == 0));
	check(more < 0 || again->used == n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once = BUF_EMPTY, twice = BUF_EMPTY;
	const char *text = (const char *)data;

	read_news(text, size, &once, &twice);
	read_roster(text, size, &once, &twice);
	read_shares(text, size, &once, &twice);
	read_pack(data, size, &once);
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
