#include "fetch/renderer.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

struct renderer {
	struct page_command *command;
};

static void show(const void *page, struct page_shown *shown)
{
	const struct rendering *r = page;

	*shown = (struct page_shown){.argument = {r->url, r->host, r->address}, .body = r->body, .n = r->n, .most = r->most};
	shown->output = (struct buf *)(uintptr_t)&r->html;
}

static void done(void *ctx, void *page, enum page_command_end end)
{
	struct rendering *r = page;

	(void)ctx;
	r->end = end == PAGE_COMMAND_ENDED && !r->html.used ? PAGE_COMMAND_FAILED : end;
	/* once it is put, the struct may be gone */
	void (*const wake)(void *) = r->wake;
	void *const wake_ctx = r->wake_ctx;
	channel_put(r->back, r);
	wake(wake_ctx);
}

/* A fetcher thread ends when all its pages have come back, and no page is left then. */
static void free_page(void *page)
{
	(void)page;
	assert(!"a page is rendered");
}

int renderer_new(struct renderer **out, const char *command, int64_t timeout, struct err_note *why)
{
	static const struct page_command_use use = {"command of --render-cmd", show, done, free_page};
	struct renderer *r = mem_zero(1, sizeof *r);
	const int err = page_command_new(&r->command, &use, command, timeout, why);

	*out = err ? NULL : r;
	if (err)
		free(r);
	return err;
}

int renderer_begin(struct renderer *r, struct body_memory *memory, size_t most, struct err_note *why)
{
	return page_command_begin(r->command, NULL, memory, most, why);
}

void renderer_put(struct renderer *r, struct rendering *page)
{
	page_command_put(r->command, page);
}

void renderer_abort(struct renderer *r)
{
	if (r)
		page_command_abort(r->command);
}

void renderer_end(struct renderer *r)
{
	if (r)
		page_command_end(r->command);
}

int renderer_failed(struct renderer *r, struct err_note *why)
{
	return r ? page_command_failed(r->command, why) : 0;
}

void renderer_free(struct renderer *r)
{
	if (r)
		page_command_free(r->command);
	free(r);
}
