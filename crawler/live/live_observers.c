#include "crawler/live/live_observers.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/paged.h"
#include "config.h"
#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"
#include "crawler/settings/live_decision.h"
#include "fetch/page_service.h"
#include "storage/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int live_archive_check(const char *prefix, struct err_note *why)
{
	char *shown = mem_text(prefix);

	err_escape(shown);
	const int is_text = strcmp(shown, prefix) == 0;
	free(shown);
	if (!is_text)
		return err_set(why, ERR_USAGE, "--warc '%s' has a control character, or one that is no UTF-8", prefix);
	const char *slash = strrchr(prefix, '/');
	AUTO_FREE char *folder = slash ? mem_part(prefix, (size_t)(slash - prefix) + 1) : mem_text(".");
	const int failed = access(folder, W_OK | X_OK) != 0;

	if (failed)
		err_set(why, ERR_FILE, "cannot write '%s-...': %s", prefix, ascii_error(errno));
	return failed ? ERR_FILE : 0;
}

int live_archive_open(struct warc **archive, const struct live_config *c, const char *user_agent, struct err_note *why)
{
	AUTO(buf) fields = BUF_EMPTY;

	buf_format(&fields, "http-header-user-agent: %s\r\nrobots: %s\r\n", user_agent, c->no_robots ? "ignore" : "obey");
	return warc_open(archive, c->warc,
		&(struct warc_settings){c->warc_size, (int)c->warc_level, PACKAGE_NAME "/" PACKAGE_VERSION, fields.at,
			c->warc_dedup, c->warc_compress ? WARC_ZSTD : WARC_GZIP},
		why);
}

static int watch(void *ctx, const struct result *e, struct err_note *why)
{
	(void)e;
	return warc_failed(ctx, why);
}

static int sync_files(void *ctx, struct err_note *why)
{
	return warc_sync(ctx, why);
}

struct observer live_archive_observer(struct warc *archive)
{
	return (struct observer){.ctx = archive, .event = watch, .visit = watch, .sync = sync_files};
}

static int service_event(void *service, const struct result *e, struct err_note *why)
{
	(void)e;
	return page_service_failed(service, why);
}

static int service_idle(void *service, struct err_note *why)
{
	return page_service_failed(service, why);
}

struct observer live_service_observer(struct page_service *s)
{
	return (struct observer){.ctx = s, .event = service_event, .visit = service_event, .idle = service_idle};
}

#define SETTING "score-cmd"

int live_scores_are_in(struct store *store)
{
	const char *kept = store_get(store, SETTING);

	return kept && *kept;
}

int live_scores_check(const struct live_decision *d, struct store *store, const char *dir, struct err_note *why)
{
	const char *command = d->config.score_cmd;
	const int is_kept = live_scores_are_in(store);

	if (!d->resumed)
		return 0;
	if (is_kept && !command)
		return err_set(why, ERR_USAGE, "the pages of the crawl in '%s' are scored by a command: --score-cmd '%s'", dir,
			store_get(store, SETTING));
	if (!is_kept && command)
		return err_set(why, ERR_USAGE,
			"the crawl in '%s' was begun without --score-cmd, so its pages have no scores; leave it out, or use another --store",
			dir);
	return 0;
}

/* the most, and the least, that bodies may have, whatever the bound is; with less no transfer would begin */
#define BODIES       ((uint64_t)256 << 20)
#define BODIES_LEAST ((uint64_t)1 << 20)

/* Returns the number that a file begins with, or UINT64_MAX if there is none ("max"). */
static uint64_t number_in(const char *path)
{
	FILE *in = fopen(path, "re");
	unsigned long long n;

	if (!in)
		return UINT64_MAX;
	if (fscanf(in, "%llu", &n) != 1)
		n = UINT64_MAX;
	fclose(in);
	return n;
}

/* Returns the least limit of a control group and of those above it: of the file `name` in root/group, and in all folders above. */
static uint64_t least_in(const char *root, char *group, const char *name)
{
	uint64_t least = UINT64_MAX;
	char path[4096];

	for (;;) {
		if (snprintf(path, sizeof path, "%s%s/%s", root, group, name) < (int)sizeof path) {
			const uint64_t n = number_in(path);
			least = n < least ? n : least;
		}
		char *slash = strrchr(group, '/');
		if (!slash)
			return least;
		*slash = 0;
	}
}

/* Returns the least limit of the control groups to which the process belongs, of version 1 or 2 (man 7 cgroups). */
static uint64_t limit_of_groups(void)
{
	FILE *in = fopen("/proc/self/cgroup", "re");
	uint64_t least = UINT64_MAX;
	char line[4096];

	while (in && fgets(line, sizeof line, in)) {
		char *kind = strchr(line, ':'), *group = kind ? strchr(kind + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = 0;
		group[strcspn(group, "\n")] = 0;
		uint64_t n = UINT64_MAX;
		if (!kind[1])
			n = least_in("/sys/fs/cgroup", group, "memory.max");
		else if (strcmp(kind + 1, "memory") == 0)
			n = least_in("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
		least = n < least ? n : least;
	}
	if (in)
		fclose(in);
	return least;
}

/* Returns the bound: by default three quarters of what the machine has, or of what the process's control group may have. */
static uint64_t bound(const struct live_config *c)
{
	const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t group = limit_of_groups();

	return c->max_memory ? c->max_memory : (group < machine ? group : machine) / 4 * 3;
}

uint64_t live_memory_of_bodies(const struct live_config *c)
{
	const uint64_t quarter = bound(c) / 4;

	return quarter < BODIES_LEAST ? BODIES_LEAST : quarter < BODIES ? quarter : BODIES;
}

int live_memory_open(int *is_open, const char *folder, const struct live_config *c, struct err_note *why)
{
	struct err_note note;
	const int err = paged_open(folder, bound(c), &note);

	*is_open = !err;
	if (err && c->max_memory)
		return err_set(why, (enum err)err, "%s", note.text);
	if (err)
		log_detail("memory is not bounded: %s", note.text);
	return 0;
}

static int step(void *ctx, struct err_note *why)
{
	(void)ctx;
	return paged_settle(why);
}

struct observer live_memory_observer(void)
{
	return (struct observer){.step = step};
}
