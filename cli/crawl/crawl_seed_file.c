#include "cli/crawl/crawl_seed_file.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_SEEDS 19 /* the status of `lycosa seeds` if there are none */

extern char **environ;

void crawl_seed_file_open(struct crawl_seed_file *f, const char *store, const char *path, uint64_t every)
{
	*f = (struct crawl_seed_file){.store = store, .path = path, .every = every};
}

/* --- one extraction */

static void start(struct crawl_seed_file *f)
{
	const char *const arguments[] = {"lycosa", "seeds", "--store", f->store, "--method", "hits", "--count", CRAWL_SEEDS_COUNT,
		"--threads", "1", "-q", NULL};
	posix_spawn_file_actions_t files;
	struct err_note note;

	f->pages = 0;
	if (output_open(&f->making, f->path, &note)) {
		log_say("no seeds are extracted: %s", note.text);
		return;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, output_descriptor(f->making), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO); /* the sandbox lets nobody write /dev/null */
	const int failed = posix_spawn(&f->child, "/proc/self/exe", &files, NULL, (char *const *)(uintptr_t)arguments, environ);
	posix_spawn_file_actions_destroy(&files);
	if (failed) {
		f->child = 0;
		output_abandon(f->making);
		log_say("no seeds are extracted: %s; '%s' stays as it was", ascii_error(failed), f->path);
	}
}

/* Takes what an extraction that has ended leaves. */
static void take(struct crawl_seed_file *f, int status)
{
	const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	struct err_note note;

	f->child = 0;
	if (code) {
		output_abandon(f->making);
	} else {
		output_sync(f->making);
		if (output_close(f->making, &note))
			log_say("%s", note.text);
		else
			log_detail("'%s' has the seeds of the pages so far", f->path);
	}
	if (code == NO_SEEDS)
		log_detail("the pages so far have no seeds");
	else if (code)
		log_say("the seeds were not extracted: 'lycosa seeds --store %s --method hits' has failed, and '%s' stays as it was",
			f->store, f->path);
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

static int event(void *ctx, const struct result *e, struct err_note *why)
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
	if (f->path && last == CRAWL_SEEDS_NONE && f->child)
		kill(f->child, SIGKILL);
	look_after(f, 0);
	if (f->path && last == CRAWL_SEEDS_LAST && f->pages) {
		start(f);
		look_after(f, 0);
	}
	*f = (struct crawl_seed_file){.path = NULL};
}
