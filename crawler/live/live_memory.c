#include "crawler/live/live_memory.h"
#include "base/log.h"
#include "base/paged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
