/* Agents that take turns at addresses, with a bucket in place of the server's: one order of changes for all keys, watches that show
 * them late, and a server that is killed and started again. */
#include "tests/test.h"

#include "agents/address_book.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS  4
#define PLACES  6
#define KEYS    (PLACES + AGENTS) /* the addresses, and the news of each agent */
#define SURE_MS (NEWS_LOST_MS - 2000)
#define REST    50 /* ms, for an address of which nothing is known */

struct change {
	unsigned key;
	char text[64];
	uint64_t revision;
};

struct agent {
	struct address_book *book;
	struct leases *leases;
	int64_t sure_until, news; /* when it writes news */
	uint64_t news_revision;
	int64_t sleeps;       /* it is stopped until then */
	int64_t watches;      /* its watch begins anew at this time; 0: the watch runs */
	size_t read;          /* changes that the watch has shown */
	size_t last[KEYS];    /* when the watch began: the place of the last change of each key, */
	size_t snapshot;      /* and the number of changes. Of these it shows only the last ones */
	int64_t late[PLACES]; /* requests that ended while it slept: the rests */
};

struct world {
	struct change change[400000];
	size_t n;
	uint64_t current[KEYS]; /* the revision of each key; 0: the bucket has no trace of it */
	size_t place[KEYS];     /* the last change of each key */
	struct agent agent[AGENTS];
	int is_down;
	int is_faulty;    /* answers are lost, now and then */
	int asks[PLACES]; /* the agent whose request is in flight; -1: none */
	int last[PLACES]; /* the agent of the last request */
	int64_t ends[PLACES];
	int64_t rests[PLACES]; /* nobody may ask before */
	unsigned asked[PLACES][AGENTS];
	int64_t now;
	int64_t most_rest;
};

static void ip_of(unsigned place, unsigned char ip[16])
{
	memset(ip, 0, 16);
	ip[15] = (unsigned char)(place + 1);
}

static void key_of(unsigned place, char key[48])
{
	unsigned char ip[16];

	ip_of(place, ip);
	key += sprintf(key, BOOK_KEY);
	for (int i = 0; i < 16; i++)
		key += sprintf(key, "%02x", ip[i]);
}

static unsigned key_number(const char *key)
{
	return (unsigned)strtoul(key + strlen(key) - 2, NULL, 16) - 1;
}

static uint64_t add(struct world *w, unsigned key, const char *text)
{
	assert_true(w->n < sizeof w->change / sizeof *w->change);
	struct change *fresh = &w->change[w->n];
	fresh->key = key;
	strcpy(fresh->text, text);
	w->place[key] = w->n;
	return w->current[key] = fresh->revision = ++w->n;
}

/* Writes a key by compare-and-set. Returns 1, 0 or -1: the server is away, or its answer is lost. */
static int set(struct world *w, unsigned key, const char *text, uint64_t *revision, struct rng *r)
{
	if (w->is_down)
		return -1;
	if (*revision != w->current[key])
		return 0;
	const uint64_t written = add(w, key, text);
	if (w->is_faulty && rng_below(r, 100) == 0)
		return -1;
	*revision = written;
	return 1;
}

static void write_news(struct world *w, struct agent *a, unsigned number, struct rng *r)
{
	const unsigned key = PLACES + number;

	if (w->now < a->news)
		return;
	const int got = set(w, key, "news", &a->news_revision, r);
	a->news = w->now + (got > 0 ? NEWS_MS : 100);
	if (!got)
		a->news_revision = w->current[key];
	if (got <= 0)
		return;
	leases_wrote(a->leases, a->news_revision, w->now);
	if (w->now >= a->sure_until)
		book_lapse(a->book, a->news_revision);
	a->sure_until = w->now + SURE_MS;
}

/* Shows the agent some of the changes that it has not seen. */
static void see_changes(struct world *w, struct agent *a, struct rng *r)
{
	char key[48];

	if (a->watches && (w->is_down || w->now < a->watches))
		return;
	if (a->watches) {
		a->watches = 0;
		a->news = w->now;
		leases_listen(a->leases, w->now);
		a->read = 0;
		a->snapshot = w->n;
		memcpy(a->last, w->place, sizeof a->last);
	}
	while (a->read < w->n) {
		const struct change *c = &w->change[a->read];
		const int is_shown = a->read >= a->snapshot || a->last[c->key] == a->read;
		if (is_shown && rng_below(r, 4) == 0)
			return;
		a->read++;
		if (is_shown && c->key >= PLACES) {
			leases_heard(a->leases, c->key - PLACES, c->revision, strcmp(c->text, "left") == 0, w->now);
		} else if (is_shown) {
			key_of(c->key, key);
			book_learn(a->book, key, c->text, strlen(c->text), c->revision, w->now);
		}
	}
}

/* A turn of an agent's thread, which sees the changes late. */
static void work(struct world *w, unsigned number, struct rng *r)
{
	struct agent *a = &w->agent[number];
	struct book_write write;

	write_news(w, a, number, r);
	see_changes(w, a, r);
	while (w->now < a->sure_until && book_next(a->book, w->now, a->leases, &write)) {
		const unsigned key = key_number(write.key);
		const int got = set(w, key, write.text, &write.revision, r);
		if (book_wrote(a->book, &write, got, w->now) && !w->is_down && !w->current[key])
			book_learn(a->book, write.key, "", 0, 0, w->now);
	}
}

static void begin(struct world *w)
{
	memset(w, 0, sizeof *w);
	w->now = 1000;
	w->most_rest = REST;
	for (unsigned a = 0; a < AGENTS; a++) {
		w->agent[a].book = book_new(a, REST);
		w->agent[a].leases = leases_new(a, w->now);
	}
	for (unsigned p = 0; p < PLACES; p++)
		w->asks[p] = w->last[p] = -1;
}

static void end(struct world *w)
{
	for (unsigned a = 0; a < AGENTS; a++) {
		book_free(w->agent[a].book);
		free(w->agent[a].leases);
	}
}

static int may_ask(struct world *w, unsigned a, unsigned place)
{
	struct agent *agent = &w->agent[a];
	unsigned char ip[16];

	ip_of(place, ip);
	return w->now < agent->sure_until && leases_hears(agent->leases, w->now, NEWS_LOST_MS - SURE_MS) &&
		book_ask(agent->book, ip, w->now);
}

static void ask(struct world *w, unsigned a, unsigned place, struct rng *r)
{
	if (w->asks[place] == (int)a || (w->rests[place] > w->now && w->last[place] == (int)a))
		return; /* its own frontier keeps to the rest of its own requests */
	if (!may_ask(w, a, place))
		return;
	assert_int_equal(w->asks[place], -1);
	assert_true(w->rests[place] <= w->now);
	w->asks[place] = w->last[place] = (int)a;
	w->ends[place] = w->now + 1 + (int64_t)rng_below(r, 40);
	w->asked[place][a]++;
}

/* Ends requests: those that are answered, and those of an agent that is not sure of its lease any more. */
static void land(struct world *w, struct rng *r)
{
	unsigned char ip[16];

	for (unsigned p = 0; p < PLACES; p++) {
		if (w->asks[p] < 0)
			continue;
		struct agent *a = &w->agent[w->asks[p]];
		if (w->ends[p] > w->now && w->now < a->sure_until)
			continue;
		const int64_t rest = (int64_t)rng_below(r, (uint64_t)w->most_rest);
		ip_of(p, ip);
		if (w->now < a->sleeps)
			a->late[p] = 1 + rest;
		else
			book_ended(a->book, ip, w->now, rest);
		w->asks[p] = -1;
		w->rests[p] = w->now + rest;
	}
}

static void wake(struct world *w, struct agent *a)
{
	unsigned char ip[16];

	a->sleeps = 0;
	for (unsigned p = 0; p < PLACES; p++) {
		ip_of(p, ip);
		if (a->late[p])
			book_ended(a->book, ip, w->now, a->late[p] - 1);
		a->late[p] = 0;
	}
}

/* A turn of the world: 1 to 3 ms. */
static void turn(struct world *w, unsigned i, struct rng *r)
{
	const unsigned thread = (unsigned)rng_below(r, AGENTS), asker = (unsigned)rng_below(r, AGENTS);

	w->now += 1 + (int64_t)rng_below(r, 3);
	land(w, r);
	for (unsigned a = 0; a < AGENTS; a++)
		if (w->agent[a].sleeps && w->now >= w->agent[a].sleeps)
			wake(w, &w->agent[a]);
	if (i % 5 == 0 && !w->agent[thread].sleeps)
		work(w, thread, r);
	if (!w->agent[asker].sleeps)
		ask(w, asker, (unsigned)rng_below(r, PLACES), r);
}

static struct world world;

static void all_have_asked(const struct world *w)
{
	for (unsigned p = 0; p < PLACES; p++)
		for (unsigned a = 0; a < AGENTS; a++)
			assert_true(w->asked[p][a] > 20);
}

static void no_two_agents_ask_an_address_at_once_and_each_has_its_turn(void **state)
{
	struct world *w = &world;
	struct rng r = {5};

	(void)state;
	begin(w);
	for (unsigned i = 0; i < 60000; i++)
		turn(w, i, &r);
	all_have_asked(w);
	end(w);
}

/* The server is away for 1 to 20 s; the watches begin anew within 6 s after it is back, each at another time. */
static void fail_now_and_then(struct world *w, int64_t *change, struct rng *r)
{
	if (w->now < *change)
		return;
	w->is_down = !w->is_down;
	*change = w->now + 1000 + (int64_t)rng_below(r, w->is_down ? 20000 : 40000);
	for (unsigned a = 0; a < AGENTS && w->is_down; a++)
		w->agent[a].watches = *change + (int64_t)rng_below(r, 6000);
}

static void none_asks_at_once_or_too_soon_while_the_server_is_killed_and_started_again(void **state)
{
	struct world *w = &world;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct rng r = {seed};
		int64_t change = 20000;
		begin(w);
		w->is_faulty = 1;
		w->most_rest = 300;
		for (unsigned i = 0; i < 300000; i++) {
			fail_now_and_then(w, &change, &r);
			turn(w, i, &r);
		}
		all_have_asked(w);
		end(w);
	}
}

static void none_asks_at_once_or_too_soon_while_agents_are_stopped_for_a_while(void **state)
{
	struct world *w = &world;

	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct rng r = {seed};
		begin(w);
		w->most_rest = 300;
		for (unsigned i = 0; i < 200000; i++) {
			struct agent *a = &w->agent[rng_below(&r, AGENTS)];
			if (rng_below(&r, 5000) == 0 && !a->sleeps)
				a->sleeps = w->now + 1 + (int64_t)rng_below(&r, 30000);
			turn(w, i, &r);
		}
		all_have_asked(w);
		end(w);
	}
}

/* An operator deletes keys, of which the bucket keeps a message that says so, or no trace. */
static void none_asks_at_once_or_too_soon_while_keys_are_deleted_and_all_come_back(void **state)
{
	struct world *w = &world;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct rng r = {seed};
		begin(w);
		for (unsigned i = 0; i < 200000; i++) {
			const unsigned key = (unsigned)rng_below(&r, PLACES);
			if (rng_below(&r, 10000) == 0 && w->current[key])
				(void)add(w, key, "");
			if (rng_below(&r, 10000) == 0)
				w->current[key] = 0;
			if (rng_below(&r, 20000) == 0) /* no agent is left that knows who holds the address */
				w->agent[rng_below(&r, AGENTS)].sleeps = w->now + 20000;
			turn(w, i, &r);
		}
		memset(w->asked, 0, sizeof w->asked);
		for (unsigned i = 0; i < 60000; i++)
			turn(w, i, &r);
		all_have_asked(w);
		end(w);
	}
}

static void an_agent_alone_at_an_address_keeps_it(void **state)
{
	struct world *w = &world;
	struct rng r = {6};

	(void)state;
	begin(w);
	for (int i = 0; i < 3000; i++) {
		w->now += 2;
		land(w, &r);
		work(w, 1, &r);
		ask(w, 1, 0, &r);
	}
	size_t written = 0;
	for (size_t i = 0; i < w->n; i++)
		written += w->change[i].key < PLACES;
	assert_int_equal(written, 1);
	assert_int_equal(book_held(w->agent[1].book), 1);
	assert_true(w->asked[0][1] > 50);
	end(w);
}

static void two_agents_that_ask_no_more_do_not_hand_an_address_to_and_fro(void **state)
{
	unsigned char ip[16];
	struct world *w = &world;
	struct rng r = {9};

	(void)state;
	begin(w);
	ip_of(0, ip);
	for (; !book_ask(w->agent[0].book, ip, w->now); w->now++)
		work(w, 0, &r);
	book_ended(w->agent[0].book, ip, w->now, 0);
	(void)book_ask(w->agent[1].book, ip, w->now);
	for (int i = 0; i < 5000; i++, w->now++)
		work(w, (unsigned)i % 2, &r);
	size_t written = 0; /* of the key of this address, not of the news */
	for (size_t i = 0; i < w->n; i++)
		written += w->change[i].key == 0;
	assert_in_range(written, 3, 4); /* one takes it, the other wishes for it and gets it */
	end(w);
}

static void the_addresses_of_an_agent_that_is_gone_are_taken_after_a_rest(void **state)
{
	struct world *w = &world;
	struct rng r = {7};

	(void)state;
	begin(w);
	for (; !w->asked[0][2]; w->now++) {
		work(w, 2, &r);
		ask(w, 2, 0, &r);
	}
	const int64_t gone = w->now; /* and its request never ends */
	while (!may_ask(w, 3, 0)) {
		work(w, 3, &r);
		w->now++;
	}
	assert_true(w->now - gone >= NEWS_LOST_MS - 100 + REST && w->now - gone < NEWS_LOST_MS + 2 * NEWS_MS);
	/* the one that was gone learns of it before it asks again */
	w->agent[2].news = w->now;
	for (int i = 0; i < 20; i++, w->now++) {
		assert_false(may_ask(w, 2, 0));
		work(w, 2, &r);
	}
	end(w);
}

static void a_lapse_costs_the_address_until_it_is_written_again(void **state)
{
	unsigned char ip[16];
	struct world *w = &world;
	struct rng r = {8};

	(void)state;
	begin(w);
	ip_of(3, ip);
	struct address_book *b = w->agent[0].book;
	while (!may_ask(w, 0, 3)) {
		work(w, 0, &r);
		w->now++;
	}
	book_ended(b, ip, w->now, 0);
	assert_int_equal(book_held(b), 1);
	book_lapse(b, w->n);
	assert_int_equal(book_held(b), 0);
	assert_false(book_ask(b, ip, w->now));
	const size_t written = w->n;
	for (int i = 0; i < 300 && !may_ask(w, 0, 3); i++, w->now++)
		work(w, 0, &r);
	assert_int_equal(w->n, written + 1);
	assert_int_equal(book_held(b), 1);
	end(w);
}

static void text_that_is_none_changes_nothing(void **state)
{
	struct address_book *b = book_new(0, 10);

	(void)state;
	book_learn(b, "address.zz", "0 -1 0", 6, 1, 5);
	book_learn(b, "address.00000000000000000000000000000001", "x", 1, 1, 5);
	book_learn(b, "address.0000000000000000000000000000000g", "0 -1 0", 6, 1, 5);
	book_learn(b, "agent.1", "0 -1 0", 6, 1, 5);
	assert_int_equal(book_held(b), 0);
	book_free(b);
}

static void an_address_that_is_being_handed_over_is_not_asked(void **state)
{
	struct leases *l = leases_new(0, 900);
	struct address_book *b = book_new(0, 20);
	struct book_write write;
	unsigned char ip[16];

	(void)state;
	ip_of(0, ip);
	assert_false(book_ask(b, ip, 1000));
	assert_true(book_next(b, 1000, l, &write));
	write.revision = 1;
	(void)book_wrote(b, &write, 1, 1000);
	assert_true(book_ask(b, ip, 1001));
	book_ended(b, ip, 1002, 20);
	book_learn(b, write.key, "0 1 0", 5, 2, 1003);
	/* idle for a while, the agent gives the address to the one that wishes for it */
	(void)book_next(b, 1300, l, &write); /* the end of the round that the last call began */
	assert_true(book_next(b, 1300, l, &write));
	assert_int_equal(write.holder, 1);
	assert_false(book_ask(b, ip, 1301));
	write.revision = 3;
	(void)book_wrote(b, &write, 1, 1302);
	assert_false(book_ask(b, ip, 1303));
	book_free(b);
	free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_two_agents_ask_an_address_at_once_and_each_has_its_turn),
		cmocka_unit_test(none_asks_at_once_or_too_soon_while_the_server_is_killed_and_started_again),
		cmocka_unit_test(none_asks_at_once_or_too_soon_while_agents_are_stopped_for_a_while),
		cmocka_unit_test(none_asks_at_once_or_too_soon_while_keys_are_deleted_and_all_come_back),
		cmocka_unit_test(an_agent_alone_at_an_address_keeps_it),
		cmocka_unit_test(two_agents_that_ask_no_more_do_not_hand_an_address_to_and_fro),
		cmocka_unit_test(the_addresses_of_an_agent_that_is_gone_are_taken_after_a_rest),
		cmocka_unit_test(a_lapse_costs_the_address_until_it_is_written_again),
		cmocka_unit_test(an_address_that_is_being_handed_over_is_not_asked),
		cmocka_unit_test(text_that_is_none_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
