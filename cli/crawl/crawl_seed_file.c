#include "cli/crawl/crawl_seed_file.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "storage/lasting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_SEEDS 19 /* the status of `lycosa seeds` if there are none */

extern char **environ;

/* Says whether a file name is that of an unfinished file, "NAME.PID.part", of a process that is no more. */
static int is_left_over(const char *file, const char *name)
{
	const size_t n = strlen(name);
	char *end;

	if (strncmp(file, name, n) != 0 || file[n] != '.' || file[n + 1] < '1' || file[n + 1] > '9')
		return 0;
	const long pid = strtol(file + n + 1, &end, 10);
	return strcmp(end, ".part") == 0 && (pid > INT_MAX || (kill((pid_t)pid, 0) != 0 && errno == ESRCH));
}

/* Removes the unfinished files that earlier sittings have left because they were killed. */
static void remove_left_overs(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = slash ? mem_part(path, (size_t)(slash - path) + 1) : mem_text(".");
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		if (is_left_over(entry->d_name, name))
			(void)!unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	free(folder);
}

void crawl_seed_file_open(struct crawl_seed_file *f, const char *store, const char *path, uint64_t every)
{
	struct buf making = BUF_EMPTY;

	*f = (struct crawl_seed_file){.store = store, .path = path, .every = every};
	if (!path)
		return;
	remove_left_overs(path);
	buf_format(&making, "%s.%ld.part", path, (long)getpid());
	f->making = buf_take(&making);
}

/* --- one extraction */

static void start(struct crawl_seed_file *f)
{
	const char *const arguments[] = {"lycosa", "seeds", "--store", f->store, "--method", "hits", "--count",
		CRAWL_SEEDS_COUNT, "--threads", "1", "-q", NULL};
	posix_spawn_file_actions_t files;

	f->pages = 0;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, f->making, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO); /* the sandbox lets nobody write /dev/null */
	const int failed = posix_spawn(&f->child, "/proc/self/exe", &files, NULL, (char *const *)(uintptr_t)arguments, environ);
	posix_spawn_file_actions_destroy(&files);
	if (failed) {
		f->child = 0;
		log_say("no seeds are extracted: %s; '%s' stays as it was", ascii_error(failed), f->path);
	}
}

/* Returns 0 or an errno. */
static int give_name(const struct crawl_seed_file *f)
{
	const int fd = open(f->making, O_RDONLY | O_CLOEXEC);
	const int failed = fd < 0 || lasting_bytes(fd) || rename(f->making, f->path) || lasting_name(f->path) ? errno : 0;

	if (fd >= 0)
		close(fd);
	return failed;
}

/* Takes what an extraction that has ended leaves. */
static void take(struct crawl_seed_file *f, int status)
{
	const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, failed = code ? 0 : give_name(f);

	f->child = 0;
	if (!code && !failed) {
		log_detail("'%s' has the seeds of the pages so far", f->path);
		return;
	}
	if (code == NO_SEEDS)
		log_detail("the pages so far have no seeds");
	else if (failed)
		log_say("cannot write the seeds to '%s': %s", f->path, ascii_error(failed));
	else
		log_say("the seeds were not extracted: 'lycosa seeds --store %s --method hits' has failed, and '%s' stays as it was",
			f->store, f->path);
	(void)!unlink(f->making);
}

static void look_after(struct crawl_seed_file *f, int how)
{
	int status;
	pid_t ended;

	if (!f->child)
		return;
	do
		ended = waitpid(f->child, &status, how);
	while (ended < 0 && errno == EINTR);
	if (ended == f->child)
		take(f, status);
	else if (ended < 0)
		take(f, -1);
}

/* --- the observer */

static int step(void *ctx, struct err_note *why)
{
	struct crawl_seed_file *f = ctx;

	(void)why;
	look_after(f, WNOHANG);
	if (!f->child && f->pages >= f->every)
		start(f);
	return 0;
}

static int event(void *ctx, const struct event *e, struct err_note *why)
{
	struct crawl_seed_file *f = ctx;

	f->pages += e->visit ? e->visit == VISIT_CHANGED || e->visit == VISIT_SAME : e->state == PAGE_CRAWLED;
	return step(ctx, why);
}

struct observer crawl_seed_file_observer(struct crawl_seed_file *f)
{
	return (struct observer){.ctx = f, .event = event, .visit = event, .idle = step};
}

void crawl_seed_file_close(struct crawl_seed_file *f, enum crawl_seed_last last)
{
	if (f->making && last == CRAWL_SEEDS_NONE && f->child)
		kill(f->child, SIGKILL);
	look_after(f, 0);
	if (f->making && last == CRAWL_SEEDS_LAST && f->pages) {
		start(f);
		look_after(f, 0);
	}
	if (f->making)
		(void)!unlink(f->making);
	free(f->making);
	*f = (struct crawl_seed_file){.path = NULL};
}
