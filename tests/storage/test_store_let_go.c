#include "tests/storage/made_crawl.h"
#include "tests/storage/raw_links.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A writer in a process of its own, which makes one commit for each byte that it is sent, and answers each with a byte. */
struct writer {
	int ask, answer;
	pid_t pid;
};

static void write_steps(const char *dir, const struct made_crawl *m, size_t from, size_t each, int asked, int answer)
{
	struct store *s;
	char byte;

	if (store_open(&s, dir, STORE_WRITE, NULL))
		_exit(1);
	for (; read(asked, &byte, 1) == 1; from += each) {
		if (from + each <= m->steps && (made_write(s, m, from, from + each, NULL) || store_commit(s, NULL)))
			_exit(2);
		if (write(answer, "x", 1) != 1)
			_exit(3);
	}
	store_drop(s);
	_exit(0);
}

static struct writer start_writer(const char *dir, const struct made_crawl *m, size_t from, size_t each)
{
	int ask[2], answer[2];
	struct writer w;

	assert_int_equal(pipe(ask) | pipe(answer), 0);
	w.pid = fork();
	if (w.pid == 0) {
		close(ask[1]);
		close(answer[0]);
		write_steps(dir, m, from, each, ask[0], answer[1]);
	}
	close(ask[0]);
	close(answer[1]);
	w.ask = ask[1];
	w.answer = answer[0];
	return w;
}

static void one_commit(const struct writer *w)
{
	char byte;

	assert_int_equal(write(w->ask, "x", 1), 1);
	assert_int_equal(read(w->answer, &byte, 1), 1);
}

static void end_writer(const struct writer *w)
{
	int status;

	close(w->ask);
	assert_int_equal(waitpid(w->pid, &status, 0), w->pid);
	close(w->answer);
	assert_int_equal(status, 0);
}

static void a_reader_that_lets_go_sees_its_own_records_while_a_writer_goes_on(void **state)
{
	struct made_crawl *m = made_crawl(11, 900);
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 300, NULL), 0);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	struct writer w = start_writer(dir, m, 300, 60);
	for (int i = 0; i < 10; i++) {
		one_commit(&w);
		made_check(s, m, 300);
		assert_int_equal(store_let_go(s, NULL), 0);
		/* twice is no harm */
		assert_int_equal(store_let_go(s, NULL), 0);
		made_check(s, m, 300);
	}
	store_drop(s);
	end_writer(&w);
	s = open_store(dir, STORE_READ);
	made_check(s, m, 900);
	store_drop(s);
	made_free(m);
}

static off_t size_after(const struct made_crawl *m, int lets_go)
{
	struct store_page page;
	struct stat st;
	char dir[64], path[80];

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 300, NULL), 0);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	struct writer w = start_writer(dir, m, 300, 1);
	for (int i = 0; i < 200; i++) {
		one_commit(&w);
		if (lets_go)
			assert_int_equal(store_let_go(s, NULL), 0);
		assert_int_equal(store_page(s, 0, &page), 1);
	}
	store_drop(s);
	end_writer(&w);
	snprintf(path, sizeof path, "%s/data.mdb", dir);
	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

static void a_store_does_not_grow_by_a_reader_that_lets_go(void **state)
{
	struct made_crawl *m = made_crawl(12, 500);

	(void)state;
	assert_true(size_after(m, 1) * 4 < size_after(m, 0));
	made_free(m);
}

static void a_reader_goes_on_in_a_file_that_has_outgrown_its_map(void **state)
{
	struct made_crawl *m = made_crawl(13, 200);
	char dir[64], url[9000], path[80];
	struct store_page page;
	struct stat st;
	int status;

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 200, NULL), 0);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(store_let_go(s, NULL), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		struct store *writer = open_store(dir, STORE_WRITE);
		memset(url, 'a', sizeof url);
		for (int i = 0; i < 8000; i++) {
			url[snprintf(url, 40, "http://h.test/%d/", i)] = 'a';
			url[sizeof url - 1] = 0;
			add(writer, url);
		}
		commit(writer);
		store_drop(writer);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	snprintf(path, sizeof path, "%s/data.mdb", dir);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > (64 << 20)); /* more than a reader's map has room for */
	made_check(s, m, 200);
	assert_int_equal(store_page(s, m->pages, &page), 0);
	store_drop(s);
	made_free(m);
}

static void a_store_of_format_2_becomes_one_of_the_present_by_a_commit(void **state)
{
	struct made_crawl *m = made_crawl(14, 100);
	struct result r = {.state = PAGE_CRAWLED, .target = STORE_NO_PAGE, .title = "new"};
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 100, NULL), 0);
	commit(s);
	store_drop(s);
	raw_links_of_4(dir);
	raw_put(dir, "meta", "format", 6, "2", 1);
	s = open_store(dir, STORE_WRITE);
	made_check(s, m, 100);
	assert_int_equal(s->env.format, 2);
	assert_int_equal(store_put_result(s, 0, &r, NULL), 0);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(s->env.format, STORE_FORMAT);
	assert_int_equal(store_result(s, 0, &r), 1);
	assert_string_equal(r.title, "new");
	assert_string_equal(r.language, "");
	assert_int_equal(store_verify(s, made_tell, NULL, NULL) > 0, 1); /* S11: the log knows of no such result */
	store_drop(s);
	made_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_that_lets_go_sees_its_own_records_while_a_writer_goes_on),
		cmocka_unit_test(a_store_does_not_grow_by_a_reader_that_lets_go),
		cmocka_unit_test(a_reader_goes_on_in_a_file_that_has_outgrown_its_map),
		cmocka_unit_test(a_store_of_format_2_becomes_one_of_the_present_by_a_commit),
	};

	return cmocka_run_group_tests_name("store_let_go", tests, NULL, NULL);
}
