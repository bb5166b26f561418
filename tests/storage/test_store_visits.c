/* What a store keeps of the later visits of its pages. */
#include "tests/storage/made_crawl.h"
#include "tests/storage/raw_store.h"

#include "storage/visits.h"

#define DAY ((int64_t)86400000)

static void crawl_page(struct store *s, const char *url)
{
	const uint32_t id = add(s, url);
	const struct result result = {.state = PAGE_CRAWLED,
		.outcome = OUTCOME_CRAWLED,
		.status = 200,
		.target = STORE_NO_PAGE,
		.digest = {1, 2}};

	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = id}, NULL), 0);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_TAKE, .id = id}, NULL), 0);
	assert_int_equal(store_put_result(s, id, &result, NULL), 0);
	assert_int_equal(store_put_links(s, id, NULL, NULL, NULL, 0, NULL), 0);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_CRAWLED, .id = id}, NULL), 0);
}

static void visit(struct store *s, uint32_t id, uint32_t visits, uint32_t changes, const char *etag)
{
	const struct store_visited v = {.now = changes % 2 ? STORE_GONE : STORE_THERE,
		.status = changes % 2 ? 404 : 200,
		.visits = visits,
		.changes = changes,
		.first = -5,
		.last = visits * DAY,
		.digest = {visits, ~(uint64_t)0},
		.modified = 77,
		.etag = etag,
		.etag_length = strlen(etag),
		.is_undated = visits % 2 != 0};
	assert_int_equal(store_put_visited(s, id, &v, NULL), 0);
}

static void change(struct store *s, uint32_t id, uint32_t number)
{
	const struct store_change c = {.now = number % 2 ? STORE_THERE : STORE_GONE,
		.status = number % 2 ? 200 : 410,
		.before = number * DAY,
		.at = (number + 1) * DAY,
		.digest = {number, 3},
		.bytes = 1000 + number,
		.target = STORE_NO_PAGE};
	assert_int_equal(store_put_change(s, id, number, &c, NULL), 0);
}

static void check_visit(struct store *s, uint32_t id, uint32_t visits, uint32_t changes, const char *etag)
{
	struct store_visited v;
	struct store_change c;

	assert_true(store_visited(s, id, &v));
	assert_int_equal(v.visits, visits);
	assert_int_equal(v.changes, changes);
	assert_int_equal(v.now, changes % 2 ? STORE_GONE : STORE_THERE);
	assert_int_equal(v.first, -5);
	assert_int_equal(v.last, visits * DAY);
	assert_int_equal(v.digest[0], visits);
	assert_int_equal(v.modified, 77);
	assert_int_equal(v.etag_length, strlen(etag));
	assert_memory_equal(v.etag, etag, v.etag_length);
	assert_int_equal(v.is_undated, visits % 2);
	for (uint32_t i = 0; i < changes; i++) {
		assert_true(store_change(s, id, i, &c));
		assert_int_equal(c.at, (i + 1) * DAY);
		assert_int_equal(c.digest[0], i);
		assert_int_equal(c.bytes, 1000 + i);
		assert_int_equal(c.target, STORE_NO_PAGE);
	}
	assert_false(store_change(s, id, changes, &c));
}

static void visits_are_read_before_and_after_the_commit_and_replaced(void **state)
{
	char dir[64];
	struct store_visited v;
	(void)state;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	crawl_page(s, "http://h.test/a");
	crawl_page(s, "http://h.test/b");
	assert_false(store_visited(s, 0, &v));
	visit(s, 1, 1, 0, "\"first\"");
	check_visit(s, 1, 1, 0, "\"first\"");
	change(s, 1, 0);
	visit(s, 1, 2, 1, "");
	check_visit(s, 1, 2, 1, "");
	commit(s);
	check_visit(s, 1, 2, 1, "");
	change(s, 1, 1);
	visit(s, 1, 3, 2, "\"other\"");
	check_visit(s, 1, 3, 2, "\"other\"");
	assert_false(store_visited(s, 0, &v));
	store_drop(s); /* and what was not committed is gone */
	for (int mode = 0; mode < 2; mode++) {
		s = open_store(dir, mode ? STORE_WRITE : STORE_READ);
		check_visit(s, 1, 2, 1, "");
		assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
		store_drop(s);
	}
}

/* An ETag that the store has returned may be written back. */
static void a_visit_may_be_written_with_the_texts_of_the_one_before(void **state)
{
	struct store_visited v;
	char dir[64];
	(void)state;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	crawl_page(s, "http://h.test/a");
	visit(s, 0, 1, 0, "\"kept\"");
	for (int i = 0; i < 3; i++) {
		assert_true(store_visited(s, 0, &v));
		v.visits++;
		assert_int_equal(store_put_visited(s, 0, &v, NULL), 0);
	}
	assert_true(store_visited(s, 0, &v));
	assert_int_equal(v.visits, 4);
	assert_memory_equal(v.etag, "\"kept\"", 6);
	store_drop(s);
}

static int gather(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *c, struct err_note *why)
{
	char *text = ctx;

	(void)why;
	if (c)
		sprintf(text + strlen(text), " %u@%d", (unsigned)c->digest[0], (int)(c->at / DAY));
	else
		sprintf(text + strlen(text), "%s%u:%u", *text ? ", " : "", id, v->changes);
	return 0;
}

static void all_pages_come_by_id_with_their_changes_in_order(void **state)
{
	char dir[64], text[200] = "", url[64];
	(void)state;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	for (int i = 0; i < 300; i++) {
		sprintf(url, "http://h.test/%d", i);
		crawl_page(s, url);
	}
	visit(s, 256, 4, 3, "x");
	for (uint32_t i = 0; i < 3; i++)
		change(s, 256, i);
	visit(s, 1, 1, 0, "x");
	change(s, 255, 0);
	visit(s, 255, 1, 1, "x");
	commit(s);
	assert_int_equal(store_visits_each(s, gather, text, NULL), 0);
	assert_string_equal(text, "1:0, 255:1 0@1, 256:3 0@1 1@2 2@3");
	store_drop(s);
}

static void what_cannot_be_is_a_breach(void **state)
{
	char dir[64];
	(void)state;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	crawl_page(s, "http://h.test/a");
	const uint32_t id = add(s, "http://h.test/b"); /* is not crawled */
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_VISITED, .id = 0}, NULL), 0);
	commit(s);
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
	visit(s, id, 1, 0, "x");
	commit(s);
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 1);
	visit(s, 0, 2, 2, "x"); /* of which none is there */
	commit(s);
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 1); /* the walk ends there */
	store_drop(s);
	raw_put(dir, "visits", "odd", 3, "?", 1);
	s = open_suspect(dir);
	assert_true(store_verify(s, made_tell, NULL, NULL) > 0);
	store_drop(s);
}

/* Makes a store one of format 3, which has no visits. */
static void make_format_3(const char *dir)
{
	MDB_txn *txn;
	MDB_dbi dbi;
	MDB_env *env = raw_open(dir, &txn);

	assert_int_equal(mdb_dbi_open(txn, "visits", 0, &dbi), 0);
	assert_int_equal(mdb_drop(txn, dbi, 1), 0);
	assert_int_equal(mdb_txn_commit(txn), 0);
	mdb_env_close(env);
	raw_put(dir, "meta", "format", 6, "3", 1);
}

static void a_store_of_format_3_is_read_and_gets_visits_when_it_is_written(void **state)
{
	struct store_visited v;
	char dir[64];
	(void)state;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	crawl_page(s, "http://h.test/a");
	commit(s);
	store_drop(s);
	make_format_3(dir);
	s = open_store(dir, STORE_READ);
	assert_int_equal(s->env.format, 3);
	assert_false(store_visited(s, 0, &v));
	assert_int_equal(store_visits_each(s, gather, NULL, NULL), 0);
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
	store_drop(s);
	for (int i = 0; i < 2; i++) { /* a writer that commits nothing leaves the format */
		s = open_store(dir, STORE_WRITE);
		assert_int_equal(s->env.format, 3);
		store_drop(s);
	}
	s = open_store(dir, STORE_WRITE);
	visit(s, 0, 1, 0, "x");
	commit(s);
	assert_int_equal(s->env.format, STORE_FORMAT);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	check_visit(s, 0, 1, 0, "x");
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(visits_are_read_before_and_after_the_commit_and_replaced),
		cmocka_unit_test(a_visit_may_be_written_with_the_texts_of_the_one_before),
		cmocka_unit_test(all_pages_come_by_id_with_their_changes_in_order),
		cmocka_unit_test(what_cannot_be_is_a_breach),
		cmocka_unit_test(a_store_of_format_3_is_read_and_gets_visits_when_it_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
