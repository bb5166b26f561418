/* What the log of a partition has: packs of records, and pages in them, also from a neighbour that means harm. */
#include "tests/test.h"

#include "agents/log_pack.h"
#include "base/mem.h"
#include "crawler/agent/page_record.h"

static void put_text(struct buf *b, const char *text)
{
	buf_varint(b, strlen(text));
	buf_text(b, text);
}

/* Writes a crawled page with n links: each has `common` bytes in common with the URL before it, and a digit behind them. */
static void write_page(struct buf *b, const char *url, uint32_t n, size_t common)
{
	buf_clear(b);
	buf_varint(b, PAGE_CRAWLED);
	buf_varint(b, OUTCOME_CRAWLED);
	buf_varint(b, 200);
	buf_zigzag(b, 1700000000000);
	buf_varint(b, 1234);
	for (int i = 0; i < 4 * 8; i++)
		buf_byte(b, 0);
	buf_zigzag(b, 0);
	put_text(b, "");
	buf_varint(b, 0);
	for (int i = 0; i < 8; i++)
		buf_byte(b, 0);
	put_text(b, "text/html");
	put_text(b, "en");
	put_text(b, "a title");
	buf_varint(b, 2500);
	buf_varint(b, 0);
	put_text(b, url);
	buf_varint(b, n);
	for (uint32_t i = 0; i < n; i++) {
		buf_varint(b, common);
		put_text(b, i % 2 ? "1" : "0");
		buf_byte(b, 0);
	}
	buf_byte(b, 0);
	buf_varint(b, 5); /* what is asked of users */
}

static void a_page_of_a_log_is_read_with_its_links(void **state)
{
	struct page_record r = PAGE_RECORD_EMPTY;
	struct buf b = BUF_EMPTY;

	(void)state;
	write_page(&b, "http://h/", 2, 9);
	assert_int_equal(page_record_read(&r, b.at, b.used, NULL), 0);
	assert_string_equal(r.url.at, "http://h/");
	assert_int_equal(r.rest, 2500);
	assert_int_equal(r.page.n, 2);
	assert_string_equal(r.page.text + r.page.start[0], "http://h/0");
	assert_string_equal(r.page.text + r.page.start[1], "http://h/1");
	assert_string_equal(r.page.about.title, "a title");
	assert_int_equal(r.page.result.usage, 5);
	page_record_release(&r);
	buf_release(&b);
}

static void a_url_with_a_zero_byte_is_none(void **state)
{
	struct page_record r = PAGE_RECORD_EMPTY;
	struct buf b = BUF_EMPTY;

	(void)state;
	write_page(&b, "http://h/", 1, 9);
	b.at[b.used - 4] = 0; /* the digit of the link */
	assert_int_equal(page_record_read(&r, b.at, b.used, NULL), ERR_FORMAT);
	page_record_release(&r);
	buf_release(&b);
}

static void a_page_of_a_log_that_is_cut_off_or_too_long_is_none(void **state)
{
	struct page_record r = PAGE_RECORD_EMPTY;
	struct buf b = BUF_EMPTY;

	(void)state;
	write_page(&b, "http://h/", 2, 9);
	for (size_t n = 0; n < b.used; n++) {
		char *cut = mem_copy(b.at, n + 1); /* so that a sanitizer sees what is read behind the end */
		cut = realloc(cut, n ? n : 1);
		assert_int_equal(page_record_read(&r, cut, n, NULL), ERR_FORMAT);
		free(cut);
	}
	buf_byte(&b, 0);
	assert_int_equal(page_record_read(&r, b.at, b.used, NULL), ERR_FORMAT);
	page_record_release(&r);
	buf_release(&b);
}

/* 8,000 bytes a link from 5 bytes of the record: a million links would take 8 GB, and places in them no longer 32 bits. */
static void links_that_take_far_more_than_their_record_are_refused(void **state)
{
	struct page_record r = PAGE_RECORD_EMPTY;
	struct buf b = BUF_EMPTY;
	char *url = mem_zero(8001, 1);

	(void)state;
	memset(url, 'a', 8000);
	memcpy(url, "http://h/", 9);
	write_page(&b, url, 1000, 8000);
	assert_int_equal(page_record_read(&r, b.at, b.used, NULL), 0);
	assert_int_equal(r.page.n, 1000);
	write_page(&b, url, 100000, 8000);
	assert_int_equal(page_record_read(&r, b.at, b.used, NULL), ERR_FORMAT);
	page_record_release(&r);
	buf_release(&b);
	free(url);
}

static void a_pack_has_the_records_that_were_added(void **state)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct log_pack_record r;
	struct buf message = BUF_EMPTY;
	struct log_pack pack;

	(void)state;
	log_pack_add(&out, LOG_PACK_PAGE, 4711, "page", 4);
	log_pack_add(&out, LOG_PACK_QUEUED, 4712, "", 0);
	log_pack_seal(&out, 7, &message);
	assert_int_equal(log_pack_open(&pack, message.at, message.used, NULL), 0);
	assert_int_equal(pack.agent, 7);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
	assert_int_equal(r.kind, LOG_PACK_PAGE);
	assert_int_equal(r.number, 4711);
	assert_memory_equal(r.bytes, "page", 4);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
	assert_int_equal(r.n, 0);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 0);
	log_pack_release(&pack);
	for (size_t n = 0; n < message.used; n++) {
		assert_int_equal(log_pack_open(&pack, message.at, n, NULL), ERR_FORMAT);
		log_pack_release(&pack);
	}
	log_pack_out_release(&out);
	buf_release(&message);
}

/* A record whose length is more than the pack has, of a kind that is none, or that ends within its head. */
/* A reader puts it aside, and reads the records behind it. */
static void a_record_of_an_unknown_kind_is_read_over(void **state)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct buf message = BUF_EMPTY;
	struct log_pack_record r;
	struct log_pack pack;

	(void)state;
	buf_add(&out.raw, "\x07\x01\x01z\x02\x01\x01y", 8);
	log_pack_seal(&out, 7, &message);
	assert_int_equal(log_pack_open(&pack, message.at, message.used, NULL), 0);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
	assert_int_equal(r.kind, 7);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
	assert_int_equal(r.kind, LOG_PACK_PAGE);
	assert_memory_equal(r.bytes, "y", 1);
	assert_int_equal(log_pack_next(&pack, &r, NULL), 0);
	log_pack_release(&pack);
	log_pack_out_release(&out);
	buf_release(&message);
}

static void records_that_are_wrong_are_none(void **state)
{
	static const struct {
		const char *raw;
		size_t n;
	} bad[] = {{"\x02\x01\x05xy", 5}, {"\x02", 1}, {"\x02\x01", 2}, {"\x02\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}};
	struct log_pack_record r;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct log_pack_out out = LOG_PACK_EMPTY;
		struct buf message = BUF_EMPTY;
		struct log_pack pack;
		buf_add(&out.raw, bad[i].raw, bad[i].n);
		log_pack_seal(&out, 7, &message);
		assert_int_equal(log_pack_open(&pack, message.at, message.used, NULL), 0);
		assert_int_equal(log_pack_next(&pack, &r, NULL), ERR_FORMAT);
		log_pack_release(&pack);
		log_pack_out_release(&out);
		buf_release(&message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_of_a_log_is_read_with_its_links),
		cmocka_unit_test(a_url_with_a_zero_byte_is_none),
		cmocka_unit_test(a_page_of_a_log_that_is_cut_off_or_too_long_is_none),
		cmocka_unit_test(links_that_take_far_more_than_their_record_are_refused),
		cmocka_unit_test(a_pack_has_the_records_that_were_added),
		cmocka_unit_test(a_record_of_an_unknown_kind_is_read_over),
		cmocka_unit_test(records_that_are_wrong_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
