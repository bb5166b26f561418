#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "monitor/control_internal.h"
#include "crawler/network/net_source.h"
#include "crawler/resume/retry.h"

#include <stdlib.h>
#include <string.h>

/* A crawl answers between two steps, but a busy machine or a slow disk may hold a step up. */
#define PATIENCE_MS 60000

/* --- commands for this sitting alone */

static int control_pause(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	(void)args, (void)why;
	*c->settings.paused = 1;
	log_say("paused by the monitor: no further page is taken");
	json_put_text(out, "stage", "paused");
	return 0;
}

static int control_resume(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	(void)args, (void)why;
	*c->settings.paused = 0;
	log_say("resumed by the monitor");
	json_put_text(out, "stage", "running");
	return 0;
}

static int control_stop(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	(void)args, (void)why;
	if (!*c->settings.stop)
		*c->settings.stop = 1;
	log_say("stopped by the monitor: pages in flight are finished");
	json_put_text(out, "stage", "stopping");
	return 0;
}

/* Does something with a host, and tells what the host does now. */
static int with_host(struct control *c, const json_t *args, json_t *out, void (*change)(struct frontier *, uint32_t),
	const char *done, struct err_note *why)
{
	uint32_t host;

	TRY(control_find_host(c, control_text(args, "host"), &host, why));
	change(c->frontier, host);
	log_say("host %s is %s by the monitor", control_host_name(c, host), done);
	json_put_text(out, "host", control_host_name(c, host));
	control_put_host_state(c, out, host);
	return 0;
}

static int control_hold(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	return with_host(c, args, out, frontier_hold, "held", why);
}

static int control_release(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	return with_host(c, args, out, frontier_let_go, "released", why);
}

/* --- commands: settings, kept in the store */

/* Keeps a setting as a later sitting reads it. */
static int keep_setting(struct control *c, const char *name, const void *field, struct err_note *why)
{
	const struct flag *row;
	AUTO(buf) text = BUF_EMPTY;
	size_t i = 0;

	while (strcmp((row = live_config_row(i))->name, name) != 0)
		i++;
	flag_keep(row, field, &text);
	return store_set(c->store, name, text.used ? text.at : "", why);
}

static int control_set_delay(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *text = control_text(args, "delay");
	int64_t ms;

	if (num_time(text, &ms))
		return err_set(why, ERR_USAGE, "delay '%s' is no time; 2, 500ms and 1m30s are", text);
	TRY(keep_setting(c, "delay", &ms, why));
	TRY(live_commit(c->live, why));
	frontier_set_delay(c->frontier, ms);
	c->delay = ms;
	log_say("the delay is now %s, by the monitor", text);
	json_put_count(out, "delay_ms", (uint64_t)ms);
	return 0;
}

/* --- commands: seeds */

/* Checks a seed before any seed is added: 0, or ERR_USAGE. */
static int check_seed(struct control *c, const char *text, struct err_note *why)
{
	AUTO(url) u = URL_EMPTY;

	TRY(live_seed_parse(&u, text, strlen(text), why));
	if (c->settings.check_seed)
		TRY(c->settings.check_seed(c->settings.check_ctx, &u, why));
	if (scope_blocks(c->scope, &u))
		return err_set(why, ERR_USAGE, "the host of '%s' is blocked; unblock it first", text);
	return 0;
}

static int add_seed(struct control *c, const char *text, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = live_seed_parse(&u, text, strlen(text), why);

	if (!err)
		err = live_seed(c->live, &u, GUARD_LISTED, why);
	url_release(&u);
	control_found(c, STORE_NO_PAGE);
	return err;
}

/* Calls a function for each URL of the argument, which is a text or a list of texts. */
static int each_url(struct control *c, const json_t *urls, int (*call)(struct control *, const char *, struct err_note *),
	struct err_note *why)
{
	if (json_is_string(urls))
		return call(c, json_string_value(urls), why);
	for (size_t i = 0; i < json_array_size(urls); i++)
		TRY(call(c, json_string_value(json_array_get(urls, i)), why));
	return 0;
}

static int control_seed(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const json_t *urls = json_object_get(args, "urls");
	struct frontier_counts before, after;
	int err = each_url(c, urls, check_seed, why);

	if (err)
		return err;
	frontier_count(c->frontier, &before);
	err = each_url(c, urls, add_seed, why);
	live_queue_seeds(c->live);
	if (!err)
		err = live_commit(c->live, why);
	frontier_count(c->frontier, &after);
	log_say("seeds queued by the monitor: %llu", (unsigned long long)(after.queued - before.queued));
	json_put_count(out, "queued", after.queued - before.queued);
	return err;
}

/* --- commands: blocks */

/* Reads a host's name into *u as URLs have it: in lower case, without the default port. The store keeps the names of blocked hosts
 * with commas between them, so a name with a comma, which a URL may write as %2C, is refused. */
static int host_name(const char *text, struct url *u, struct err_note *why)
{
	AUTO(buf) url = buf_of("http://%s/", text);

	if (strpbrk(text, "/?#@, \t") || url_parse(u, url.at, url.used, NULL) != URL_OK ||
		memchr(u->text.at + u->host, ',', u->path - u->host))
		return err_set(why, ERR_USAGE, "'%s' is no host; example.org and example.org:8080 are", text);
	return 0;
}

/* Keeps the names of the blocked hosts as a setting, and writes the line of the log that tells of them. */
static int keep_blocks(struct control *c, struct buf *line, struct err_note *why)
{
	static const char name[] = "block-hosts";

	buf_format(line, "%s=", name);
	scope_list_blocked(c->scope, line);
	if (line->used > STORE_TEXT_MAX)
		return err_set(why, ERR_USAGE, "the names of all blocked hosts have more than %u bytes; unblock some of them first",
			STORE_TEXT_MAX);
	return store_set(c->store, name, line->at + sizeof name, why);
}

/* Judges the pages of a host by the changed scope, writes each change into the log with the line `line`, and commits. */
static int judge_pages(struct control *c, const char *name, const char *line, struct err_note *why)
{
	struct err_note none;
	uint32_t host;

	if (control_find_host(c, name, &host, &none) == 0)
		TRY(rescope_host(c->store, c->frontier, live_source(c->live), host, line, why));
	return live_commit(c->live, why);
}

typedef void change_fn(struct scope *, const char *, size_t);

/* Blocks or unblocks a host; `undo` reverts the scope if the change cannot be kept in the store. The answer has the number of
 * pages that were added to the queue, or removed from it. */
static int change_block(struct control *c, const char *text, change_fn *change, change_fn *undo, json_t *out, struct err_note *why)
{
	struct frontier_counts before, after;
	AUTO(url) u = URL_EMPTY;
	AUTO(buf) line = BUF_EMPTY;
	int err = host_name(text, &u, why);

	if (!err) {
		AUTO_FREE char *name = mem_part(u.text.at + u.host, u.path - u.host);
		change(c->scope, name, strlen(name));
		frontier_count(c->frontier, &before);
		err = keep_blocks(c, &line, why);
		if (err)
			undo(c->scope, name, strlen(name));
		else
			err = judge_pages(c, name, line.at, why);
		frontier_count(c->frontier, &after);
		json_put_text(out, "host", name);
		if (after.queued >= before.queued)
			json_put_count(out, "queued", after.queued - before.queued);
		else
			json_put_count(out, "removed", before.queued - after.queued);
	}
	return err;
}

static int control_block(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *host = control_text(args, "host");

	TRY(change_block(c, host, scope_block, scope_unblock, out, why));
	log_say("host %s is blocked by the monitor", host);
	return 0;
}

static int control_unblock(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *host = control_text(args, "host");

	TRY(change_block(c, host, scope_unblock, scope_block, out, why));
	log_say("host %s is no longer blocked, by the monitor", host);
	return 0;
}

/* --- the verbs */

#define HOST \
	{ \
		"host", "the host, with its port unless that is the default one", CONTROL_NEEDED \
	}

/* clang-format off */
const struct control_verb control_verbs[] = {
	{"status", "Says how the crawl stands.", CONTROL_READING, {{NULL}}, control_status},
	{"history", "Says how the sitting has run, sample by sample.", CONTROL_READING, {{NULL}},
		control_history},
	{"hosts", "Lists hosts, the first by a figure.", CONTROL_READING,
		{{"sort-by", CONTROL_FIGURES, CONTROL_OPTIONAL},
		 {"count", "how many, at most 1000 (50)", CONTROL_OPTIONAL},
		 {"match", "only hosts whose names contain this text", CONTROL_OPTIONAL},
		 {"only", "only hosts in this state: " CONTROL_STATES, CONTROL_OPTIONAL}},
		control_hosts},
	{"next", "Lists the pages that are likely to be taken next, and why.", CONTROL_READING,
		{{"count", "how many, at most 200 (20)", CONTROL_OPTIONAL}}, control_next},
	{"explain", "Says what the crawl knows of a URL, and how it was found.", CONTROL_READING,
		{{"url", "the URL", CONTROL_NEEDED}}, control_explain},
	{"pause", "Takes no further page until resume.", CONTROL_COMMAND, {{NULL}}, control_pause},
	{"resume", "Ends the pause.", CONTROL_COMMAND, {{NULL}}, control_resume},
	{"stop", "Ends the sitting, as SIGTERM does.", CONTROL_COMMAND, {{NULL}}, control_stop},
	{"seed", "Adds seeds.", CONTROL_COMMAND, {{"urls", "the URLs", CONTROL_LIST}}, control_seed},
	{"delay", "Sets the pause between two requests to a host or address.", CONTROL_COMMAND,
		{{"delay", "the time, as in --delay", CONTROL_NEEDED}}, control_set_delay},
	{"block", "Takes a host out of the scope, with its queued pages.", CONTROL_COMMAND,
		{HOST}, control_block},
	{"unblock", "Takes a blocked host into the scope again.", CONTROL_COMMAND, {HOST}, control_unblock},
	{"hold", "Requests no page of a host until release.", CONTROL_COMMAND, {HOST}, control_hold},
	{"release", "Ends the hold of a host.", CONTROL_COMMAND, {HOST}, control_release},
	{.name = NULL},
};
/* clang-format on */

const struct control_verb *control_verb_named(const char *name, struct err_note *why)
{
	for (const struct control_verb *v = control_verbs; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	const char *best = NULL;
	size_t distance = 0;
	for (const struct control_verb *v = control_verbs; v->name; v++)
		nearest_try(name, v->name, &best, &distance);
	if (best && nearest_is_near(name, distance))
		err_set(why, ERR_USAGE, "unknown verb '%s'; the nearest is '%s'", name, best);
	else
		err_set(why, ERR_USAGE, "unknown verb '%s'; 'lycosa ctl --help' lists them", name);
	return NULL;
}

/* --- arguments */

static int is_text_list(const json_t *value)
{
	size_t i;
	json_t *one;

	if (!json_is_array(value) || !json_array_size(value))
		return 0;
	json_array_foreach(value, i, one) if (!json_is_string(one)) return 0;
	return 1;
}

static const struct control_argument *argument_named(const struct control_verb *v, const char *name)
{
	for (size_t i = 0; i < CONTROL_ARGUMENTS && v->argument[i].name; i++)
		if (strcmp(v->argument[i].name, name) == 0)
			return &v->argument[i];
	return NULL;
}

static int check_arguments(const struct control_verb *v, const json_t *args, struct err_note *why)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)args, name, value)
	{
		const struct control_argument *a = argument_named(v, name);
		if (!a)
			return err_set(why, ERR_USAGE, "%s has no argument '%s'", v->name, name);
		if (!json_is_string(value) && !(a->need == CONTROL_LIST && is_text_list(value)))
			return err_set(why, ERR_USAGE, "%s: '%s' must be a text%s", v->name, name,
				a->need == CONTROL_LIST ? ", or a list of texts" : "");
	}
	for (size_t i = 0; i < CONTROL_ARGUMENTS && v->argument[i].name; i++)
		if (v->argument[i].need != CONTROL_OPTIONAL && !json_object_get(args, v->argument[i].name))
			return err_set(why, ERR_USAGE, "%s needs '%s': %s", v->name, v->argument[i].name, v->argument[i].help);
	return 0;
}

/* --- handing a question from another thread to the coordinator */

struct question {
	struct ask ask; /* first: an ask is its question */
	const struct control_verb *verb;
	const json_t *args;
	json_t *answer;
	struct err_note why;
	int err;
};

static void answer(void *ctx, struct ask *ask)
{
	struct control *c = ctx;
	struct question *q = (struct question *)(void *)ask;

	c->watched = clock_ms();
	if (!census_time(c->census))
		census_step(c->census, c->watched);
	q->err = q->verb->answer(c, q->args, q->answer, &q->why);
}

int control_ask(struct control *c, const char *verb, const json_t *args, json_t **out, struct err_note *why)
{
	struct question q = {.verb = control_verb_named(verb, why), .args = args};

	*out = NULL;
	if (!q.verb)
		return ERR_USAGE;
	int err = check_arguments(q.verb, args, why);
	if (err)
		return err;
	if (q.verb->kind == CONTROL_COMMAND && !c->settings.stop)
		return err_set(why, ERR_USAGE, "the store is only viewed: no crawl is there to %s", verb);
	q.answer = json_object();
	err = inbox_ask(c->inbox, &q.ask, PATIENCE_MS, why);
	if (!err && q.err) {
		err = q.err;
		if (why)
			*why = q.why;
	}
	if (err)
		json_decref(q.answer);
	else
		*out = q.answer;
	return err;
}

/* --- the observer */

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	(void)why;
	control_found(ctx, e->id);
	return 0;
}

static int step(void *ctx, struct err_note *why)
{
	struct control *c = ctx;
	const int64_t now = clock_ms();

	(void)why;
	tally_tick(c->tally, now);
	if (c->watched && now - c->watched < CONTROL_WATCHED_MS)
		census_step(c->census, now);
	inbox_answer(c->inbox, answer, c);
	return 0;
}

struct observer control_observer(struct control *c)
{
	return (struct observer){.ctx = c, .event = event, .step = step};
}

void control_answer_now(struct control *c)
{
	inbox_answer(c->inbox, answer, c);
}

/* --- making and freeing */

struct control *control_new(const struct control_settings *settings)
{
	struct control *c = mem_zero(1, sizeof *c);

	c->settings = *settings;
	c->inbox = inbox_new();
	c->tally = settings->tally;
	return c;
}

void control_free(struct control *c)
{
	if (!c)
		return;
	inbox_free(c->inbox);
	census_free(c->census);
	free(c->found_on);
	free(c);
}

int control_begin(struct control *c, struct live *live, struct err_note *why)
{
	c->live = live;
	c->store = live_store(live);
	c->frontier = live_frontier(live);
	c->source = live_source(live);
	c->knowledge = net_source_knowledge(live_source(live));
	c->scope = live_scope(live);
	c->delay = c->settings.decision->config.delay;
	c->census = census_new(c->frontier, c->knowledge);
	TRY(control_read_found(c, why));
	if (!c->settings.stop) {
		census_complete(c->census, clock_ms());
		tally_store(c->tally, c->store);
	}
	inbox_open(c->inbox);
	return 0;
}

void control_end(struct control *c)
{
	inbox_close(c->inbox);
}
