/* Bytes that may be a message of a partition's log, and bytes that may be the records in one: records that are read are written
 * again as the same bytes, pages in them keep their limits, and whatever is wrong is refused. */
#include "agents/log_pack.h"
#include "base/num.h"
#include "crawler/agent/page_record.h"

#include <stdlib.h>
#include <string.h>

#define AGENT 7

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void read_page(const uint8_t *bytes, size_t n)
{
	struct page_record r = PAGE_RECORD_EMPTY;

	if (page_record_read(&r, bytes, n, NULL) == 0) {
		check(r.url.used > 0 && r.rest >= 0 && r.page.n <= STORE_LINKS_MAX && r.page.result.state < PAGE_STATES);
		check(!r.page.result.is_scored || (r.page.result.score >= 0 && r.page.result.score <= NUM_SCORE_MOST));
		for (uint32_t i = 0; i < r.page.n; i++)
			check(strlen(r.page.text + r.page.start[i]) + 1 == r.page.start[i + 1] - r.page.start[i]);
	}
	page_record_release(&r);
}

/* Reads the records of a message, and adds them to `again`. Returns whether all of them are sound. */
static int read_records(const void *message, size_t n, struct log_pack_out *again)
{
	struct log_pack pack;
	struct log_pack_record r;
	int more = log_pack_open(&pack, message, n, NULL);

	while (!more && (more = log_pack_next(&pack, &r, NULL)) > 0) {
		if (r.kind == LOG_PACK_PAGE)
			read_page(r.bytes, r.n);
		log_pack_add(again, r.kind, r.number, r.bytes, r.n);
		more = 0;
	}
	log_pack_release(&pack);
	return more == 0;
}

/* Numbers of other lengths than they need become shorter; then nothing changes any more. */
static void read_message(const void *message, size_t n)
{
	struct log_pack_out once = LOG_PACK_EMPTY, twice = LOG_PACK_EMPTY;
	struct buf raw = BUF_EMPTY, sealed = BUF_EMPTY;

	if (read_records(message, n, &once)) {
		buf_add(&raw, once.raw.at, once.raw.used);
		log_pack_seal(&once, AGENT, &sealed);
		check(once.raw.used == 0 && read_records(sealed.at, sealed.used, &twice));
		check(twice.raw.used == raw.used && (!raw.used || memcmp(twice.raw.at, raw.at, raw.used) == 0));
	}
	log_pack_out_release(&once);
	log_pack_out_release(&twice);
	buf_release(&raw);
	buf_release(&sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct buf message = BUF_EMPTY;

	read_message(data, size);
	read_page(data, size);
	buf_add(&out.raw, data, size);
	log_pack_seal(&out, AGENT, &message);
	read_message(message.at, message.used);
	log_pack_out_release(&out);
	buf_release(&message);
	return 0;
}
