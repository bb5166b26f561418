/* What becomes of a store when a call of the system or of LMDB fails: each call in turn, alone or with all that follow. */
#include "tests/storage/failing.h"
#include "tests/storage/made_crawl.h"
#include "tests/storage/told_store.h"

#include "storage/store_merge.h"

#include <dirent.h>

#define STEPS 24
#define BATCH 8 /* steps of a commit */

static struct made_crawl *made;

static const char *place(void)
{
	static char dir[64];

	strcpy(dir, "/dev/shm/lycosa-test-XXXXXX");
	return mkdtemp(dir) ? dir : strcpy(dir, scratch());
}

/* Sees a crawled page again, and finds that it has changed. */
static int visit(struct store *s, uint32_t id, struct err_note *why)
{
	struct store_visited v = {.first = 1, .last = 1, .status = 404, .now = STORE_GONE};
	struct store_change change = {.before = 1, .status = 404, .now = STORE_GONE, .target = STORE_NO_PAGE};

	store_visited(s, id, &v);
	change.before = v.last;
	change.at = ++v.last;
	v.visits++;
	int err = store_put_change(s, id, v.changes++, &change, why);
	return err ? err : store_put_visited(s, id, &v, why);
}

static int write_batch(struct store *s, size_t from, struct err_note *why)
{
	struct result r;
	char text[16];
	int err = made_write(s, made, from, from + BATCH, why);

	snprintf(text, sizeof text, "%zu", from + BATCH);
	if (!err)
		err = store_set(s, "steps", text, why);
	if (!err)
		err = store_put_robots(s, "http://h.test", 13, text, strlen(text), INT64_MAX, why);
	for (uint32_t id = 0; !err && id < store_pages(s); id++)
		if (store_result(s, id, &r) && r.state == PAGE_CRAWLED) {
			err = visit(s, id, why);
			break;
		}
	return err ? err : store_commit(s, why);
}

static size_t steps_of(struct store *s)
{
	const char *text = store_get(s, "steps");

	return text ? (size_t)strtoul(text, NULL, 10) : 0;
}

/* What a crawl does, or one that goes on with its store: *kept are the steps of the last commit that said 0. */
static int crawl(const char *dir, size_t *kept, struct err_note *why)
{
	struct store *s;
	int err = store_open(&s, dir, STORE_WRITE, why);

	for (size_t at = err ? STEPS : steps_of(s); !err && at < STEPS; at += BATCH) {
		err = write_batch(s, at, why);
		if (!err)
			*kept = at + BATCH;
	}
	store_drop(s);
	return err;
}

/* The store is sound, and has what the first `least` steps wrote, or those of a later commit. */
static void check_store(const char *dir, size_t least)
{
	struct store *s = open_store(dir, STORE_READ);
	const size_t steps = steps_of(s);
	struct store_robots robots;

	assert_true(steps >= least && steps % BATCH == 0);
	made_check(s, made, steps);
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
	assert_int_equal(store_robots(s, "http://h.test", 13, 0, &robots), steps > 0);
	store_drop(s);
}

static void check_folder(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	assert_non_null(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, "data.mdb") != 0 && strcmp(e->d_name, "lock.mdb") != 0 &&
			strcmp(e->d_name, "writer") != 0)
			fail_msg("'%s' is left in the folder", e->d_name);
	closedir(d);
}

/* Does `what` once for each call that it makes, which fails; then once for each tenth, with all behind it.
 * `what` is asked to fail with call number `at`, and answers how many calls there are. */
static void fail_each(long (*what)(enum fail_how how, long at, const char **name))
{
	const char *name;
	const long n = what(FAIL_NONE, 0, &name);

	assert_true(n > 20);
	for (long at = 0; at < n; at++)
		what(FAIL_ONE, at, &name);
	for (long at = 0; at < n; at += 10)
		what(FAIL_ALL, at, &name);
	print_message("# %ld calls\n", n);
}

/* Says what failed, when a test is about to fail for it. */
static void expect(int holds, const char *what, const char *name, long at, const struct err_note *why)
{
	if (!holds)
		fail_msg("%s, where call %ld, of %s, fails (%s)", what, at, name, why->text);
}

/* What has not reached the disk must be told, whatever else can be done without. */
static void expect_told(int err, enum fail_how how, const char *name, long at, const struct err_note *why)
{
	if (how == FAIL_ONE && (strcmp(name, "fsync") == 0 || strcmp(name, "fdatasync") == 0 || strcmp(name, "rename") == 0))
		expect(err < 0, "nothing is said", name, at, why);
}

static long crawl_once(enum fail_how how, long at, const char **name)
{
	struct err_note why = {""};
	char dir[64];
	size_t kept = 0;

	strcpy(dir, place());
	fail_calls(how, at);
	const int err = crawl(dir, &kept, &why);
	const long calls = failing.calls;
	*name = failing.name;
	fail_calls(FAIL_NONE, 0);
	expect(err <= 0 && (!err || *why.text), "no reason is given", *name, at, &why);
	expect_told(err, how, *name, at, &why);
	expect(err || kept == STEPS, "nothing is said, and steps are missing", *name, at, &why);
	if (kept)
		check_store(dir, kept);
	assert_int_equal(crawl(dir, &kept, &why), 0);
	check_store(dir, STEPS);
	check_folder(dir);
	made_forget(dir);
	return calls;
}

static void a_crawl_whose_store_fails_says_so_keeps_its_commits_and_goes_on_later(void **state)
{
	(void)state;
	fail_each(crawl_once);
}

/* The store that a test reads. */
static char whole[64];

static int make_whole(void **state)
{
	struct err_note why;
	size_t kept;

	(void)state;
	strcpy(whole, place());
	return crawl(whole, &kept, &why);
}

static int forget_whole(void **state)
{
	(void)state;
	made_forget(whole);
	return 0;
}

static long compact_once(enum fail_how how, long at, const char **name)
{
	struct err_note why = {""};
	uint64_t before, after;

	fail_calls(how, at);
	const int err = store_compact(whole, &before, &after, &why);
	const long calls = failing.calls;
	*name = failing.name;
	fail_calls(FAIL_NONE, 0);
	expect(err <= 0 && (!err || *why.text), "no reason is given", *name, at, &why);
	expect_told(err, how, *name, at, &why);
	check_store(whole, STEPS);
	if (how == FAIL_ALL)
		expect(err < 0, "nothing is said", *name, at, &why);
	assert_int_equal(store_compact(whole, &before, &after, &why), 0);
	check_folder(whole);
	return calls;
}

static void a_store_is_whole_after_a_compaction_that_failed(void **state)
{
	(void)state;
	fail_each(compact_once);
}

static int tell_all(const char *dir, struct buf *text, struct err_note *why)
{
	struct store *s;
	int err = store_open(&s, dir, STORE_READ, why);

	if (!err)
		err = told_lists(s, text, why);
	if (!err)
		err = store_let_go(s, why);
	if (!err)
		err = told_lists(s, text, why);
	store_drop(s);
	return err;
}

static struct buf all_told;

static long read_once(enum fail_how how, long at, const char **name)
{
	struct err_note why = {""};
	struct buf text = BUF_EMPTY;

	fail_calls(how, at);
	const int err = tell_all(whole, &text, &why);
	const long calls = failing.calls;
	*name = failing.name;
	fail_calls(FAIL_NONE, 0);
	expect(err <= 0 && (!err || *why.text), "no reason is given", *name, at, &why);
	if (how == FAIL_NONE)
		buf_add(&all_told, text.at, text.used);
	expect(err || (text.used == all_told.used && memcmp(text.at, all_told.at, text.used) == 0),
		"nothing is said, and not all is told", *name, at, &why);
	buf_release(&text);
	return calls;
}

static void a_reader_of_a_store_is_told_all_or_of_an_error(void **state)
{
	(void)state;
	fail_each(read_once);
	buf_release(&all_told);
}

static int merge(const char *from, const char *into, struct err_note *why)
{
	struct store *one, *all;
	struct store_merge_counts counts;
	int err = store_open(&one, from, STORE_READ, why);

	if (err)
		return err;
	err = store_open(&all, into, STORE_WRITE, why);
	if (!err)
		err = store_merge(all, &one, 1, &counts, why);
	store_drop(all);
	store_drop(one);
	return err;
}

static long merge_once(enum fail_how how, long at, const char **name)
{
	char into[64];
	struct err_note why = {""};
	struct buf text = BUF_EMPTY;

	strcpy(into, place());
	fail_calls(how, at);
	/* what is asked by a call that has no error was checked when the store was opened */
	failing.spared = "mdb_get";
	const int err = merge(whole, into, &why);
	const long calls = failing.calls;
	*name = failing.name;
	fail_calls(FAIL_NONE, 0);
	expect(err <= 0 && (!err || *why.text), "no reason is given", *name, at, &why);
	if (!err)
		assert_int_equal(tell_all(into, &text, &why), 0);
	if (how == FAIL_NONE)
		buf_add(&all_told, text.at, text.used);
	expect(err || (text.used == all_told.used && memcmp(text.at, all_told.at, text.used) == 0),
		"nothing is said, and not all is merged", *name, at, &why);
	buf_release(&text);
	made_forget(into);
	return calls;
}

static void a_merge_of_which_a_part_fails_says_so(void **state)
{
	(void)state;
	fail_each(merge_once);
	buf_release(&all_told);
}

static int begin(void **state)
{
	(void)state;
	made = made_crawl(8, STEPS);
	return 0;
}

static int end(void **state)
{
	(void)state;
	made_free(made);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crawl_whose_store_fails_says_so_keeps_its_commits_and_goes_on_later),
		cmocka_unit_test_setup_teardown(a_store_is_whole_after_a_compaction_that_failed, make_whole, forget_whole),
		cmocka_unit_test_setup_teardown(a_reader_of_a_store_is_told_all_or_of_an_error, make_whole, forget_whole),
		cmocka_unit_test_setup_teardown(a_merge_of_which_a_part_fails_says_so, make_whole, forget_whole),
	};

	return cmocka_run_group_tests_name("store_faults", tests, begin, end);
}
