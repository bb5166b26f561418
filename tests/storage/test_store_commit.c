#include "tests/storage/made_crawl.h"

#include "base/clock.h"
#include "storage/store.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

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

static int open_for_writing(const char *dir)
{
	struct store *s;
	struct err_note why;
	int status = store_open(&s, dir, STORE_WRITE, &why);
	char pid[32];

	snprintf(pid, sizeof pid, "process %ld", (long)getppid());
	store_drop(s);
	return status == ERR_BUSY && strstr(why.text, pid) ? 7 : status == 0 ? 0 : 1;
}

static int open_for_reading(const char *dir)
{
	struct store *s;
	int status = store_open(&s, dir, STORE_READ, NULL);

	store_drop(s);
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
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(in_child(open_for_writing, dir), 0);
	store_drop(s);
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
		store_drop(r);
		r = open_store(dir, STORE_READ);
		made_check(r, m, 900);
		store_drop(r);
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
	store_drop(s);
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
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(store_pages(s), next);
	for (uint32_t k = 0; k < next; k += 97) {
		memcpy(url + snprintf(url, 40, "http://h.test/%u", k), "/uuuuuuuuuuuuu", 14);
		assert_int_equal(store_find(s, url, sizeof url - 1, &id), 1);
		assert_int_equal(id, k);
	}
	store_drop(s);
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
		store_drop(s);
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

/* Kills a writer at a random moment of its first most_us; returns how far it had said to have come. */
static size_t kill_a_writer(const char *dir, const struct made_crawl *m, struct rng *r, unsigned most_us)
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
	usleep((useconds_t)rng_below(r, most_us));
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
	unsigned most_us = 30000;

	(void)state;
	strcpy(dir, scratch());
	/* a slow disk may need longer for the first commit */
	while ((clock_ms() < until || most == 0) && steps < m->steps) {
		size_t said = kill_a_writer(dir, m, &r, most_us);
		if (said == 0)
			most_us += 5000;
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
		store_drop(s);
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
	store_drop(s);
	s = open_store(dir, STORE_READ);
	made_check(s, m, 3000);
	store_drop(s);
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
	store_drop(s);
	made_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_writer_is_told_the_first_ones_pid),
		cmocka_unit_test(a_reader_keeps_what_it_saw),
		cmocka_unit_test(the_map_grows_by_itself),
		cmocka_unit_test(pages_of_the_file_are_used_again),
		cmocka_unit_test(a_killed_writer_leaves_its_last_commit),
		cmocka_unit_test(a_full_disk_leaves_the_last_commit),
	};

	return cmocka_run_group_tests_name("store_commit", tests, NULL, NULL);
}
