/* `lycosa fleet`: watches and steers a crawl of several agents, through the bucket of its NATS server (agents/member.h). */
#include "agents/charter.h"
#include "agents/member.h"
#include "agents/partition.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/crawl/crawl_seeds.h"
#include "cli/flags/options.h"
#include "cli/results.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct fleet_options {
	struct standard_options standard;
	struct report_options report;
	struct bus_access access;
	const char *seeds;
	int watch;
};

/* Connects to a crawl that has begun. */
static int open_crawl(const struct command *c, struct bus **bus, struct roster *roster, struct err_note *why)
{
	const struct fleet_options *o = c->options;
	struct bus_access access = o->access;

	bus_access_from_environment(&access);
	int err = bus_open(bus, c->flags->operand[0], &access, why);
	const int got = err ? err : roster_look(*bus, roster, why);

	if (got == 0)
		err = err_set(why, ERR_NOTHING, "no agent has joined a crawl '%s'", c->flags->operand[0]);
	return got < 0 ? got : err;
}

/* --- status */

/* Returns a word for what an agent does, by its last news and their age. */
static const char *word_of(const struct news *n, int has_news, int64_t age)
{
	if (!has_news)
		return "new";
	if (n->is_gone)
		return "gone";
	if (n->has_left)
		return "left";
	if (age > NEWS_LOST_MS)
		return "lost";
	return n->is_idle ? "idle" : "crawls";
}

/* What is known of an agent. */
struct seen {
	struct news news;
	const char *state;
	int64_t age; /* of the news, in ms */
	uint64_t partitions;
};

static int look(struct bus *bus, const struct roster *roster, const struct shares *shares, unsigned i, struct seen *a,
	struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;
	char key[BUS_NAME_MAX];
	uint64_t revision;
	int64_t written = 0;

	*a = (struct seen){.age = 0};
	snprintf(key, sizeof key, "agent.%s", roster->id[i]);
	int got = bus_get(bus, key, &text, &revision, why);
	const int has_news = got > 0 && news_read(&a->news, text.at, text.used) == 0;
	if (got > 0)
		got = bus_written(bus, key, &written, why);
	if (has_news && clock_wall_ms() > written)
		a->age = clock_wall_ms() - written;
	if (a->news.has_left || a->age > NEWS_LOST_MS)
		a->news.speed = a->news.lag = 0;
	a->state = word_of(&a->news, has_news, a->age);
	for (unsigned p = 0; p < PARTITIONS; p++)
		a->partitions += roster_is_complete(roster) && shares->owner[p] == i;
	return got < 0 ? got : 0;
}

static void put_agent(struct results *r, const struct seen *a, unsigned i, const char *id)
{
	const struct news *n = &a->news;

	RESULTS_CELLS(r, cell_count(i), cell_text(id), cell_text(a->state), cell_count((uint64_t)a->age / 1000),
		cell_count(a->partitions), cell_count(n->crawled), cell_count(n->seen), cell_count(n->queued),
		cell_count(n->in_flight), cell_count(n->sent), cell_count(n->taken), cell_count(n->again), cell_count(n->waiting),
		cell_real((double)n->speed / 1000), cell_real((double)n->lag / 1000), cell_count(n->aside));
}

/* Prints the table of all agents, for programs. */
static int put_table(const struct command *c, const struct roster *roster, const struct seen *agents, const char *state,
	struct err_note *why)
{
	static const char *const columns[] = {"agent", "id", "state", "news_s", "partitions", "crawled", "seen", "queued",
		"in_flight", "letters_sent", "letters_taken", "letters_again", "bytes_waiting", "pages_s", "lag_s", "put_aside",
		NULL};
	const struct fleet_options *o = c->options;
	struct results r;

	report_begin(&o->report, &r);
	results_fact(&r, "crawl", cell_text(c->flags->operand[0]));
	results_fact(&r, "state", cell_text(state));
	results_fact(&r, "agents", cell_count(roster->agents));
	results_columns(&r, columns);
	for (unsigned i = 0; i < roster->n; i++)
		put_agent(&r, &agents[i], i, roster->id[i]);
	return results_end(&r, why);
}

/* Prints the table for a person who watches: the columns that change, and their sums. */
static void draw_table(const struct roster *roster, const struct seen *agents, const char *state)
{
	struct seen sum = {.partitions = 0};

	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[J", stdout);
	printf("%-6s %-8s %10s %12s %9s %12s %10s %7s\n", "agent", "state", "partitions", "crawled", "pages/s", "queued",
		"in flight", "lag s");
	for (unsigned i = 0; i < roster->n; i++) {
		const struct news *n = &agents[i].news;
		ascii_print(stdout, "%-6u %-8s %10" PRIu64 " %12" PRIu64 " %9.1f %12" PRIu64 " %10" PRIu64 " %7.1f\n", i,
			agents[i].state, agents[i].partitions, n->crawled, (double)n->speed / 1000, n->queued, n->in_flight,
			(double)n->lag / 1000);
		sum.partitions += agents[i].partitions;
		sum.news.crawled += n->crawled;
		sum.news.speed += n->speed;
		sum.news.queued += n->queued;
		sum.news.in_flight += n->in_flight;
		sum.news.lag = n->lag > sum.news.lag ? n->lag : sum.news.lag;
	}
	ascii_print(stdout, "%-6s %-8s %10" PRIu64 " %12" PRIu64 " %9.1f %12" PRIu64 " %10" PRIu64 " %7.1f\n", "all", state,
		sum.partitions, sum.news.crawled, (double)sum.news.speed / 1000, sum.news.queued, sum.news.in_flight,
		(double)sum.news.lag / 1000);
	fflush(stdout);
}

/* Reads who owns which partition: the table in the bucket, or, if there is none, the division at the beginning of the crawl. */
static int read_shares(struct bus *bus, const struct roster *roster, struct shares *shares, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;
	struct share_table table;
	uint64_t revision;
	const int got = bus_get(bus, SHARE_TABLE_KEY, &text, &revision, why);

	shares_deal(shares, roster->agents ? roster->agents : 1);
	if (got > 0 && !share_table_read(&table, text.at, text.used))
		memcpy(shares->owner, table.owner, sizeof shares->owner);
	return got < 0 ? got : 0;
}

/* Looks at the crawl once, and prints it. *is_over: the crawl is done or stopped, and no agent works on. */
static int look_and_print(const struct command *c, struct bus *bus, struct roster *roster, int *is_over, struct err_note *why)
{
	const struct fleet_options *o = c->options;
	AUTO(buf) text = BUF_EMPTY;
	struct shares shares;
	uint64_t revision;
	int got = roster_look(bus, roster, why), err = got < 0 ? got : 0;
	AUTO_FREE struct seen *agents = mem_zero(roster->n + 1, sizeof *agents);

	got = err ? err : bus_get(bus, "state", &text, &revision, why);
	err = got < 0 ? got : 0;
	if (!err)
		err = read_shares(bus, roster, &shares, why);
	const char *state = !roster_is_complete(roster) ? "gathers" : text.used ? text.at : member_state_word(MEMBER_RUNNING);
	*is_over = text.used && (strcmp(state, "done") == 0 || strcmp(state, "stopped") == 0);
	for (unsigned i = 0; !err && i < roster->n; i++) {
		err = look(bus, roster, &shares, i, &agents[i], why);
		*is_over &= agents[i].news.has_left || agents[i].age > NEWS_LOST_MS;
	}
	if (!err && o->watch && !o->report.json)
		draw_table(roster, agents, state);
	else if (!err)
		err = put_table(c, roster, agents, state, why);
	return err;
}

static int status(const struct command *c, struct err_note *why)
{
	const struct timespec pause = {.tv_sec = NEWS_MS / 1000};
	const struct fleet_options *o = c->options;
	AUTO_FREE struct roster *roster = mem_zero(1, sizeof *roster);
	struct bus *bus = NULL;
	int is_over = 0, err = open_crawl(c, &bus, roster, why);

	if (!err)
		err = look_and_print(c, bus, roster, &is_over, why);
	while (!err && o->watch && !is_over && !ferror(stdout)) {
		nanosleep(&pause, NULL);
		err = look_and_print(c, bus, roster, &is_over, why);
	}
	bus_close(bus);
	return err;
}

/* --- commands */

static int set_state(const struct command *c, enum member_state state, struct err_note *why)
{
	AUTO_FREE struct roster *roster = mem_zero(1, sizeof *roster);
	const char *word = member_state_word(state);
	AUTO(buf) before = BUF_EMPTY;
	struct bus *bus = NULL;
	uint64_t revision;
	int got = 0, err = open_crawl(c, &bus, roster, why);

	while (!err && !got) {
		err = bus_get(bus, "state", &before, &revision, why) < 0 ? ERR_UNREACHABLE : 0;
		if (!err)
			got = bus_set(bus, "state", word, strlen(word), &revision, why);
		err = got < 0 ? got : err;
	}
	bus_close(bus);
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

static int run_rebalance(const struct command *c, struct err_note *why)
{
	AUTO_FREE struct roster *roster = mem_zero(1, sizeof *roster);
	AUTO(buf) before = BUF_EMPTY, text = BUF_EMPTY;
	struct bus *bus = NULL;
	uint64_t revision;
	int got = 0, err = open_crawl(c, &bus, roster, why);

	while (!err && !got) {
		got = bus_get(bus, "rebalance", &before, &revision, why);
		buf_clear(&text);
		buf_format(&text, "%llu", 1 + (got > 0 ? strtoull(before.at, NULL, 10) : 0));
		if (got >= 0)
			got = bus_set(bus, "rebalance", text.at, text.used, &revision, why);
		err = got < 0 ? got : 0;
	}
	bus_close(bus);
	return err;
}

static int run_stop(const struct command *c, struct err_note *why)
{
	return set_state(c, MEMBER_STOPPED, why);
}

/* --- seeds */

static int run_seeds(const struct command *c, struct err_note *why)
{
	const struct fleet_options *o = c->options;
	AUTO_FREE struct roster *roster = mem_zero(1, sizeof *roster);
	AUTO(crawl_seeds) seeds = {.n = 0};
	AUTO(buf) lines = BUF_EMPTY, state = BUF_EMPTY;
	struct bus *bus = NULL;
	uint64_t revision;
	int got, err = o->seeds ? crawl_seeds_file(&seeds, o->seeds, why) : 0;

	for (size_t i = 1; !err && i < c->flags->operands; i++)
		err = crawl_seeds_add(&seeds, c->flags->operand[i], why);
	if (!err && !seeds.n)
		err = err_set(why, ERR_USAGE, "no seed is given: name URLs, or a file by --seeds");
	for (size_t i = 0; i < seeds.n; i++)
		buf_format(&lines, "%s\n", seeds.url[i].text.at);
	if (!err)
		err = open_crawl(c, &bus, roster, why);
	if (!err && (got = charter_add_seeds(bus, &lines, why)) < 0)
		err = got;
	if (!err && bus_get(bus, "state", &state, &revision, NULL) > 0 &&
		(strcmp(state.at, "done") == 0 || strcmp(state.at, "stopped") == 0))
		log_say("the crawl is %s: its agents take the seeds when they are started again, after 'lycosa fleet resume'",
			state.at);
	bus_close(bus);
	return err;
}

/* --- permissions */

/* Prints the subjects that an agent's user must be allowed, as nats-server's configuration has them. No server is asked. */
static int run_permissions(const struct command *c, struct err_note *why)
{
	static const char *const streams[][2] = {{"KV_", ""}, {"", ""}, {"", "-log"}};
	static const char *const asked[][2] = {{"ACK", ".>"}, {"API.STREAM.INFO", ""}, {"API.STREAM.CREATE", ""},
		{"API.STREAM.MSG.GET", ""}, {"API.CONSUMER.CREATE", ""}, {"API.CONSUMER.CREATE", ".>"},
		{"API.CONSUMER.DURABLE.CREATE", ".*"}, {"API.CONSUMER.INFO", ".*"}, {"API.CONSUMER.DELETE", ".*"}};
	struct bus_url url;

	TRY(bus_url_read(&url, c->flags->operand[0], why));
	printf("publish: {\n  allow: [\n    \"$KV.lycosa-%s.>\"\n    \"lycosa.%s.log.*\"\n    \"lycosa.%s.to.*\"\n", url.name,
		url.name, url.name);
	for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
		for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
			printf("    \"$JS.%s.%slycosa-%s%s%s\"\n", asked[k][0], streams[i][0], url.name, streams[i][1],
				asked[k][1]);
	printf("  ]\n}\nsubscribe: {\n  allow: [\n    \"_INBOX.>\"\n    \"_lycosa.%s.>\"\n  ]\n}\n", url.name);
	return 0;
}

/* --- the verbs */

#define FLEET(field) offsetof(struct fleet_options, field)
static const struct flag flags[] = {
	TABLE_ROW(nats_flags, FLEET(access)),
	STANDARD_ROWS,
};
static const struct flag status_flags[] = {
	{"watch", 0, FLAG_SWITCH, FLEET(watch), .help = "print them again every 2 s, to the end"},
	JSON_ROW(FLEET(report.json)),
	TABLE_ROW(flags, 0),
	{.name = NULL},
};
static const struct flag seeds_flags[] = {
	{"seeds", 0, FLAG_TEXT, FLEET(seeds), "FILE", .help = "seeds, one URL a line ('-': stdin)", .file = FLAG_READS},
	TABLE_ROW(flags, 0),
	{.name = NULL},
};

static const struct fleet_options defaults;
static const struct verb to_status =
	VERB("status", "Lists the agents of a crawl, and what each has done.", status_flags, defaults, status, .operands = "URL");
static const struct verb to_seeds = VERB("seeds", "Adds seeds to a crawl, while it runs or for later.", seeds_flags, defaults,
	run_seeds, .operands = "URL [SEED...]");
static const struct verb to_pause =
	VERB("pause", "Takes no further page until resume.", flags, defaults, run_pause, .operands = "URL");
static const struct verb to_resume =
	VERB("resume", "Ends a pause, or the state 'stopped' or 'done'.", flags, defaults, run_resume, .operands = "URL");
static const struct verb to_rebalance = VERB("rebalance", "Lets agents with much queued give partitions to the others.", flags,
	defaults, run_rebalance, .operands = "URL");
static const struct verb to_stop = VERB("stop", "Ends the sittings of all agents.", flags, defaults, run_stop, .operands = "URL");

static const struct verb to_permissions = VERB("permissions", "Prints what the server must allow an agent's user.", standard_flags,
	defaults, run_permissions, .operands = "URL");

static const struct verb *const verbs[] = {&to_status, &to_seeds, &to_pause, &to_resume, &to_rebalance, &to_stop, &to_permissions,
	NULL};

const struct verb verb_fleet = {
	.name = "fleet",
	.summary = "Watches and steers a crawl of several agents.",
	.verbs = verbs,
};
