#include "tests/test.h"

#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char inside[64], outside[64];

/* Opens NAME of a folder to write; 0, or errno. */
static int write_in(const char *folder, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void *write_outside(void *arg)
{
	*(int *)arg = write_in(outside, "by-a-thread");
	return NULL;
}

/* In a child, which stays confined: a digit for what does not hold, 0. */
static int confined(void)
{
	const char *const folders[] = {inside};
	char path[160], moved[160];
	pthread_t thread;
	int denied = 0;

	const int entered = sandbox_enter(&(struct sandbox){.folders = folders, .n = 1}, NULL);
	if (entered)
		return entered == 1 ? 99 : 1;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return 2;
	if (write_in(inside, "a") || write_in(inside, "a"))
		return 3;
	if (write_in(outside, "new") != EACCES || write_in(outside, "old") != EACCES)
		return 4;
	snprintf(path, sizeof path, "%s/old", outside);
	if (access(path, R_OK) || unlink(path) == 0 || truncate(path, 0) == 0)
		return 5;
	snprintf(moved, sizeof moved, "%s/a", inside);
	snprintf(path, sizeof path, "%s/b", inside);
	if (rename(moved, path))
		return 6;
	snprintf(moved, sizeof moved, "%s/b", outside);
	if (rename(path, moved) == 0)
		return 7;
	if (pthread_create(&thread, NULL, write_outside, &denied) || pthread_join(thread, NULL) || denied != EACCES)
		return 8;
	return unlink(path) ? 9 : 0;
}

static void files_are_written_in_the_named_folders_only(void **state)
{
	int status;

	(void)state;
	strcpy(inside, scratch());
	strcpy(outside, scratch());
	assert_int_equal(write_in(outside, "old"), 0);
	const pid_t child = fork();
	if (child == 0)
		_exit(confined());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 99)
		skip_because("this kernel has no Landlock");
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int open_to_read(const char *folder, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	const int fd = open(path, O_RDONLY);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* In a child whose reading is bounded, too: a number for what does not hold, or 0. */
static int bounded(const char *named)
{
	const char *const folders[] = {inside}, *const read[] = {"/nowhere/at/all", named, NULL};
	char *const arguments[] = {(char[]){"true"}, NULL};
	const struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const char *forbids = sandbox_forbids();

	if (write_in(inside, "a"))
		return 1;
	const int entered = sandbox_enter(&(struct sandbox){folders, 1, read}, NULL);
	if (entered)
		return entered == 1 ? 99 : 2;
	if (open_to_read(inside, "a") || write_in(inside, "b") || open_to_read("/etc", "passwd") ||
		open_to_read("/proc/self", "stat"))
		return 3;
	if (open_to_read(outside, "old") != EACCES || open_to_read(outside, "named"))
		return 4;
	if (execv("/bin/true", arguments) == 0 || errno != EACCES)
		return 5;
	if (strstr(forbids, "listen") &&
		(bind(socket(AF_INET, SOCK_STREAM, 0), (const struct sockaddr *)&any, sizeof any) == 0 || errno != EACCES))
		return 6;
	if (strstr(forbids, "signal") && (kill(getppid(), 0) == 0 || errno != EPERM))
		return 7;
	return raise(0) ? 8 : 0;
}

static void what_is_read_run_listened_to_and_signalled_can_be_bounded_too(void **state)
{
	char named[96];
	int status;

	(void)state;
	strcpy(inside, scratch());
	strcpy(outside, scratch());
	snprintf(named, sizeof named, "%s/named", outside);
	assert_int_equal(write_in(outside, "old") | write_in(outside, "named"), 0);
	const pid_t child = fork();
	if (child == 0)
		_exit(bounded(named));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 99)
		skip_because("this kernel has no Landlock");
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
	const char *const folders[] = {"/nowhere/at/all"};
	struct err_note why = {""};
	int status;

	(void)state;
	const pid_t child = fork();
	if (child == 0) {
		const int err = sandbox_enter(&(struct sandbox){.folders = folders, .n = 1}, &why);
		_exit(err == 1 ? 99 : err == ERR_FILE && strstr(why.text, "'/nowhere/at/all'") ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 99)
		skip_because("this kernel has no Landlock");
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int in_jail(void)
{
	if (sandbox_jail())
		return 99;
	char *memory = malloc(8 << 20);
	if (!memory)
		return 1;
	memset(memory, 1, 8 << 20);
	free(memory);
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
		return 2;
	if (fork() >= 0 || mkdir(inside, 0700) == 0 || errno != EPERM)
		return 3;
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED || errno != EPERM)
		return 4;
#ifndef __SANITIZE_ADDRESS__
	if (write_in(inside, "a") != EPERM || open("/dev/null", O_RDONLY) >= 0 || read(STDIN_FILENO, &memory, 1) >= 0)
		return 5;
#endif
	return 0;
}

static void a_jail_leaves_memory_and_nothing_else(void **state)
{
	int status;

	(void)state;
	strcpy(inside, scratch());
	const pid_t child = fork();
	if (child == 0)
		_exit(in_jail());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 99) {
		assert_false(sandbox_has_jail());
		skip_because("this kernel has no filters of system calls");
	}
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(sandbox_has_jail());
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_written_in_the_named_folders_only),
		cmocka_unit_test(a_jail_leaves_memory_and_nothing_else),
		cmocka_unit_test(what_is_read_run_listened_to_and_signalled_can_be_bounded_too),
		cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}
