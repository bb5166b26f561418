#include "cli/crawl/crawl_sandbox.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/sandbox.h"

#include <stdlib.h>
#include <string.h>

struct folders {
	char **path;
	size_t n, room;
};

static void add_folder(struct folders *f, char *take_path)
{
	f->path = mem_grow(f->path, &f->room, f->n + 1, sizeof *f->path);
	f->path[f->n++] = take_path;
}

/* Adds the folder that a file lies in, behind all links; stdout, which is open already, needs none. */
static void add_folder_of(struct folders *f, const char *file)
{
	struct place place;

	if (!file || strcmp(file, "-") == 0)
		return;
	place_find(&place, file);
	const char *slash = strrchr(place.path, '/');
	if (place.descriptor < 0)
		add_folder(f, slash ? mem_part(place.path, (size_t)(slash - place.path) + 1) : mem_text("."));
	place_release(&place);
}

int crawl_sandbox_enter(const void *ctx, struct err_note *why)
{
	const struct crawl_sandbox *s = ctx;
	struct folders f = {NULL, 0, 0};
	struct buf shown = BUF_EMPTY;

	add_folder(&f, mem_text(s->options->store));
	if (s->config->previous)
		add_folder(&f, mem_text(s->config->previous));
	if (s->config->mirror)
		add_folder(&f, mem_text(s->config->mirror));
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
	free(f.path);
	if (err == 0)
		log_detail("files are from now on written in these folders only: %s", shown.at);
	else if (err == 1)
		log_detail("this kernel has no Landlock: files may be written anywhere");
	buf_release(&shown);
	return err < 0 ? err : 0;
}
