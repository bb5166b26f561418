#include "cli/crawl/crawl_mirror.h"
#include "base/mem.h"
#include "cli/folder.h"
#include "storage/warc_records.h"

#include <stdlib.h>

int crawl_mirror_check(const struct live_config *c, struct err_note *why)
{
	return c->mirror ? folder_make(c->mirror, why) : 0;
}

struct files {
	char **path;
	size_t n, room;
};

static int add_file(void *ctx, const char *path, struct err_note *why)
{
	struct files *f = ctx;

	(void)why;
	f->path = mem_grow(f->path, &f->room, f->n + 1, sizeof *f->path);
	f->path[f->n++] = mem_text(path);
	return 0;
}

int crawl_mirror_write(const struct live_config *c, const struct destinations *others, struct extract_counts *counts,
	struct err_note *why)
{
	struct files f = {NULL, 0, 0};

	*counts = (struct extract_counts){.files = 0};
	if (!c->mirror)
		return 0;
	int err = warc_each_file(c->warc, add_file, &f, why);
	if (!err)
		err = extract_pages(&(struct extraction){(const char *const *)f.path, f.n, c->mirror, INT64_MAX, others}, counts,
			why);
	if (err == ERR_NOTHING) /* no page has come yet */
		err = 0;
	for (size_t i = 0; i < f.n; i++)
		free(f.path[i]);
	free(f.path);
	return err;
}
