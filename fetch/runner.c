#include "fetch/runner.h"
#include "base/mem.h"
#include "fetch/page_command.h"
#include "fetch/scorer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct runner {
	struct page_command *command;
	struct scorer *scorer;
	struct channel *outbox;
};

static void show(const void *page, struct page_shown *shown)
{
	const struct fetch_page *p = page;
	const size_t n = strlen(p->shown) + 1;

	snprintf(shown->text, sizeof shown->text, "%u", p->result.status);
	shown->argument[0] = p->shown;
	shown->argument[1] = shown->text;
	shown->argument[2] = p->about.type;
	shown->body = p->shown + n;
	shown->n = p->shown_n - n;
}

static void done(void *runner, void *page, enum page_command_end end)
{
	const struct runner *r = runner;
	struct fetch_page *p = page;

	if (end != PAGE_COMMAND_ABORTED) {
		scorer_pass(r->scorer, p, r->outbox);
		return;
	}
	p->result.outcome = OUTCOME_ABORTED;
	p->result.state = PAGE_QUEUED;
	p->n = 0;
	channel_put(r->outbox, p);
}

static void free_page(void *page)
{
	fetch_page_free(page);
}

int runner_new(struct runner **out, const char *command, int64_t timeout, struct err_note *why)
{
	static const struct page_command_use use = {"command of --exec", show, done, free_page};
	struct runner *r = mem_zero(1, sizeof *r);
	const int err = page_command_new(&r->command, &use, command, timeout, why);

	*out = err ? NULL : r;
	if (err)
		free(r);
	return err;
}

int runner_begin(struct runner *r, struct scorer *scorer, struct channel *outbox, struct body_memory *memory, size_t most,
	struct err_note *why)
{
	r->scorer = scorer;
	r->outbox = outbox;
	return page_command_begin(r->command, r, memory, most, why);
}

void runner_pass(struct runner *r, struct fetch_page *page, struct scorer *scorer, struct channel *outbox)
{
	if (r && page->shown)
		page_command_put(r->command, page);
	else
		scorer_pass(scorer, page, outbox);
}

void runner_abort(struct runner *r)
{
	if (r)
		page_command_abort(r->command);
}

void runner_end(struct runner *r)
{
	if (r)
		page_command_end(r->command);
}

int runner_failed(struct runner *r, struct err_note *why)
{
	return r ? page_command_failed(r->command, why) : 0;
}

void runner_free(struct runner *r)
{
	if (r)
		page_command_free(r->command);
	free(r);
}
