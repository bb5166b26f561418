/* `lycosa fleet`: watches and steers a crawl of several agents, through the bucket of its NATS server (agents/member.h). */
#include "agents/charter.h"
#include "agents/member.h"
#include "agents/partition.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cli/flags/options.h"
#include "cli/results.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fleet_options {
	struct standard_options standard;
	struct report_options report;
	const char *creds, *cacert;
};

/* Connects to a crawl that has begun. */
static int open_crawl(const struct command *c, struct bus **bus, struct roster *roster, struct err_note *why)
{
	const struct fleet_options *o = c->options;
	int err = bus_open(bus, c->flags->operand[0], o->creds, o->cacert, why);
	const int got = err ? err : roster_look(*bus, roster, why);

	if (got == 0)
		err = err_set(why, ERR_NOTHING, "no agent has joined a crawl '%s'", c->flags->operand[0]);
	return got < 0 ? got : err;
}

/* --- status */

/* What an agent does, by its last news and their age. */
static const char *word_of(const struct news *n, int has_news, int64_t age)
{
	if (!has_news)
		return "new";
	if (n->has_left)
		return "left";
	if (age > NEWS_LOST_MS)
		return "lost";
	return n->is_idle ? "idle" : "crawls";
}

static int put_agent(struct results *r, struct bus *bus, const struct roster *roster, const struct shares *shares, unsigned i,
	struct news *sum, struct err_note *why)
{
	struct news *n = mem_zero(1, sizeof *n);
	struct buf text = BUF_EMPTY;
	char key[BUS_NAME_MAX];
	uint64_t revision, partitions = 0;
	int64_t written = 0;

	snprintf(key, sizeof key, "agent.%s", roster->id[i]);
	int got = bus_get(bus, key, &text, &revision, why);
	const int has_news = got > 0 && news_read(n, text.at, text.used) == 0;
	if (got > 0)
		got = bus_written(bus, key, &written, why);
	const int64_t age = clock_wall_ms() - written;
	for (unsigned p = 0; p < PARTITIONS; p++)
		partitions += roster_is_complete(roster) && shares->owner[p] == i;
	results_count(r, i);
	results_text(r, roster->id[i]);
	results_text(r, word_of(n, has_news, age));
	results_count(r, has_news && age > 0 ? (uint64_t)age / 1000 : 0);
	results_count(r, partitions);
	results_count(r, n->crawled);
	results_count(r, n->seen);
	results_count(r, n->queued);
	results_count(r, n->in_flight);
	results_count(r, n->sent);
	results_count(r, n->taken);
	results_count(r, n->waiting);
	sum->crawled += n->crawled;
	sum->queued += n->queued;
	buf_release(&text);
	free(n);
	return got < 0 ? got : 0;
}

static int status(const struct command *c, struct err_note *why)
{
	static const char *const columns[] = {"agent", "id", "state", "news_s", "partitions", "crawled", "seen", "queued",
		"in_flight", "letters_sent", "letters_taken", "bytes_waiting", NULL};
	const struct fleet_options *o = c->options;
	struct roster *roster = mem_zero(1, sizeof *roster);
	struct news *sum = mem_zero(1, sizeof *sum);
	struct buf state = BUF_EMPTY;
	struct shares shares;
	struct bus *bus = NULL;
	struct results r;
	uint64_t revision;
	int err = open_crawl(c, &bus, roster, why);
	const int got = err ? err : bus_get(bus, "state", &state, &revision, why);

	err = got < 0 ? got : err;
	if (!err) {
		shares_deal(&shares, roster->agents);
		report_begin(&o->report, &r);
		results_name(&r, "crawl");
		results_text(&r, c->flags->operand[0]);
		results_name(&r, "state");
		results_text(&r, !roster_is_complete(roster) ? "gathers"
				 : state.used ? state.at : member_state_word(MEMBER_RUNNING));
		results_name(&r, "agents");
		results_count(&r, roster->agents);
		results_columns(&r, columns);
		for (unsigned i = 0; !err && i < roster->n; i++)
			err = put_agent(&r, bus, roster, &shares, i, sum, why);
		const int end = results_end(&r, why);
		err = err ? err : end;
	}
	buf_release(&state);
	bus_close(bus);
	free(roster);
	free(sum);
	return err;
}

/* --- commands */

static int set_state(const struct command *c, enum member_state state, struct err_note *why)
{
	struct roster *roster = mem_zero(1, sizeof *roster);
	const char *word = member_state_word(state);
	struct buf before = BUF_EMPTY;
	struct bus *bus = NULL;
	uint64_t revision;
	int got = 0, err = open_crawl(c, &bus, roster, why);

	while (!err && !got) {
		err = bus_get(bus, "state", &before, &revision, why) < 0 ? ERR_UNREACHABLE : 0;
		if (!err)
			got = bus_set(bus, "state", word, strlen(word), &revision, why);
		err = got < 0 ? got : err;
	}
	buf_release(&before);
	bus_close(bus);
	free(roster);
	return err;
}

static int run_pause(const struct command *c, struct err_note *why)
{
	return set_state(c, MEMBER_PAUSED, why);
}

static int run_resume(const struct command *c, struct err_note *why)
{
	return set_state(c, MEMBER_RUNNING, why);
}

static int run_stop(const struct command *c, struct err_note *why)
{
	return set_state(c, MEMBER_STOPPED, why);
}

/* --- the verbs */

#define FLEET(field) offsetof(struct fleet_options, field)
static const struct flag server_flags[] = {
	{"nats-creds", 0, FLAG_TEXT, FLEET(creds), "FILE", .help = "credentials for the NATS server"},
	{"nats-cacert", 0, FLAG_TEXT, FLEET(cacert), "FILE", .help = "certificates to trust there"},
	{.name = NULL},
};
static const struct flag status_flags[] = {JSON_ROW(FLEET(report.json)), {.name = NULL}};

static const struct fleet_options defaults;
static const struct flag_group groups[] = {
	{NULL, server_flags, 0, FLAGS_A_LINE_EACH}, STANDARD_GROUP, {.flags = NULL}};
static const struct flag_group status_groups[] = {{NULL, server_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, status_flags, 0, FLAGS_A_LINE_EACH}, STANDARD_GROUP, {.flags = NULL}};

#define VERB(called, text, function, flags)                                                        \
	static const struct verb fleet_##function = {.name = called,                               \
		.summary = text,                                                                   \
		.operands = "URL",                                                                 \
		.least = 1,                                                                        \
		.most = 1,                                                                         \
		.groups = flags,                                                                   \
		.defaults = &defaults,                                                             \
		.size = sizeof defaults,                                                           \
		.run = function}

VERB("status", "Lists the agents of a crawl, and what each has done.", status, status_groups);
VERB("pause", "Takes no further page until resume.", run_pause, groups);
VERB("resume", "Ends a pause, or the state 'stopped' or 'done'.", run_resume, groups);
VERB("stop", "Ends the sittings of all agents.", run_stop, groups);

static const struct verb *const verbs[] = {&fleet_status, &fleet_run_pause, &fleet_run_resume, &fleet_run_stop, NULL};

const struct verb verb_fleet = {
	.name = "fleet",
	.summary = "Watches and steers a crawl of several agents.",
	.verbs = verbs,
};
