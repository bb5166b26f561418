#include "tests/test.h"

#include "base/input.h"
#include "base/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], path[80];

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "%s", scratch());
	snprintf(path, sizeof path, "%s/file", folder);
	return 0;
}

/* Files in the folder. */
static int entries(void)
{
	DIR *all = opendir(folder);
	struct dirent *entry;
	int n = 0;

	assert_non_null(all);
	while ((entry = readdir(all)))
		n += entry->d_name[0] != '.';
	closedir(all);
	return n;
}

static void assert_holds(const char *text)
{
	char *bytes;
	size_t n;

	assert_int_equal(input_all(path, 1 << 20, &bytes, &n, NULL), 0);
	assert_string_equal(bytes, text);
	free(bytes);
}

static void put(const char *text)
{
	struct output *out;

	assert_int_equal(output_open(&out, path, NULL), 0);
	output_text(out, text);
	assert_int_equal(output_close(out, NULL), 0);
}

static void a_file_is_there_when_it_is_whole(void **state)
{
	struct output *out;

	(void)state;
	put("old");
	assert_int_equal(output_open(&out, path, NULL), 0);
	output_text(out, "new one");
	assert_holds("old");
	assert_int_equal(output_close(out, NULL), 0);
	assert_holds("new one");
	assert_int_equal(entries(), 1);
}

static void one_that_is_given_up_leaves_nothing(void **state)
{
	struct output *out;

	(void)state;
	assert_int_equal(output_open(&out, path, NULL), 0);
	output_text(out, "half");
	output_abandon(out);
	assert_int_equal(entries(), 0);
}

static void a_program_that_is_killed_leaves_nothing(void **state)
{
	const int unnamed = open(folder, O_RDWR | O_TMPFILE, 0600);
	int status;

	(void)state;
	if (unnamed < 0)
		skip_because("this file system has no files without a name");
	close(unnamed);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct output *out;
		if (output_open(&out, path, NULL) == 0)
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(entries(), 0);
}

static void two_writers_do_not_meet(void **state)
{
	struct output *a, *b;

	(void)state;
	assert_int_equal(output_open(&a, path, NULL), 0);
	assert_int_equal(output_open(&b, path, NULL), 0);
	output_text(a, "a");
	output_text(b, "b");
	assert_int_equal(output_close(a, NULL), 0);
	assert_holds("a");
	assert_int_equal(output_close(b, NULL), 0);
	assert_holds("b");
	assert_int_equal(entries(), 1);
}

static void rights_are_those_of_the_umask(void **state)
{
	struct stat st;

	(void)state;
	const mode_t before = umask(027);
	put("x");
	umask(before);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
	struct err_note why = {""};
	struct output *out;

	(void)state;
	assert_int_equal(output_open(&out, "test_output.d/none/file", &why), ERR_FILE);
	assert_string_equal(why.text, "cannot write 'test_output.d/none/file': No such file or directory");
}

static void a_link_stays_and_what_it_points_to_is_written(void **state)
{
	char link[100];
	struct stat st;

	(void)state;
	snprintf(link, sizeof link, "%s/link", folder);
	for (int is_there = 0; is_there < 2; is_there++) {
		struct output *out;
		unlink(link);
		assert_int_equal(symlink(is_there ? path : "file", link), 0);
		assert_int_equal(output_open(&out, link, NULL), 0);
		output_text(out, is_there ? "second" : "first");
		assert_int_equal(output_close(out, NULL), 0);
		assert_int_equal(lstat(link, &st), 0);
		assert_true(S_ISLNK(st.st_mode));
		assert_holds(is_there ? "second" : "first");
	}
	assert_int_equal(entries(), 2);
}

static void a_file_that_is_replaced_keeps_its_mode(void **state)
{
	static const mode_t modes[] = {0600, 0640, 0755};
	struct stat st;

	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		put("old");
		assert_int_equal(chmod(path, modes[i]), 0);
		put("new");
		assert_holds("new");
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, modes[i]);
	}
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
	struct err_note why = {""};
	struct output *out;

	(void)state;
	put("old");
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	const int is_root = geteuid() == 0; /* who may write every file */
	assert_int_equal(is_root ? seteuid(65534) : 0, 0);
	const int err = output_open(&out, path, &why);
	assert_int_equal(is_root ? seteuid(0) : 0, 0);
	assert_int_equal(err, ERR_FILE);
	assert_non_null(strstr(why.text, "Permission denied"));
	assert_holds("old");
}

/* What is written to a name of the open file goes behind what the file has, and no file takes the place of /dev/stdout. */
static void the_name_of_an_open_file_is_written_as_it_is(void **state)
{
	struct output *out;
	char name[40];

	(void)state;
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "one ", 4), 4);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	assert_int_equal(output_open(&out, name, NULL), 0);
	output_text(out, "two");
	assert_int_equal(output_close(out, NULL), 0);
	assert_int_equal(write(fd, " three", 6), 6);
	close(fd);
	assert_holds("one two three");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_file_is_there_when_it_is_whole, setup),
		cmocka_unit_test_setup(one_that_is_given_up_leaves_nothing, setup),
		cmocka_unit_test_setup(a_program_that_is_killed_leaves_nothing, setup),
		cmocka_unit_test_setup(two_writers_do_not_meet, setup),
		cmocka_unit_test_setup(rights_are_those_of_the_umask, setup),
		cmocka_unit_test_setup(a_link_stays_and_what_it_points_to_is_written, setup),
		cmocka_unit_test_setup(a_file_that_is_replaced_keeps_its_mode, setup),
		cmocka_unit_test_setup(a_file_that_may_not_be_written_is_not_replaced, setup),
		cmocka_unit_test_setup(the_name_of_an_open_file_is_written_as_it_is, setup),
		cmocka_unit_test_setup(a_folder_that_is_not_there_is_named, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
