/* Stores on disks that are full, fail, may not be written to, or go away. */
#include "tests/storage/made_crawl.h"
#include "storage/store.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int disk_fails; /* reads of files end with EIO */

/* In place of the C library's, for all of the program. */
ssize_t pread(int fd, void *into, size_t n, off_t offset)
{
	static ssize_t (*real)(int, void *, size_t, off_t);
	struct stat st;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pread");
	if (disk_fails && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && n >= 16) {
		errno = EIO;
		return -1;
	}
	return real(fd, into, n, offset);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static int is_there(const char *dir, const char *name)
{
	char path[160];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return access(path, F_OK) == 0;
}

/* A limit on the size of files does what a full disk does, wherever the making of a store is by then. */
static void a_store_that_a_full_disk_kept_from_being_made_is_made_later(void **state)
{
	unsigned made = 0, refused = 0;
	(void)state;

	for (rlim_t bytes = 0; bytes <= 96 << 10; bytes += 4 << 10) {
		char dir[64];
		struct err_note why = {""};
		struct store *s;
		strcpy(dir, scratch());
		limit_files(bytes);
		int status = store_open(&s, dir, STORE_WRITE, &why);
		if (status == 0) {
			made++;
			store_drop(s);
		} else {
			refused++;
			assert_int_equal(status, ERR_FILE);
			assert_non_null(strstr(why.text, dir));
			/* nothing is left that could be taken for a store */
			assert_false(is_there(dir, "data.mdb"));
			assert_false(is_there(dir, "making"));
		}
		limit_files(RLIM_INFINITY);
		s = open_store(dir, STORE_WRITE);
		add(s, "http://h.test/0");
		commit(s);
		store_drop(s);
		s = open_store(dir, STORE_READ);
		assert_int_equal(store_pages(s), 1);
		store_drop(s);
	}
	assert_true(made > 0 && refused > 2);
}

/* As a power failure, or a kill, leaves it. */
static void a_store_that_was_not_finished_is_begun_afresh(void **state)
{
	static const char *const left[] = {"", "half a head", NULL};
	char dir[64], making[96], file[128];
	(void)state;

	for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
		struct store *s;
		strcpy(dir, scratch());
		snprintf(making, sizeof making, "%s/making", dir);
		snprintf(file, sizeof file, "%s/data.mdb", making);
		assert_int_equal(mkdir(making, 0777), 0);
		if (left[i]) {
			FILE *f = fopen(file, "w");
			fputs(left[i], f);
			fclose(f);
		}
		assert_int_equal(store_open(&s, dir, STORE_READ, NULL), ERR_FILE);
		s = open_store(dir, STORE_WRITE);
		add(s, "http://h.test/0");
		commit(s);
		store_drop(s);
		assert_false(is_there(dir, "making"));
	}
}

static void a_disk_that_cannot_be_read_is_no_damage(void **state)
{
	char dir[64];
	struct err_note why = {""};
	struct store *s;
	(void)state;

	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	commit(s);
	store_drop(s);
	for (int mode = 0; mode < 2; mode++) {
		disk_fails = 1;
		int status = store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why);
		disk_fails = 0;
		assert_int_equal(status, ERR_FILE);
		assert_non_null(strstr(why.text, "Input/output error"));
		assert_null(strstr(why.text, "damaged"));
	}
	s = open_store(dir, STORE_READ);
	disk_fails = 1;
	assert_int_equal(store_verify(s, made_tell, NULL, &why), ERR_FILE);
	disk_fails = 0;
	store_drop(s);
}

static int in_child(int run(const char *dir), const char *dir)
{
	int status;

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(run(dir));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* As somebody who may write to nothing of it. */
static int read_as_another(const char *dir)
{
	struct store_page page;
	struct store *s;

	if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
		return 90;
	if (store_open(&s, dir, STORE_READ, NULL))
		return 1;
	if (store_pages(s) != 1 || !store_page(s, 0, &page) || strcmp(page.url, "http://h.test/0") != 0)
		return 2;
	if (store_verify(s, made_tell, NULL, NULL) != 1) /* no log discovers the page */
		return 3;
	store_drop(s);
	return store_open(&s, dir, STORE_WRITE, NULL) == ERR_FILE ? 0 : 4;
}

/* What they are told where somebody writes: 0 where it is that. */
static int read_beside_a_writer(const char *dir)
{
	struct err_note why = {""};
	struct store *s;

	if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
		return 90;
	int status = store_open(&s, dir, STORE_READ, &why);
	return status == ERR_BUSY && strstr(why.text, "writes it") ? 0 : 1;
}

static void protect(const char *dir, mode_t folder, mode_t file)
{
	static const char *const name[] = {"data.mdb", "lock.mdb", "writer"};
	char path[160];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, name[i]);
		if (chmod(path, file) != 0 && errno != ENOENT)
			fail_msg("chmod %s", path);
	}
	assert_int_equal(chmod(dir, folder), 0);
}

static void a_store_that_may_not_be_written_to_is_read(void **state)
{
	char dir[64] = "/tmp/lycosa-test-XXXXXX", lock[96];
	struct store *s;
	(void)state;

	assert_non_null(mkdtemp(dir)); /* others may not look into scratch() */
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	commit(s);
	protect(dir, 0555, 0444);
	assert_int_equal(in_child(read_beside_a_writer, dir), 0);
	protect(dir, 0755, 0644);
	store_drop(s);
	protect(dir, 0555, 0444);
	assert_int_equal(in_child(read_as_another, dir), 0);
	/* as on a medium that was written elsewhere */
	protect(dir, 0755, 0644);
	snprintf(lock, sizeof lock, "%s/lock.mdb", dir);
	assert_int_equal(unlink(lock), 0);
	protect(dir, 0555, 0444);
	assert_int_equal(in_child(read_as_another, dir), 0);
	protect(dir, 0755, 0644);
	made_forget(dir);
}

static void a_store_that_goes_away_is_an_error_at_the_next_commit(void **state)
{
	char dir[64], to[80];
	struct err_note why = {""};
	(void)state;

	strcpy(dir, scratch());
	snprintf(to, sizeof to, "%s.moved", dir);
	struct store *s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	commit(s);
	add(s, "http://h.test/1");
	assert_int_equal(rename(dir, to), 0);
	assert_int_equal(store_commit(s, &why), ERR_FILE);
	assert_non_null(strstr(why.text, "is gone"));
	/* another in its place is not taken for it */
	store_drop(open_store(dir, STORE_WRITE));
	assert_int_equal(store_commit(s, &why), ERR_FILE);
	made_forget(dir);
	assert_int_equal(rename(to, dir), 0);
	assert_int_equal(store_commit(s, &why), 0);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_int_equal(store_pages(s), 2);
	store_drop(s);
}

/* Whoever made a store chose what its files lead to. */
static void no_file_of_a_store_is_a_link(void **state)
{
	static const char *const names[] = {"data.mdb", "lock.mdb", "making"};
	static const char precious[] = "precious\n";
	(void)state;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
			struct err_note why = {""};
			char dir[64], link[160], target[160], text[16] = "";
			struct store *s;
			strcpy(dir, scratch());
			assert_int_equal(store_open(&s, dir, STORE_WRITE, &why), 0);
			assert_int_equal(store_close(s, 0, NULL), 0);
			snprintf(link, sizeof link, "%s/%s", dir, names[i]);
			snprintf(target, sizeof target, "%s/target", dir);
			FILE *file = fopen(target, "w");
			assert_non_null(file);
			fputs(precious, file);
			fclose(file);
			unlink(link);
			assert_int_equal(symlink("target", link), 0);
			assert_int_equal(store_open(&s, dir, (enum store_mode)mode, &why), ERR_FILE);
			assert_non_null(strstr(why.text, names[i]));
			assert_non_null(strstr(why.text, "is a link"));
			file = fopen(target, "r");
			assert_non_null(file);
			assert_non_null(fgets(text, sizeof text, file));
			fclose(file);
			assert_string_equal(text, precious);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_that_a_full_disk_kept_from_being_made_is_made_later),
		cmocka_unit_test(a_store_that_was_not_finished_is_begun_afresh),
		cmocka_unit_test(no_file_of_a_store_is_a_link),
		cmocka_unit_test(a_disk_that_cannot_be_read_is_no_damage),
		cmocka_unit_test(a_store_that_may_not_be_written_to_is_read),
		cmocka_unit_test(a_store_that_goes_away_is_an_error_at_the_next_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
