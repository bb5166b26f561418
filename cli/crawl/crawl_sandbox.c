#include "cli/crawl/crawl_sandbox.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/sandbox.h"

#include <stdlib.h>
#include <string.h>

#define FOLDERS 7

struct folders {
	char *path[FOLDERS];
	size_t n;
};

/* Adds the folder that a file lies in; stdout, which is open already, needs none. */
static void add_folder_of(struct folders *f, const char *file)
{
	if (!file || strcmp(file, "-") == 0)
		return;
	const char *slash = strrchr(file, '/');
	f->path[f->n++] = slash ? mem_part(file, (size_t)(slash - file) + 1) : mem_text(".");
}

int crawl_sandbox_enter(const void *ctx, struct err_note *why)
{
	const struct crawl_sandbox *s = ctx;
	struct folders f = {.n = 0};
	struct buf shown = BUF_EMPTY;

	f.path[f.n++] = mem_text(s->options->store);
	if (s->config->previous)
		f.path[f.n++] = mem_text(s->config->previous);
	if (s->config->mirror)
		f.path[f.n++] = mem_text(s->config->mirror);
	add_folder_of(&f, s->config->warc);
	add_folder_of(&f, s->config->log);
	add_folder_of(&f, s->options->order);
	add_folder_of(&f, s->options->rejected);
	add_folder_of(&f, s->options->seeds_out);
	int err = sandbox_enter((const char *const *)f.path, f.n, why);
	for (size_t i = 0; i < f.n; i++) {
		buf_format(&shown, "%s%s", i ? ", " : "", f.path[i]);
		free(f.path[i]);
	}
	if (err == 0)
		log_detail("files are from now on written in these folders only: %s", shown.at);
	else if (err == 1)
		log_detail("this kernel has no Landlock: files may be written anywhere");
	buf_release(&shown);
	return err < 0 ? err : 0;
}
