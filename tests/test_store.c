#include "tests/made_crawl.h"

#include "base/buf.h"
#include "base/clock.h"
#include "frontier/policy.h"
#include "storage/store.h"

#include <lmdb.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct store *open_store(const char *dir, enum store_mode mode)
{
	struct store *s;
	struct err_note why = {""};

	if (store_open(&s, dir, mode, &why))
		fail_msg("store_open: %s", why.text);
	return s;
}

static void commit(struct store *s)
{
	struct err_note why = {""};

	if (store_commit(s, &why))
		fail_msg("store_commit: %s", why.text);
	assert_true(store_uncommitted(s) == 0);
}

static uint32_t add(struct store *s, const char *url)
{
	struct store_page page = {.url = url, .url_length = strlen(url)};
	uint32_t id;

	assert_int_equal(store_host(s, "h.test", 6, &page.host, NULL), 0);
	assert_int_equal(store_add(s, &page, &id, NULL), 0);
	return id;
}

/* The exit status of what a child does. */
static int in_child(int (*what)(const char *dir), const char *dir)
{
	int status;
	fflush(NULL);
	pid_t pid = fork();

	if (pid == 0)
		_exit(what(dir));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static const char *copy_of(const char *dir)
{
	static char path[128];

	snprintf(path, sizeof path, "%s", dir);
	return path;
}

static void a_store_is_made_where_it_is_missing(void **state)
{
	char dir[128];
	struct store *s;
	struct store_page page;
	struct err_note why;
	uint32_t id;

	(void)state;
	snprintf(dir, sizeof dir, "%s/store", scratch());
	assert_int_equal(store_is(dir), 0);
	assert_int_equal(store_open(&s, dir, STORE_READ, &why), ERR_FILE);
	assert_null(s);
	assert_non_null(strstr(why.text, "no store in"));
	s = open_store(dir, STORE_WRITE);
	store_close(s);
	assert_int_equal(store_is(dir), 1);
	for (int mode = 0; mode < 2; mode++) {
		s = open_store(dir, mode ? STORE_WRITE : STORE_READ);
		assert_int_equal(store_pages(s), 0);
		assert_int_equal(store_hosts(s), 0);
		assert_true(store_log_length(s) == 0);
		assert_int_equal(store_find(s, "http://a.test/", 14, &id), 0);
		assert_int_equal(store_page(s, 0, &page), 0);
		assert_null(store_host_name(s, 0));
		assert_null(store_get(s, "policy"));
		assert_int_equal(store_verify(s, made_tell, NULL, &why), 0);
		store_close(s);
	}
}

static void what_holds_no_store_is_said(void **state)
{
	static const struct {
		const char *content;
		size_t n;
		enum store_mode mode;
		int want;
	} table[] = {
		{NULL, 0, STORE_READ, ERR_FILE},
		{"", 0, STORE_READ, ERR_FILE},
		{"", 0, STORE_WRITE, 0}, /* a writer died before its first byte */
		{"garbage", 7, STORE_READ, ERR_DAMAGED},
		{"garbage", 7, STORE_WRITE, ERR_DAMAGED},
	};
	struct store *s;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char dir[64], path[96];
		strcpy(dir, scratch());
		snprintf(path, sizeof path, "%s/data.mdb", dir);
		FILE *f = table[i].content ? fopen(path, "wb") : NULL;
		if (f) {
			fwrite(table[i].content, 1, table[i].n, f);
			fclose(f);
		}
		assert_int_equal(store_open(&s, dir, table[i].mode, &why), table[i].want);
		store_close(s);
	}
	assert_int_equal(store_open(&s, "/dev/null", STORE_WRITE, &why), ERR_FILE);
	assert_int_equal(store_open(&s, "/nonexistent/a/b", STORE_WRITE, &why), ERR_FILE);
	assert_int_equal(store_open(&s, "/dev/null", STORE_READ, &why), ERR_FILE);
}

static void all_reads_back_before_and_after_the_commit(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		char dir[64];
		struct made_crawl *m = made_crawl(seed, 400);
		struct store *s;
		struct rng r = {seed};
		size_t at = 0;

		strcpy(dir, scratch());
		s = open_store(dir, STORE_WRITE);
		while (at < m->steps) {
			size_t to = at + 1 + rng_below(&r, 40);
			if (to > m->steps)
				to = m->steps;
			assert_int_equal(made_write(s, m, at, to, NULL), 0);
			at = to;
			if (rng_below(&r, 4) == 0)
				made_check(s, m, at);
			if (rng_below(&r, 2) == 0)
				commit(s);
			if (rng_below(&r, 6) == 0) {
				commit(s);
				store_close(s);
				s = open_store(dir, STORE_WRITE);
				made_check(s, m, at);
			}
		}
		commit(s);
		made_check(s, m, m->steps);
		assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
		store_close(s);
		s = open_store(dir, STORE_READ);
		made_check(s, m, m->steps);
		assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
		store_close(s);
		made_free(m);
	}
}

static void what_is_not_committed_is_dropped(void **state)
{
	char dir[64];
	struct made_crawl *m = made_crawl(9, 300);
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 100, NULL), 0);
	assert_int_equal(store_set(s, "policy", "bfs", NULL), 0);
	assert_true(store_uncommitted(s) > 0);
	commit(s);
	assert_int_equal(made_write(s, m, 100, 300, NULL), 0);
	assert_int_equal(store_set(s, "policy", "opic", NULL), 0);
	assert_int_equal(store_set(s, "scope", "x", NULL), 0);
	made_check(s, m, 300);
	store_close(s);
	s = open_store(dir, STORE_WRITE);
	made_check(s, m, 100);
	assert_string_equal(store_get(s, "policy"), "bfs");
	assert_null(store_get(s, "scope"));
	/* and the same again may be written */
	assert_int_equal(made_write(s, m, 100, 300, NULL), 0);
	commit(s);
	store_close(s);
	s = open_store(dir, STORE_READ);
	made_check(s, m, 300);
	store_close(s);
	made_free(m);
}

static void settings_are_kept_and_limited(void **state)
{
	static char text[STORE_TEXT_MAX + 2];
	char dir[64], name[STORE_NAME_MAX + 1];
	struct store *s;

	(void)state;
	memset(text, 'x', sizeof text - 1);
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(store_set(s, name, text, NULL), ERR_TOO_BIG);
	text[STORE_TEXT_MAX] = 0;
	assert_int_equal(store_set(s, name, text, NULL), 0);
	assert_int_equal(store_set(s, "empty", "", NULL), 0);
	assert_int_equal(store_set(s, "policy", "bfs", NULL), 0);
	commit(s);
	assert_int_equal(store_set(s, "policy", "fica", NULL), 0);
	assert_string_equal(store_get(s, "policy"), "fica");
	commit(s);
	store_close(s);
	s = open_store(dir, STORE_READ);
	assert_string_equal(store_get(s, name), text);
	assert_string_equal(store_get(s, "empty"), "");
	assert_string_equal(store_get(s, "policy"), "fica");
	assert_null(store_get(s, "polic"));
	store_close(s);
}

static void urls_are_told_apart_by_every_byte(void **state)
{
	static const char *const urls[] = {"http://h.test/", "http://h.test/a", "http://h.test/b",
		"http://h.test/a/", "http://h.test/A", "h", "http://h.test/a?", "http://h.test"};
	static char longest[65536];
	char dir[64];
	struct store *s;
	uint32_t id;

	(void)state;
	memset(longest, 'z', sizeof longest - 1);
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(add(s, urls[i]), i);
	assert_int_equal(add(s, longest), 8);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < 8; i++) {
			assert_int_equal(store_find(s, urls[i], strlen(urls[i]), &id), 1);
			assert_int_equal(id, i);
		}
		assert_int_equal(store_find(s, longest, sizeof longest - 1, &id), 1);
		assert_int_equal(store_find(s, longest, sizeof longest - 2, &id), 0);
		assert_int_equal(store_find(s, "", 0, &id), 0);
		assert_int_equal(store_find(s, "http://h.test/a\0", 16, &id), 0);
		if (pass == 0)
			commit(s);
		store_close(s);
		s = open_store(dir, STORE_READ);
	}
	store_close(s);
}

static void hosts_are_numbered_once(void **state)
{
	char dir[64], name[32];
	const char *kept;
	struct store *s;
	uint32_t host;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (uint32_t i = 0; i < 3000; i++) {
		int n = snprintf(name, sizeof name, "%u.example:8080", i % 1500);
		assert_int_equal(store_host(s, name, (size_t)n, &host, NULL), 0);
		assert_int_equal(host, i % 1500);
	}
	kept = store_host_name(s, 7);
	assert_int_equal(store_hosts(s), 1500);
	commit(s);
	assert_ptr_equal(store_host_name(s, 7), kept);
	assert_string_equal(kept, "7.example:8080");
	store_close(s);
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(store_host(s, "1499.example:8080", 17, &host, NULL), 0);
	assert_int_equal(host, 1499);
	assert_null(store_host_name(s, 1500));
	store_close(s);
}

static void the_last_result_and_links_of_a_page_count(void **state)
{
	static const uint32_t first[] = {0, 1, 2}, second[] = {2};
	const uint32_t *links;
	const uint8_t *kinds;
	char dir[64];
	struct store *s;
	struct store_result r = {.state = PAGE_QUEUED, .target = STORE_NO_PAGE, .tries = 1};

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	assert_int_equal(store_links(s, 0, &links, &kinds), 0);
	add(s, "http://h.test/1");
	add(s, "http://h.test/2");
	assert_int_equal(store_put_links(s, 1, first, NULL, 3, NULL), 0);
	assert_int_equal(store_links(s, 1, &links, &kinds), 3);
	assert_null(kinds);
	assert_int_equal(store_put_result(s, 1, &r, NULL), 0);
	assert_int_equal(store_result(s, 1, &r), 1);
	r.tries = 2;
	assert_int_equal(store_put_result(s, 1, &r, NULL), 0);
	commit(s);
	assert_int_equal(store_put_links(s, 1, second, (const uint8_t *)"\x83", 1, NULL), 0);
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(store_links(s, 1, &links, &kinds), 1);
		assert_int_equal(links[0], 2);
		assert_int_equal(kinds[0], 0x83);
		assert_int_equal(store_links(s, 1, &links, NULL), 1);
		assert_int_equal(store_result(s, 1, &r), 1);
		assert_int_equal(r.tries, 2);
		assert_int_equal(store_result(s, 0, &r), 0);
		assert_int_equal(store_result(s, 3, &r), 0);
		assert_int_equal(store_links(s, 3, &links, &kinds), 0);
		commit(s);
		store_close(s);
		s = open_store(dir, STORE_WRITE);
	}
	store_close(s);
}

static void too_many_links_are_refused(void **state)
{
	char dir[64];
	size_t n = STORE_LINKS_MAX;
	uint32_t *links = mem_zero(n + 1, sizeof *links);
	const uint32_t *got;
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	assert_int_equal(store_put_links(s, 0, links, NULL, n + 1, NULL), ERR_TOO_BIG);
	assert_int_equal(store_links(s, 0, &got, NULL), 0);
	assert_int_equal(store_put_links(s, 0, links, NULL, n, NULL), 0);
	assert_int_equal(store_links(s, 0, &got, NULL), n);
	commit(s);
	assert_int_equal(store_links(s, 0, &got, NULL), n);
	store_close(s);
	free(links);
}

static int open_for_writing(const char *dir)
{
	struct store *s;
	struct err_note why;
	int status = store_open(&s, dir, STORE_WRITE, &why);
	char pid[32];

	snprintf(pid, sizeof pid, "process %ld", (long)getppid());
	store_close(s);
	return status == ERR_BUSY && strstr(why.text, pid) ? 7 : status == 0 ? 0 : 1;
}

static int open_for_reading(const char *dir)
{
	struct store *s;
	int status = store_open(&s, dir, STORE_READ, NULL);

	store_close(s);
	return status != 0;
}

static void a_second_writer_is_told_the_first_ones_pid(void **state)
{
	char dir[64], pid[32];
	struct store *s, *second;
	struct err_note why;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	snprintf(pid, sizeof pid, "process %ld", (long)getpid());
	assert_int_equal(store_open(&second, dir, STORE_WRITE, &why), ERR_BUSY);
	assert_non_null(strstr(why.text, pid));
	assert_int_equal(store_open(&second, dir, STORE_READ, &why), ERR_BUSY);
	assert_non_null(strstr(why.text, pid));
	assert_int_equal(in_child(open_for_writing, dir), 7);
	assert_int_equal(in_child(open_for_reading, dir), 0);
	store_close(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(in_child(open_for_writing, dir), 0);
	store_close(s);
}

/* A reader in another process: its snapshot stands while the writer goes on, far. */
static void a_reader_keeps_what_it_saw(void **state)
{
	char dir[64], byte = 0;
	struct made_crawl *m = made_crawl(5, 900);
	struct store *s;
	int go[2], ready[2], status;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 200, NULL), 0);
	commit(s);
	assert_int_equal(pipe(go) | pipe(ready), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		struct store *r = open_store(dir, STORE_READ);
		if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 0)
			_exit(1);
		made_check(r, m, 200);
		store_close(r);
		r = open_store(dir, STORE_READ);
		made_check(r, m, 900);
		store_close(r);
		_exit(0);
	}
	close(go[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	for (size_t at = 200; at < 900; at += 10) {
		assert_int_equal(made_write(s, m, at, at + 10, NULL), 0);
		commit(s);
	}
	close(go[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(ready[0]);
	close(ready[1]);
	store_close(s);
	made_free(m);
}

/* More than the map has to spare, several times, in batches small and large. */
static void the_map_grows_by_itself(void **state)
{
	static const uint32_t batch[] = {10, 9000, 100, 20000, 1, 5000};
	static char url[2001];
	char dir[64];
	struct store *s;
	uint32_t next = 0, id;

	(void)state;
	strcpy(dir, scratch());
	memset(url, 'u', sizeof url - 1);
	s = open_store(dir, STORE_WRITE);
	for (size_t i = 0; i < sizeof batch / sizeof *batch; i++) {
		for (uint32_t k = 0; k < batch[i]; k++, next++) {
			memcpy(url + snprintf(url, 40, "http://h.test/%u", next), "/", 1);
			assert_int_equal(add(s, url), next);
		}
		assert_int_equal(store_find(s, url, sizeof url - 1, &id), 1);
		commit(s);
		assert_int_equal(store_find(s, url, sizeof url - 1, &id), 1);
		assert_int_equal(id, next - 1);
	}
	store_close(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(store_pages(s), next);
	for (uint32_t k = 0; k < next; k += 97) {
		memcpy(url + snprintf(url, 40, "http://h.test/%u", k), "/uuuuuuuuuuuuu", 14);
		assert_int_equal(store_find(s, url, sizeof url - 1, &id), 1);
		assert_int_equal(id, k);
	}
	store_close(s);
}

/* Many small commits leave a file not much larger than one large commit. */
static void pages_of_the_file_are_used_again(void **state)
{
	char dir[2][64], path[96];
	struct made_crawl *m = made_crawl(6, 1500);
	struct stat about[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		strcpy(dir[i], scratch());
		struct store *s = open_store(dir[i], STORE_WRITE);
		for (size_t at = 0; at < 1500; at += i ? 1500 : 3) {
			assert_int_equal(made_write(s, m, at, at + (i ? 1500 : 3), NULL), 0);
			commit(s);
		}
		store_close(s);
		snprintf(path, sizeof path, "%s/data.mdb", dir[i]);
		assert_int_equal(stat(path, &about[i]), 0);
	}
	assert_true(about[0].st_size < about[1].st_size + (1 << 20));
	made_free(m);
}

/* A child writes, commits, and says how far it is, until it is killed. */
static void write_until_killed(const char *dir, const struct made_crawl *m, uint64_t seed, int out)
{
	struct rng r = {seed};
	struct store *s = open_store(dir, STORE_WRITE);
	char text[32];
	size_t at = (size_t)strtoul(store_get(s, "steps") ? store_get(s, "steps") : "0", NULL, 10);

	while (at < m->steps) {
		size_t to = at + 1 + rng_below(&r, 25);
		if (to > m->steps)
			to = m->steps;
		assert_int_equal(made_write(s, m, at, to, NULL), 0);
		at = to;
		snprintf(text, sizeof text, "%zu", at);
		assert_int_equal(store_set(s, "steps", text, NULL), 0);
		commit(s);
		assert_int_equal(write(out, &at, sizeof at), sizeof at);
	}
	pause();
}

/* Kills a writer at a random moment; returns how far it had said to have come. */
static size_t kill_a_writer(const char *dir, const struct made_crawl *m, struct rng *r)
{
	size_t said = 0, got;
	int out[2], status;

	assert_int_equal(pipe(out), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		close(out[0]);
		write_until_killed(dir, m, rng_next(r), out[1]);
		_exit(1);
	}
	close(out[1]);
	usleep((useconds_t)rng_below(r, 30000));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	while (read(out[0], &got, sizeof got) == sizeof got)
		said = got;
	close(out[0]);
	return said;
}

static void a_killed_writer_leaves_its_last_commit(void **state)
{
	char dir[64];
	struct made_crawl *m = made_crawl(11, 6000);
	struct rng r = {12};
	size_t steps = 0, most = 0;
	int64_t until = clock_ms() + 1500;

	(void)state;
	strcpy(dir, scratch());
	while (clock_ms() < until && steps < m->steps) {
		size_t said = kill_a_writer(dir, m, &r);
		struct err_note why;
		struct store *s;
		if (said > most)
			most = said;
		/* it may have been killed before there was a store */
		int status = store_open(&s, dir, STORE_READ, &why);
		if (status == ERR_FILE && most == 0)
			continue;
		assert_int_equal(status, 0);
		const char *text = store_get(s, "steps");
		steps = text ? (size_t)strtoul(text, NULL, 10) : 0;
		assert_true(steps >= most);
		made_check(s, m, steps);
		assert_int_equal(store_verify(s, made_tell, NULL, &why), 0);
		store_close(s);
	}
	assert_true(steps > 0);
	made_free(m);
}

/* A limit on the size of files does what a full disk does. */
static int fill_the_disk(const char *dir)
{
	struct made_crawl *m = made_crawl(13, 3000);
	struct rlimit limit;
	struct err_note why = {""};
	struct store *s = open_store(dir, STORE_WRITE);
	size_t at = 0, committed;
	int status = 0;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 800000;
	setrlimit(RLIMIT_FSIZE, &limit);
	do {
		committed = at;
		assert_int_equal(made_write(s, m, at, at + 100, NULL), 0);
		at += 100;
	} while ((status = store_commit(s, &why)) == 0 && at < 2000);
	assert_int_equal(status, ERR_FILE);
	assert_non_null(strstr(why.text, "the last commit is intact"));
	assert_true(committed > 0);
	made_check(s, m, at); /* it is all still there */
	assert_int_equal(store_commit(s, &why), ERR_FILE);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (getenv("GIVE_UP"))
		_exit((int)(committed / 100));
	assert_int_equal(store_commit(s, &why), 0);
	assert_int_equal(made_write(s, m, at, 3000, NULL), 0);
	assert_int_equal(store_commit(s, &why), 0);
	store_close(s);
	s = open_store(dir, STORE_READ);
	made_check(s, m, 3000);
	store_close(s);
	return 0;
}

static void a_full_disk_leaves_the_last_commit(void **state)
{
	struct made_crawl *m = made_crawl(13, 3000);
	const char *dir;
	struct store *s;

	(void)state;
	assert_int_equal(in_child(fill_the_disk, copy_of(scratch())), 0);
	setenv("GIVE_UP", "1", 1);
	dir = copy_of(scratch());
	int committed = in_child(fill_the_disk, dir);
	unsetenv("GIVE_UP");
	assert_true(committed > 0);
	s = open_store(dir, STORE_READ);
	made_check(s, m, (size_t)committed * 100);
	assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
	store_close(s);
	made_free(m);
}

/* Puts a value behind the store's back. */
static void put_raw(const char *dir, const char *db, const char *key, size_t key_n,
	const char *value, size_t n)
{
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi dbi;
	MDB_val k = {key_n, (void *)(uintptr_t)key}, v = {n, (void *)(uintptr_t)value};

	assert_int_equal(mdb_env_create(&env), 0);
	mdb_env_set_maxdbs(env, 16);
	assert_int_equal(mdb_env_open(env, dir, 0, 0666), 0);
	assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
	assert_int_equal(mdb_dbi_open(txn, db, MDB_CREATE, &dbi), 0);
	assert_int_equal(mdb_put(txn, dbi, &k, &v, 0), 0);
	assert_int_equal(mdb_txn_commit(txn), 0);
	mdb_env_close(env);
}

static void a_later_format_is_told_apart_from_damage(void **state)
{
	static const struct {
		const char *text;
		int want;
	} table[] = {{"1", 0}, {"2", ERR_NEWER}, {"70000", ERR_NEWER}, {"0", ERR_DAMAGED},
		{"", ERR_DAMAGED}, {"x", ERR_DAMAGED}, {"1 ", ERR_DAMAGED},
		{"99999999999999999999999", ERR_DAMAGED}};
	char dir[64];
	struct store *s;
	struct err_note why;

	(void)state;
	strcpy(dir, scratch());
	store_close(open_store(dir, STORE_WRITE));
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		put_raw(dir, "meta", "format", 6, table[i].text, strlen(table[i].text));
		for (int mode = 0; mode < 2; mode++) {
			assert_int_equal(store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why),
				table[i].want);
			store_close(s);
		}
	}
	put_raw(dir, "meta", "format", 6, "2", 1);
	/* whatever else a later format may have */
	put_raw(dir, "blooms", "a", 1, "b", 1);
	assert_int_equal(store_open(&s, dir, STORE_READ, &why), ERR_NEWER);
	assert_non_null(strstr(why.text, "format 2"));
	assert_non_null(strstr(why.text, "up to 1"));
	/* an environment of somebody else */
	strcpy(dir, scratch());
	put_raw(dir, "accounts", "a", 1, "b", 1);
	assert_int_equal(store_open(&s, dir, STORE_WRITE, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "no store"));
}

static void counts_that_do_not_fit_are_damage(void **state)
{
	/* hosts pages results links log */
	static const char *const counts[] = {"\1\2\0\0", "\1\2\0\0\0\0", "\1\3\0\0\0", "\1\1\0\0\0",
		"\1\2\1\0\0", "\0\2\0\0\0", "\xff\xff\xff\xff\x7f\2\0\0\0", "\1\2\0\0\1"};
	static const size_t n[] = {4, 6, 5, 5, 5, 5, 9, 5};
	char dir[64];
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	add(s, "http://h.test/1");
	commit(s);
	store_close(s);
	for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
		put_raw(dir, "meta", "counts", 6, counts[i], n[i]);
		for (int mode = 0; mode < 2; mode++) {
			struct err_note why;
			int status = store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why);
			/* a count too small by one is seen only where the chunk's end is looked at */
			if (status == 0)
				status = store_verify(s, made_tell, NULL, &why) > 0 ? ERR_DAMAGED : 0;
			assert_int_equal(status, ERR_DAMAGED);
			store_close(s);
		}
	}
	put_raw(dir, "meta", "counts", 6, "\1\2\0\0\0", 5);
	store_close(open_store(dir, STORE_WRITE));
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each line by itself, all sorted: the slow way. */
static char *slow_dump(const struct made_crawl *m)
{
	const char **url = mem_new(m->pages + 1, sizeof *url);
	char **line = NULL;
	size_t lines = 0, room = 0;
	struct buf b = BUF_EMPTY, all = BUF_EMPTY;

	for (size_t i = 0; i < m->ops; i++)
		if (m->op[i].kind == MADE_PAGE)
			url[m->op[i].id] = m->op[i].page.url;
	for (size_t i = 0; i < m->ops; i++) {
		const struct made_op *op = &m->op[i];
		uint8_t life = op->kind == MADE_RESULT ? op->result.state : 0;
		size_t n = op->kind == MADE_LINKS ? op->n
			   : life == STORED_CRAWLED || life == STORED_FAILED || life == STORED_REDIRECTED;
		for (size_t k = 0; k < n; k++) {
			const uint64_t *d = op->result.digest;
			buf_format(&b, "%s\t", url[op->id]);
			if (op->kind == MADE_LINKS)
				buf_format(&b, "%s", url[op->links[k]]);
			else if (d[0] || d[1])
				buf_format(&b, "%u\t%016llx%016llx", op->result.status,
					(unsigned long long)d[1], (unsigned long long)d[0]);
			else
				buf_format(&b, "%u\t-", op->result.status);
			line = mem_grow(line, &room, lines + 1, sizeof *line);
			line[lines++] = buf_take(&b);
		}
	}
	qsort(line, lines, sizeof *line, compare_lines);
	for (size_t i = 0; i < lines; i++) {
		buf_format(&all, "%s\n", line[i]);
		free(line[i]);
	}
	free(line);
	free(url);
	return buf_take(&all);
}

static void a_dump_is_every_line_in_order(void **state)
{
	(void)state;
	for (uint64_t seed = 20; seed < 24; seed++) {
		struct made_crawl *m = made_crawl(seed, 250);
		struct store *s = open_store(scratch(), STORE_WRITE);
		char *want = slow_dump(m), *got = NULL;
		size_t n;

		assert_int_equal(made_write(s, m, 0, m->steps, NULL), 0);
		FILE *out = open_memstream(&got, &n);
		assert_int_equal(store_dump(s, out, NULL), 0);
		fclose(out);
		assert_true(n > 1000);
		assert_string_equal(got, want);
		free(got);
		free(want);
		store_close(s);
		made_free(m);
	}
}

static void a_dump_that_cannot_be_written_is_an_error(void **state)
{
	struct made_crawl *m = made_crawl(20, 250);
	struct store *s = open_store(scratch(), STORE_WRITE);
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_int_equal(made_write(s, m, 0, m->steps, NULL), 0);
	assert_int_equal(store_dump(s, out, NULL), ERR_FILE);
	fclose(out);
	store_close(s);
	made_free(m);
}

static void keep_first(void *ctx, const char *line)
{
	char *text = ctx;

	if (!*text)
		snprintf(text, 512, "%s", line);
}

/* A page more and what it takes to be right, then one thing wrong. */
static void each_breach_is_told(void **state)
{
	static const struct log_entry
		session = {.kind = LOG_SESSION, .time = 1},
		seed = {.kind = LOG_SEED, .id = 0}, seed_1 = {.kind = LOG_SEED, .id = 1},
		take = {.kind = LOG_TAKE, .id = 0}, take_1 = {.kind = LOG_TAKE, .id = 1},
		crawled = {.kind = LOG_CRAWLED, .id = 0}, failed = {.kind = LOG_FAILED, .id = 0},
		retry = {.kind = LOG_RETRY, .id = 0}, refused = {.kind = LOG_REFUSED, .id = 0},
		redirected = {.kind = LOG_REDIRECTED, .id = 0, .target = 1};
	static const struct {
		const struct log_entry *log[8];
		int state, target;  /* of the result of page 0; -1: none */
		const char *links;  /* of page 0; NULL: none */
		const char *breach; /* NULL: none */
	} table[] = {
		{{&session, &seed, &seed_1, &take, &crawled}, PAGE_CRAWLED, -1, "", NULL},
		{{&seed, &take, &crawled}, PAGE_CRAWLED, -1, "\1", NULL},
		{{&seed, &take, &redirected}, PAGE_REDIRECTED, 1, NULL, NULL},
		{{&seed, &seed_1, &take, &retry, &take, &failed}, PAGE_FAILED, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &session, &take, &failed}, PAGE_FAILED, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &session, &retry, &take, &refused}, -1, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &retry}, PAGE_QUEUED, -1, NULL, NULL},
		{{&seed, &seed_1, &refused, &seed}, PAGE_REFUSED, -1, NULL, NULL},
		/* links distinct */
		{{&seed, &take, &crawled}, PAGE_CRAWLED, -1, "\1\1", "S7"},
		/* the order of discovery */
		{{&seed}, -1, -1, NULL, "S9: the log never discovers page 1"},
		{{&seed_1, &seed}, -1, -1, NULL, "S9: entry 0 discovers page 1"},
		{{&seed, &take_1, &seed_1}, -1, -1, NULL, "S10: entry 1 is 'take' of page 1, which is unseen"},
		/* the arrows */
		{{&seed, &seed_1, &crawled}, PAGE_CRAWLED, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &take}, -1, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &crawled, &take}, -1, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &crawled, &failed}, PAGE_FAILED, -1, NULL, "S10"},
		{{&seed, &seed_1, &retry}, -1, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &retry, &crawled}, PAGE_CRAWLED, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &session, &crawled}, PAGE_CRAWLED, -1, NULL, "S10"},
		{{&seed, &seed_1, &refused, &take}, -1, -1, NULL, "S10"},
		/* the results */
		{{&seed, &seed_1, &take, &crawled}, -1, -1, NULL, "S11: page 0 is crawled, but has no result"},
		{{&seed, &seed_1, &take, &crawled}, PAGE_FAILED, -1, NULL, "S11"},
		{{&seed, &seed_1}, PAGE_CRAWLED, -1, NULL, "S11"},
		{{&seed, &take, &redirected}, PAGE_REDIRECTED, 0, NULL, "S11"},
		{{&seed, &take, &redirected}, PAGE_REDIRECTED, -1, NULL, "S6"},
		{{&seed, &seed_1, &take, &failed}, PAGE_FAILED, -1, "\1", "S11: page 0 has links"},
		{{&seed, &seed_1, &take, &failed}, PAGE_FAILED, 1, NULL, "S6"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct store *s = open_store(scratch(), STORE_WRITE);
		char line[512] = "";
		uint32_t links[8], n = 0;
		struct store_result r = {.state = (uint8_t)table[i].state,
			.target = table[i].target < 0 ? STORE_NO_PAGE : (uint32_t)table[i].target};

		add(s, "http://h.test/0");
		add(s, "http://h.test/1");
		for (const char *p = table[i].links; p && *p; p++)
			links[n++] = (uint32_t)*p;
		if (table[i].links)
			assert_int_equal(store_put_links(s, 0, links, NULL, n, NULL), 0);
		if (table[i].state >= 0)
			assert_int_equal(store_put_result(s, 0, &r, NULL), 0);
		for (size_t k = 0; k < 8 && table[i].log[k]; k++)
			assert_int_equal(store_log(s, table[i].log[k], NULL), 0);
		if (i % 2)
			commit(s);
		int breaches = store_verify(s, keep_first, line, NULL);
		assert_int_equal(breaches > 0, table[i].breach != NULL);
		assert_true(strncmp(line, table[i].breach ? table[i].breach : "",
				    table[i].breach ? strlen(table[i].breach) : 1) == 0);
		store_close(s);
	}
}

static void two_pages_of_one_url_are_a_breach(void **state)
{
	/* "a" NUL host depth refusal, twice, then where each ends */
	static const char twice[] = "a\0\0\0\0a\0\0\0\0\5\0\12\0";
	static const char blank[] = "a\0\0\0\0a \0\0\0\0\5\0\13\0";
	const char first[8] = {0};
	char dir[64], line[512] = "";
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	add(s, "http://h.test/1");
	commit(s);
	store_close(s);
	put_raw(dir, "pages", first, 8, twice, sizeof twice - 1);
	s = open_store(dir, STORE_READ);
	assert_true(store_verify(s, keep_first, line, NULL) > 0);
	assert_string_equal(line, "S4: database 'pages', 0 and 1 are the same");
	store_close(s);
	put_raw(dir, "pages", first, 8, blank, sizeof blank - 1);
	s = open_store(dir, STORE_READ);
	*line = 0;
	assert_true(store_verify(s, keep_first, line, NULL) > 0);
	assert_string_equal(line, "S4: page 1 has a URL with bytes that no URL has");
	store_close(s);
}

static void states_have_the_frontiers_numbers(void **state)
{
	(void)state;
	assert_int_equal(STORED_QUEUED, PAGE_QUEUED);
	assert_int_equal(STORED_IN_FLIGHT, PAGE_IN_FLIGHT);
	assert_int_equal(STORED_CRAWLED, PAGE_CRAWLED);
	assert_int_equal(STORED_FAILED, PAGE_FAILED);
	assert_int_equal(STORED_REFUSED, PAGE_REFUSED);
	assert_int_equal(STORED_REDIRECTED, PAGE_REDIRECTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_is_made_where_it_is_missing),
		cmocka_unit_test(what_holds_no_store_is_said),
		cmocka_unit_test(all_reads_back_before_and_after_the_commit),
		cmocka_unit_test(what_is_not_committed_is_dropped),
		cmocka_unit_test(settings_are_kept_and_limited),
		cmocka_unit_test(urls_are_told_apart_by_every_byte),
		cmocka_unit_test(hosts_are_numbered_once),
		cmocka_unit_test(the_last_result_and_links_of_a_page_count),
		cmocka_unit_test(too_many_links_are_refused),
		cmocka_unit_test(a_second_writer_is_told_the_first_ones_pid),
		cmocka_unit_test(a_reader_keeps_what_it_saw),
		cmocka_unit_test(the_map_grows_by_itself),
		cmocka_unit_test(pages_of_the_file_are_used_again),
		cmocka_unit_test(a_killed_writer_leaves_its_last_commit),
		cmocka_unit_test(a_full_disk_leaves_the_last_commit),
		cmocka_unit_test(a_later_format_is_told_apart_from_damage),
		cmocka_unit_test(counts_that_do_not_fit_are_damage),
		cmocka_unit_test(a_dump_is_every_line_in_order),
		cmocka_unit_test(a_dump_that_cannot_be_written_is_an_error),
		cmocka_unit_test(each_breach_is_told),
		cmocka_unit_test(two_pages_of_one_url_are_a_breach),
		cmocka_unit_test(states_have_the_frontiers_numbers),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
