/* A crawl that waits reads its store again, and ends when the disk has damaged it meanwhile. */
#include "tests/storage/made_crawl.h"

#include "crawler/observers/record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGES 3000

/* Makes a store of several chunks, or, with few pages, of one for each array, as of a sitting that has ended. */
static void make(const char *dir, uint32_t pages)
{
	struct store *s = open_store(dir, STORE_WRITE);

	for (uint32_t i = 0; i < pages; i++) {
		char url[64];
		snprintf(url, sizeof url, "http://h.test/page-%04u/abcdefghijklmnopqrstuvwxyz", i * 7919 % 10000);
		add(s, url);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = i}, NULL), 0);
	}
	commit(s);
	store_drop(s);
}

/* Turns a bit of each place of the store's file where a text stands: the chunk may lie there in an earlier form, too. */
static void damage(const char *dir, const char *text)
{
	char *path = buf_made("%s/data.mdb", dir);
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;
	int found = 0;

	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	char *all = mem_new((size_t)st.st_size, 1);
	assert_int_equal(pread(fd, all, (size_t)st.st_size, 0), st.st_size);
	for (off_t at = 0; at + (off_t)strlen(text) <= st.st_size; at++) {
		const char turned = (char)(*text ^ 1);
		if (memcmp(all + at, text, strlen(text)) != 0)
			continue;
		assert_int_equal(pwrite(fd, &turned, 1, at), 1);
		found++;
	}
	assert_true(found > 0);
	close(fd);
	free(all);
	free(path);
}

static void a_round_reads_all_chunks_and_the_commit_says_so(void **state)
{
	char dir[64];
	struct store *s;
	int end, steps = 0;

	(void)state;
	make(strcpy(dir, scratch()), PAGES);
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(store_scrubbed(s).chunks, 0);
	while ((end = store_scrub(s, 4096, NULL)) == 0)
		steps++;
	assert_int_equal(end, 1);
	assert_true(steps > 1);
	assert_int_equal(store_scrubbed(s).rounds, 1);
	assert_int_equal(store_scrubbed(s).chunks, 0);
	assert_int_equal(store_scrub(s, 4096, NULL), 0);
	assert_true(store_scrubbed(s).chunks > 0 && store_scrubbed(s).chunks < store_scrubbed(s).total);
	add(s, "http://h.test/new");
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_non_null(strstr(store_get(s, STORE_SCRUBBED), "1 rounds, and "));
	store_drop(s);
}

static void end_by_damage(uint32_t pages)
{
	struct recorder r;
	struct err_note why = {""};
	char dir[64];

	make(strcpy(dir, scratch()), pages);
	struct store *s = open_store(dir, STORE_WRITE);
	recorder_init(&r, s, NULL, NULL, 0);
	const struct observer o = recorder_observer(&r);
	assert_int_equal(o.idle(o.ctx, &why), 0);
	damage(dir, "http://h.test/page-0000/");
	r.scrub_at = 0;
	assert_int_equal(o.idle(o.ctx, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "URLs of pages"));
	assert_non_null(strstr(why.text, "lycosa store salvage"));
	add(s, "http://h.test/new");
	assert_int_equal(recorder_finish(&r, NULL), ERR_DAMAGED);
	store_drop(s);
}

static void damage_ends_the_crawl_that_waits_and_nothing_more_is_committed(void **state)
{
	(void)state;
	end_by_damage(PAGES);
	end_by_damage(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_reads_all_chunks_and_the_commit_says_so),
		cmocka_unit_test(damage_ends_the_crawl_that_waits_and_nothing_more_is_committed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
