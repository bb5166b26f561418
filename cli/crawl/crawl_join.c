#include "cli/crawl/crawl_join.h"
#include "agents/charter.h"
#include "agents/member.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/crawl/crawl_options.h"
#include "crawler/agent/agent_charter.h"

#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define LOOK_MS   200
#define AGAIN_MS  500   /* between two tries to reach a server that has gone back */
#define ABSENT_MS 60000 /* after the last agent has joined, the crawl begins without those that were planned and have not come */

char *crawl_join_store(const char *url)
{
	struct bus_url parts;

	if (bus_url_read(&parts, url, NULL))
		return NULL;
	return buf_made("%s.crawl", parts.name);
}

/* --- the settings and seeds of a crawl that has begun */

struct reading {
	struct store *store; /* NULL: seeds alone */
	struct crawl_seeds *seeds;
};

static int take_entry(void *ctx, const char *name, const char *value, struct err_note *why)
{
	struct reading *r = ctx;

	if (strcmp(name, CHARTER_SEED) == 0)
		return crawl_seeds_add(r->seeds, value, why);
	if (strlen(name) > STORE_NAME_MAX)
		return err_set(why, ERR_FORMAT, "a setting of the crawl at the NATS server has too long a name");
	return r->store ? store_set(r->store, name, value, why) : 0;
}

/* Reads the charter. Every seed in it is added to `seeds`. Its settings are written into the store unless a crawl has begun there,
 * which has them; an agent that was interrupted while it waited for others has only its id there, which becomes j->id. */
static int take_charter(struct crawl_join *j, const char *dir, const struct buf *text, struct crawl_seeds *seeds,
	struct err_note *why)
{
	struct reading r = {.seeds = seeds};
	AUTO(buf) kept = BUF_EMPTY;
	const char *id = NULL;
	int err = store_open(&r.store, dir, STORE_WRITE, why);
	struct store *store = r.store;

	if (err)
		return err;
	id = store_get(store, LIVE_AGENT_ID);
	if (id && strlen(id) == ROSTER_ID - 1)
		memcpy(j->id, id, ROSTER_ID);
	if (store_log_length(store))
		r.store = NULL;
	err = charter_each(text, take_entry, &r, why);
	if (err == ERR_FORMAT && store_log_length(store)) {
		log_say("%s, and are put aside: those of the store count", why->text);
		err = 0;
	}
	if (!err && r.store)
		err = store_set(store, LIVE_AGENT_ID, j->id, why);
	if (!err && !agent_charter_kept(store, &kept))
		err = agent_charter_keep(store, text, why);
	if (!err)
		err = store_commit(store, why);
	store_drop(store);
	return err;
}

/* Writes the charter that the store of this agent keeps to a server that has lost it. Returns 1 with the server's charter, 0 if the
 * store has none of this crawl, or an error. */
static int restore_charter(struct crawl_join *j, const char *dir, const char *crawl, struct buf *text, struct err_note *why)
{
	struct store *store = NULL;
	int got = store_is(dir) ? store_open(&store, dir, STORE_READ, why) : 0;
	const char *of = store ? store_get(store, LIVE_AGENT_CRAWL) : NULL;

	if (!got && of && strcmp(of, crawl) == 0 && agent_charter_kept(store, text))
		got = charter_publish(j->bus, text, why);
	else if (!got)
		of = NULL;
	store_drop(store);
	/* another agent may have been faster */
	return got < 0 || !of ? got : charter_look(j->bus, text, why);
}

/* Says whether a crawl has begun in a store. */
static int has_begun(const char *dir)
{
	struct store *store = NULL;
	const int has = store_is(dir) && !store_open(&store, dir, STORE_READ, NULL) && store_log_length(store) > 0;

	store_drop(store);
	return has;
}

int crawl_join_open(struct crawl_join *j, const struct command *c, struct crawl_seeds *seeds, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	AUTO(buf) text = BUF_EMPTY;

	*j = (struct crawl_join){.is_again = j->is_again,
		.is_confined = j->is_confined,
		.remembers = j->remembers && j->is_again,
		.past = j->past,
		.since = j->since,
		.give_up_after = j->give_up_after};
	if (!o->join)
		return o->agents ? err_set(why, ERR_USAGE, "--agents: needs --join nats://HOST:PORT/NAME") : 0;
	if (o->config.refresh)
		return err_set(why, ERR_USAGE,
			"--refresh: the agents of a crawl do not visit pages again; leave out --join or --refresh");
	roster_draw(j->id);
	struct bus_access access = o->nats;
	bus_access_from_environment(&access);
	struct bus_url url;
	int err = bus_url_read(&url, o->join, why);
	if (!err)
		err = bus_open(&j->bus, o->join, &access, why);
	int got = err ? err : charter_look(j->bus, &text, why);
	if (!got)
		got = restore_charter(j, o->store, url.name, &text, why);
	j->has_settings = got > 0;
	err = got < 0 ? got : 0;
	if (!err && j->has_settings)
		err = take_charter(j, o->store, &text, seeds, why);
	else if (!err && !seeds->n && !has_begun(o->store))
		err = err_set(why, ERR_NOTHING,
			"no agent has begun the crawl '%s': start the agent that names its URLs first, then this one", o->join);
	return err;
}

/* --- joining */

/* Adds a setting to the charter, unless its value is a path, which differs from machine to machine. */
static void add_setting(void *ctx, const struct flag *row, const char *name, const char *value)
{
	if (!row || !row->is_path)
		charter_add(ctx, name, value);
}

/* Publishes the settings and seeds of the command, and keeps them in the store. */
static int publish(struct crawl_join *j, const struct live_decision *d, const struct crawl_seeds *seeds, const char *dir,
	struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;
	struct store *store = NULL;

	charter_begin(&text);
	live_decision_each(d, add_setting, &text);
	for (size_t i = 0; i < seeds->n; i++)
		charter_add(&text, CHARTER_SEED, seeds->url[i].text.at);
	const int got = charter_publish(j->bus, &text, why);
	int err = got > 0 ? store_open(&store, dir, STORE_WRITE, why) : got;
	if (store && !err)
		err = agent_charter_keep(store, &text, why);
	if (store && !err)
		err = store_commit(store, why);
	store_drop(store);
	return got || err ? err : err_set(why, ERR_USAGE, "another agent has begun this crawl at this moment; start again");
}

/* Writes the agent's id into the store, before the agent joins under it, so that the agent has the same id when it is started
 * again. An id that the store has replaces j->id. Something is written each time: a process that cannot write into its store, since
 * the disk is full, renews no lease, and the other agents take its share. */
static int keep_id(struct crawl_join *j, const char *dir, const char *crawl, struct err_note *why)
{
	struct store *store;
	char process[ROSTER_ID];
	int err = store_open(&store, dir, STORE_WRITE, why);

	if (err)
		return err;
	const char *roster = store_get(store, LIVE_AGENT_ROSTER), *before = store_get(store, LIVE_AGENT_CRAWL);
	if (!j->has_settings && store_log_length(store))
		err = err_set(why, ERR_USAGE, "--join: the store '%s' has a crawl, and the NATS server knows none of this name",
			dir);
	else if (before && strcmp(before, crawl) != 0)
		err = err_set(why, ERR_USAGE, "--join: the store '%s' is an agent's of another crawl, '%s'", dir, before);
	if (roster)
		(void)roster_read(&j->roster, roster, strlen(roster));
	if (!j->remembers)
		(void)member_past_read(&j->past, store_get(store, LIVE_AGENT_PAST));
	if (store_log_length(store) && !store_get(store, LIVE_AGENT_ID))
		err = err_set(why, ERR_USAGE, "--join: the crawl in '%s' is of one machine alone; use another --store", dir);
	j->log_length = store_log_length(store);
	const char *kept = store_get(store, LIVE_AGENT_ID);
	if (kept && strlen(kept) == ROSTER_ID - 1)
		memcpy(j->id, kept, ROSTER_ID);
	if (!err)
		err = store_set(store, LIVE_AGENT_ID, j->id, why);
	roster_draw(process);
	if (!err)
		err = store_set(store, LIVE_AGENT_PROCESS, process, why);
	if (!err)
		err = store_set(store, LIVE_AGENT_CRAWL, crawl, why);
	if (!err)
		err = store_commit(store, why);
	store_drop(store);
	return err;
}

/* Says whether the other agents have taken the share of an earlier process of this one. Returns 1, 0 or an error. */
static int is_expelled(struct crawl_join *j, struct err_note *why)
{
	AUTO_FREE struct news *n = mem_zero(1, sizeof *n);
	AUTO(buf) text = BUF_EMPTY;
	char key[ROSTER_ID + 8];
	uint64_t revision;

	snprintf(key, sizeof key, "agent.%s", j->id);
	int got = bus_get(j->bus, key, &text, &revision, why);
	if (got > 0)
		got = !news_read(n, text.at, text.used) && n->is_gone;
	return got;
}

/* Makes the store of a new agent from that of an earlier one of the same machine: it has what an agent must know to begin the crawl
 * once more if the bus loses it. */
static int make_successor(const char *from, const char *to, struct err_note *why)
{
	static const char *const kept[] = {LIVE_AGENT_ROSTER, LIVE_AGENT_CRAWL};
	struct store *old = NULL, *made = NULL;
	AUTO(buf) charter = BUF_EMPTY;
	char id[ROSTER_ID];

	roster_draw(id);
	int err = store_open(&old, from, STORE_READ, why);
	if (!err)
		err = store_open(&made, to, STORE_WRITE, why);
	for (size_t i = 0; !err && i < sizeof kept / sizeof *kept; i++)
		if (store_get(old, kept[i]))
			err = store_set(made, kept[i], store_get(old, kept[i]), why);
	if (!err && agent_charter_kept(old, &charter))
		err = agent_charter_keep(made, &charter, why);
	if (!err)
		err = store_set(made, LIVE_AGENT_ID, id, why);
	if (!err)
		err = store_commit(made, why);
	store_drop(old);
	store_drop(made);
	return err;
}

/* Renames a store to STORE.1, or the next number that is free, and tells the new name, which the caller frees; NULL: it cannot. */
static char *move_away(const char *store, const char *dir)
{
	struct stat s;

	for (unsigned n = 1;; n++) {
		char *aside = buf_made("%s.%u", dir, n);
		if (lstat(aside, &s) && !rename(store, aside))
			return aside;
		const int is_taken = !lstat(aside, &s);
		free(aside);
		if (!is_taken)
			return NULL;
	}
}

/* Puts the store of an agent aside whose share the others have taken: it joins again as a new agent, whose store is made before.
 * Returns ERR_OTHER, and crawl_join_again() says that it begins anew, or the error of a store that cannot be made: then the old one
 * stays. */
static int put_aside(struct crawl_join *j, const char *dir, struct err_note *why)
{
	char *next = buf_made("%s.next", dir), *aside = NULL;
	int err = 0;

	if (has_begun(next)) /* the process before was killed between the two renamings, or before them */
		free(move_away(next, dir));
	err = make_successor(dir, next, why);
	if (!err && !renameat2(AT_FDCWD, next, AT_FDCWD, dir, RENAME_EXCHANGE)) {
		aside = move_away(next, dir);
	} else if (!err && (aside = move_away(dir, dir)) != NULL && rename(next, dir)) { /* a file system that cannot exchange */
		(void)!rename(aside, dir);
		free(aside);
		aside = NULL;
	}
	j->begins_anew = aside != NULL;
	j->remembers = 0;
	if (aside)
		log_say("the other agents have taken this agent's share while it was away: it joins again with a new store, and '%s' keeps what it "
			"has crawled",
			aside);
	free(next);
	free(aside);
	return err ? err : err_set(why, ERR_OTHER, MEMBER_SHARE_TAKEN);
}

/* Says whether 'lycosa fleet stop' has stopped the crawl. */
static int is_stopped(struct crawl_join *j)
{
	AUTO(buf) state = BUF_EMPTY;
	uint64_t revision;

	return bus_get(j->bus, "state", &state, &revision, NULL) > 0 && strcmp(state.at, member_state_word(MEMBER_STOPPED)) == 0;
}

/* Waits for the roster that the agent is about to make that has published the settings, or that an agent has which comes back. If
 * none does, this one begins the crawl. Returns 0 or an error. */
static int wait_for_roster(struct crawl_join *j, const volatile sig_atomic_t *stop, struct err_note *why)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
	const int64_t until = clock_boot_ms() + ABSENT_MS;
	int got = 0;

	/* what is no roster is written over by an agent that has joined */
	while ((got = roster_look(j->bus, &j->roster, why)) == 0 || got == ERR_FORMAT) {
		if (*stop)
			return err_set(why, ERR_INTERRUPTED,
				"interrupted while waiting for an agent of the crawl; the same command goes on");
		if (clock_boot_ms() >= until) {
			log_say("the crawl at the NATS server has settings and no agents, and none has come in %d s: this one begins it",
				ABSENT_MS / 1000);
			return 0;
		}
		nanosleep(&pause, NULL);
	}
	return got < 0 ? got : 0;
}

/* Lets the crawl begin with those that have come. */
static int begin_without_others(struct crawl_join *j, struct err_note *why)
{
	const unsigned planned = j->roster.agents;
	const int err = roster_begin(j->bus, &j->roster, why);

	if (!err && j->roster.agents < planned)
		log_say("%u of %u agents have come, and no other in %d s: the crawl begins with them, and others may join it at any time",
			j->roster.n, planned, ABSENT_MS / 1000);
	return err == ERR_FORMAT ? 0 : err; /* roster_join() writes over what is no roster */
}

/* Looks at the roster all the time. One that the server has lost, or that somebody else has written over, is written again. */
static int wait_for_all(struct crawl_join *j, const volatile sig_atomic_t *stop, struct err_note *why)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
	int64_t since = clock_boot_ms();
	unsigned known = j->roster.n;
	int err = 0;

	if (!roster_is_complete(&j->roster))
		log_say("agent %u of %u; the crawl begins when all agents have joined", j->roster.n, j->roster.agents);
	while (!err && !roster_is_complete(&j->roster)) {
		if (*stop)
			return err_set(why, ERR_INTERRUPTED,
				"interrupted while waiting for the other agents; the same command goes on");
		if (is_stopped(j))
			return err_set(why, ERR_INTERRUPTED,
				"stopped while waiting for the other agents; after 'lycosa fleet resume' the same command goes on");
		nanosleep(&pause, NULL);
		err = roster_join(j->bus, j->id, 0, &j->roster, why);
		since = j->roster.n == known ? since : clock_boot_ms();
		known = j->roster.n;
		if (!err && clock_boot_ms() - since > ABSENT_MS)
			err = begin_without_others(j, why);
	}
	return err;
}

/* Adds this agent to the roster. If the crawl has other agents than the store knows, since one without a roster has begun the crawl
 * once more, this agent joins as a new one. */
static int join_roster(struct crawl_join *j, const struct crawl_options *o, struct err_note *why)
{
	AUTO_FREE struct roster *kept = mem_copy(&j->roster, sizeof j->roster);

	TRY(roster_join(j->bus, j->id, o->agents ? (unsigned)o->agents : 1, &j->roster, why));
	if (kept->n && !roster_extends(&j->roster, kept))
		TRY(put_aside(j, o->store, why));
	return 0;
}

/* An agent that knows the roster can begin the crawl once more if the bus loses it. */
static int keep_roster(const struct crawl_join *j, const char *dir, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;
	struct store *store;
	int err = store_open(&store, dir, STORE_WRITE, why);

	if (err)
		return err;
	roster_write(&j->roster, &text);
	err = store_set(store, LIVE_AGENT_ROSTER, text.at, why);
	if (!err)
		err = store_commit(store, why);
	store_drop(store);
	return err;
}

int crawl_join_begin(struct crawl_join *j, const struct command *c, const struct live_decision *d, const struct crawl_seeds *seeds,
	const volatile sig_atomic_t *stop, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct bus_url url;

	if (!j->bus)
		return 0;
	j->give_up_after = d->config.give_up_after;
	int err = bus_url_read(&url, o->join, why);
	if (!err)
		err = keep_id(j, o->store, url.name, why);
	const int got = err ? err : is_expelled(j, why);
	if (got)
		return got < 0 ? got : put_aside(j, o->store, why);
	if (!j->has_settings)
		err = publish(j, d, seeds, o->store, why);
	else if (!j->roster.n && !o->agents)
		err = wait_for_roster(j, stop, why);
	if (!err)
		err = join_roster(j, o, why);
	if (!err)
		err = wait_for_all(j, stop, why);
	if (!err)
		err = keep_roster(j, o->store, why);
	if (err)
		return err;
	j->live.roster = &j->roster;
	j->live.self = roster_find(&j->roster, j->id);
	struct bus *bus = j->bus;
	j->bus = NULL;
	err = member_start(&j->live.member, bus, &j->roster, j->live.self, d->config.delay, j->log_length, &j->past, why);
	if (!err)
		member_give_up_after(j->live.member, d->config.give_up_after);
	return err;
}

const struct live_join *crawl_join_live(const struct crawl_join *j)
{
	return j->live.member ? &j->live : NULL;
}

void crawl_join_close(struct crawl_join *j)
{
	struct err_note why;

	if (j->live.member && member_begins_anew(j->live.member)) {
		(void)member_fault(j->live.member, &why);
		log_say("%s", why.text);
		j->begins_anew = 1;
		member_remember(j->live.member, 1, &j->past);
		j->remembers = 1;
	}
	member_stop(j->live.member);
	bus_close(j->bus);
	j->live.member = NULL;
	j->bus = NULL;
}

int crawl_join_again(struct crawl_join *j, int err, const volatile sig_atomic_t *stop)
{
	const struct timespec pause = {.tv_nsec = AGAIN_MS * 1000000};
	const int64_t now = clock_boot_ms();

	if (j->begins_anew) {
		j->begins_anew = 0;
		j->is_again = 1;
		j->since = now;
	} else if (!j->is_again || err != ERR_UNREACHABLE || (j->give_up_after && now - j->since > j->give_up_after)) {
		return 0;
	} else {
		nanosleep(&pause, NULL);
	}
	return !*stop;
}
