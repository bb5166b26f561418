/* What the log of a partition has: packs of records, records of pages, and the table that says whose partitions are. */
#include "tests/test.h"

#include "agents/log_pack.h"
#include "agents/partition.h"
#include "crawler/agent/page_record.h"

#include <stdlib.h>

static void a_pack_has_the_records_that_were_added(void **state)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct buf message = BUF_EMPTY;
	struct log_pack pack;
	struct log_pack_record r;

	(void)state;
	log_pack_add(&out, LOG_PACK_PAGE, 300, "one", 3);
	log_pack_add(&out, LOG_PACK_LETTER, 7, "", 0);
	log_pack_seal(&out, 5, &message);
	assert_int_equal(out.raw.used, 0);
	assert_int_equal(log_pack_open(&pack, message.at, message.used, NULL), 0);
	assert_int_equal(pack.agent, 5);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
	assert_int_equal(r.kind, LOG_PACK_PAGE);
	assert_int_equal(r.number, 300);
	assert_memory_equal(r.bytes, "one", r.n);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
	assert_int_equal(r.kind, LOG_PACK_LETTER);
	assert_int_equal(r.n, 0);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 0);
	log_pack_release(&pack);
	log_pack_out_release(&out);
	buf_release(&message);
}

static void records_have_the_same_numbers_whichever_process_gives_them(void **state)
{
	uint64_t last = 0;

	(void)state;
	/* a robots.txt with a thousand sitemaps at entry 10, and a page at entry 11 */
	for (int i = 0; i < 1000; i++) {
		const uint64_t number = log_pack_number(10, last);
		assert_true(number > last);
		last = number;
	}
	assert_true(log_pack_number(11, last) > last);
	assert_true(log_pack_number(11, last) == log_pack_number(11, 0));
}

static void the_numbers_of_an_older_pack_are_compared_with_new_ones(void **state)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct buf message = BUF_EMPTY;
	struct log_pack pack;
	struct log_pack_record r;
	uint64_t last = 0;

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		log_pack_add(&out, LOG_PACK_LETTER, (uint64_t)(41 + 1) << 8 | i, "", 0);
	log_pack_seal(&out, 5, &message);
	message.at[0] = 1; /* its version */
	assert_int_equal(log_pack_open(&pack, message.at, message.used, NULL), 0);
	for (int i = 0; i < 3; i++) {
		last = log_pack_number(41, last);
		assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
		assert_true(r.number == last);
	}
	message.at[0] = 3;
	log_pack_release(&pack);
	assert_int_equal(log_pack_open(&pack, message.at, message.used, NULL), ERR_FORMAT);
	log_pack_release(&pack);
	log_pack_out_release(&out);
	buf_release(&message);
}

static void a_message_that_is_cut_or_changed_is_refused_or_has_sound_records(void **state)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct buf message = BUF_EMPTY;
	struct log_pack pack;
	struct log_pack_record r;

	(void)state;
	for (uint64_t i = 0; i < 20; i++)
		log_pack_add(&out, LOG_PACK_QUEUED, i, "http://example.org/", 19);
	log_pack_seal(&out, 1, &message);
	for (size_t n = 0; n < message.used; n++) {
		assert_int_equal(log_pack_open(&pack, message.at, n, NULL), ERR_FORMAT);
		log_pack_release(&pack);
	}
	for (size_t i = 0; i < message.used; i++) {
		message.at[i] ^= 0x41;
		int more = log_pack_open(&pack, message.at, message.used, NULL) ? 0 : 1;
		while (more > 0)
			more = log_pack_next(&pack, &r, NULL);
		log_pack_release(&pack);
		message.at[i] ^= 0x41;
	}
	log_pack_out_release(&out);
	buf_release(&message);
}

static void a_table_of_shares_is_read_as_it_was_written(void **state)
{
	struct share_table t = {.epoch = 12}, read;
	struct buf text = BUF_EMPTY;

	(void)state;
	for (unsigned p = 0; p < PARTITIONS; p++)
		t.owner[p] = (uint16_t)(p * 7 % 1024);
	share_table_write(&t, &text);
	assert_int_equal(share_table_read(&read, text.at, text.used), 0);
	assert_int_equal(read.epoch, 12);
	assert_memory_equal(read.owner, t.owner, sizeof t.owner);
	assert_int_equal(share_table_read(&read, text.at, text.used / 2), -1);
	assert_int_equal(share_table_read(&read, "shares", 6), -1);
	buf_release(&text);
}

static struct store *store_of(const char *dir, const char *const *urls, uint32_t n)
{
	struct store *s;
	struct store_page page = {.depth = 1};
	uint32_t id;

	assert_int_equal(store_open(&s, dir, STORE_WRITE, NULL), 0);
	assert_int_equal(store_host(s, "example.org", 11, &page.host, NULL), 0);
	for (uint32_t i = 0; i < n; i++) {
		page.url = urls[i];
		page.url_length = strlen(urls[i]);
		assert_int_equal(store_add(s, &page, &id, NULL), 0);
	}
	return s;
}

static void a_page_record_has_the_result_and_the_links_of_the_store(void **state)
{
	static const char *const urls[] = {"http://example.org/a", "http://example.org/ab", "http://other.net/"};
	const uint32_t links[] = {1, 0, 2};
	const uint8_t kinds[] = {0, 3, 1};
	const char *dir = scratch();
	struct store *s = store_of(dir, urls, 3);
	struct page_record r = PAGE_RECORD_EMPTY;
	struct buf bytes = BUF_EMPTY;
	struct result result = {.state = PAGE_CRAWLED,
		.outcome = OUTCOME_CRAWLED,
		.status = 200,
		.ended = 1234567890123,
		.bytes = 99,
		.digest = {1, UINT64_MAX},
		.fingerprint = 3,
		.simhash = 4,
		.validators.modified = 5,
		.validators.etag = "\"x\"",
		.validators.etag_length = 3,
		.is_scored = 1,
		.score = 0.25,
		.type = "text/html",
		.language = "en",
		.title = "A title"};

	(void)state;
	assert_int_equal(page_record_write(s, 0, 0, &bytes), 0); /* it has no result yet */
	assert_int_equal(store_put_result(s, 0, &result, NULL), 0);
	assert_int_equal(store_put_links(s, 0, links, kinds, "one\0\0three", 3, NULL), 0);
	assert_int_equal(page_record_write(s, 0, 1500, &bytes), 1);
	assert_int_equal(page_record_read(&r, bytes.at, bytes.used, NULL), 0);
	assert_string_equal(r.url.at, urls[0]);
	assert_int_equal(r.rest, 1500);
	assert_int_equal(r.page.result.ended, result.ended);
	assert_int_equal(r.page.result.state, PAGE_CRAWLED);
	assert_int_equal(r.page.result.status, 200);
	assert_true(r.page.result.digest[1] == UINT64_MAX && r.page.result.fingerprint == 3 && r.page.result.simhash == 4);
	assert_int_equal(r.page.result.validators.modified, 5);
	assert_memory_equal(r.page.result.validators.etag, "\"x\"", 3);
	assert_true(r.page.result.is_scored && r.page.result.score == 0.25);
	assert_string_equal(r.page.about.title, "A title");
	assert_int_equal(r.page.n, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_string_equal(r.page.text + r.page.start[i], urls[links[i]]);
		assert_int_equal(r.page.kinds[i], kinds[i]);
	}
	assert_memory_equal(r.page.anchors, "one\0\0three", 11);
	for (size_t n = 0; n < bytes.used; n++)
		assert_int_equal(page_record_read(&r, bytes.at, n, NULL), ERR_FORMAT);
	page_record_release(&r);
	buf_release(&bytes);
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pack_has_the_records_that_were_added),
		cmocka_unit_test(records_have_the_same_numbers_whichever_process_gives_them),
		cmocka_unit_test(the_numbers_of_an_older_pack_are_compared_with_new_ones),
		cmocka_unit_test(a_message_that_is_cut_or_changed_is_refused_or_has_sound_records),
		cmocka_unit_test(a_table_of_shares_is_read_as_it_was_written),
		cmocka_unit_test(a_page_record_has_the_result_and_the_links_of_the_store),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
