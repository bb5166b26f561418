#include "crawler/monitor/control_internal.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "crawler/network/net_source.h"

#include <stdlib.h>
#include <string.h>

#define PATIENCE_MS 5000

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
		{{"sort-by", "queued, crawled, failed, refused, requests, failures, bytes, mean_ms or name", CONTROL_OPTIONAL},
		 {"count", "how many, at most 1000 (50)", CONTROL_OPTIONAL},
		 {"match", "only hosts whose names contain this text", CONTROL_OPTIONAL},
		 {"only", "only hosts in this state: idle, ready, rests, held, given-up or blocked", CONTROL_OPTIONAL}},
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

const char *control_text(const json_t *args, const char *name)
{
	return json_string_value(json_object_get(args, name));
}

int control_count(const json_t *args, const char *name, uint64_t otherwise, uint64_t most, uint64_t *n, struct err_note *why)
{
	const char *text = control_text(args, name);

	*n = otherwise;
	if (!text || num_count(text, most, n) == 0)
		return 0;
	return err_set(why, ERR_USAGE, "%s '%s' is no whole number up to %llu", name, text, (unsigned long long)most);
}

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
	discovery_paths_found(((struct control *)ctx)->paths, e->id);
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
	discovery_paths_free(c->paths);
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
	c->paths = discovery_paths_new(c->store);
	const int err = discovery_paths_read(c->paths, why);
	if (!err && !c->settings.stop) {
		census_complete(c->census, clock_ms());
		tally_store(c->tally, c->store);
	}
	if (!err)
		inbox_open(c->inbox);
	return err;
}

void control_end(struct control *c)
{
	inbox_close(c->inbox);
}
