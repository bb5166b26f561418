/* Agents that take turns at addresses, with a bucket in place of the server's. */
#include "tests/test.h"

#include "agents/address_book.h"
#include "base/rng.h"

#include <stdio.h>
#include <string.h>

#define AGENTS 4
#define PLACES 6

/* The bucket: a value for each key, and how far each agent has read its changes. */
struct change {
	char key[48], text[64];
	uint64_t revision;
};

struct world {
	struct change change[200000];
	size_t n, read[AGENTS];
	struct address_book *book[AGENTS];
	int is_gone[AGENTS];
	int asks[PLACES];         /* the agent whose request is in flight; -1: none */
	int64_t ends[PLACES];
	int64_t rests[PLACES];    /* nobody may ask before */
	unsigned asked[PLACES][AGENTS];
	int64_t now;
};

static void ip_of(unsigned place, unsigned char ip[16])
{
	memset(ip, 0, 16);
	ip[15] = (unsigned char)(place + 1);
}

static const struct change *latest(const struct world *w, const char *key)
{
	for (size_t i = w->n; i-- > 0;)
		if (strcmp(w->change[i].key, key) == 0)
			return &w->change[i];
	return NULL;
}

static int set(struct world *w, struct book_write *write)
{
	const struct change *c = latest(w, write->key);

	if (write->revision != (c ? c->revision : 0))
		return 0;
	assert_true(w->n < sizeof w->change / sizeof *w->change);
	struct change *fresh = &w->change[w->n++];
	strcpy(fresh->key, write->key);
	strcpy(fresh->text, write->text);
	write->revision = fresh->revision = w->n;
	return 1;
}

static int is_gone(void *ctx, unsigned agent)
{
	return ((const struct world *)ctx)->is_gone[agent];
}

/* A turn of an agent's thread, which sees the changes late. */
static void work(struct world *w, unsigned a, struct rng *r)
{
	struct book_write write;

	while (w->read[a] < w->n && rng_below(r, 4)) {
		const struct change *c = &w->change[w->read[a]++];
		book_learn(w->book[a], c->key, c->text, strlen(c->text), c->revision, w->now);
	}
	while (book_next(w->book[a], w->now, is_gone, w, &write))
		book_wrote(w->book[a], &write, set(w, &write), w->now);
}

static void begin(struct world *w)
{
	memset(w, 0, sizeof *w);
	w->now = 1000;
	for (unsigned a = 0; a < AGENTS; a++)
		w->book[a] = book_new(a, 50);
	for (unsigned p = 0; p < PLACES; p++)
		w->asks[p] = -1;
}

static void end(struct world *w)
{
	for (unsigned a = 0; a < AGENTS; a++)
		book_free(w->book[a]);
}

static void ask(struct world *w, unsigned a, unsigned place, struct rng *r)
{
	unsigned char ip[16];

	ip_of(place, ip);
	if (w->asks[place] == (int)a || (w->rests[place] > w->now && w->asked[place][a] && w->asks[place] < 0))
		return; /* its own frontier keeps to the rest of its own requests */
	if (!book_ask(w->book[a], ip, w->now))
		return;
	assert_int_equal(w->asks[place], -1);
	assert_true(w->rests[place] <= w->now);
	w->asks[place] = (int)a;
	w->ends[place] = w->now + 1 + (int64_t)rng_below(r, 40);
	w->asked[place][a]++;
}

static void land(struct world *w, struct rng *r)
{
	unsigned char ip[16];

	for (unsigned p = 0; p < PLACES; p++) {
		if (w->asks[p] < 0 || w->ends[p] > w->now)
			continue;
		const int64_t rest = (int64_t)rng_below(r, 50);
		ip_of(p, ip);
		book_ended(w->book[w->asks[p]], ip, w->now, rest);
		w->asks[p] = -1;
		w->rests[p] = w->now + rest;
	}
}

static struct world world;

static void no_two_agents_ask_an_address_at_once_and_each_has_its_turn(void **state)
{
	struct world *w = &world;
	struct rng r;

	(void)state;
	r = (struct rng){5};
	begin(w);
	for (int i = 0; i < 60000; i++) {
		w->now += 1 + (int64_t)rng_below(&r, 3);
		land(w, &r);
		if (i % 5 == 0)
			work(w, (unsigned)rng_below(&r, AGENTS), &r);
		ask(w, (unsigned)rng_below(&r, AGENTS), (unsigned)rng_below(&r, PLACES), &r);
	}
	for (unsigned p = 0; p < PLACES; p++)
		for (unsigned a = 0; a < AGENTS; a++)
			assert_true(w->asked[p][a] > 20);
	end(w);
}

static void an_agent_alone_at_an_address_keeps_it(void **state)
{
	struct world *w = &world;
	struct rng r;

	(void)state;
	r = (struct rng){6};
	begin(w);
	for (int i = 0; i < 3000; i++) {
		w->now += 2;
		land(w, &r);
		work(w, 1, &r);
		ask(w, 1, 0, &r);
	}
	assert_int_equal(w->n, 1); /* one writing */
	assert_int_equal(book_held(w->book[1]), 1);
	assert_true(w->asked[0][1] > 50);
	end(w);
}

static void two_agents_that_ask_no_more_do_not_hand_an_address_to_and_fro(void **state)
{
	unsigned char ip[16];
	struct world *w = &world;
	struct rng r;

	(void)state;
	r = (struct rng){9};
	begin(w);
	ip_of(0, ip);
	for (; !book_ask(w->book[0], ip, w->now); w->now++)
		work(w, 0, &r);
	book_ended(w->book[0], ip, w->now, 0);
	(void)book_ask(w->book[1], ip, w->now);
	for (int i = 0; i < 5000; i++, w->now++)
		work(w, (unsigned)i % 2, &r);
	assert_in_range(w->n, 3, 4); /* one takes it, the other wishes for it and gets it */
	end(w);
}

static void the_addresses_of_an_agent_that_is_gone_are_taken_after_a_rest(void **state)
{
	unsigned char ip[16];
	struct world *w = &world;
	struct rng r;

	(void)state;
	r = (struct rng){7};
	begin(w);
	ip_of(0, ip);
	for (int i = 0; i < 20 && !w->asked[0][2]; i++, w->now++) {
		work(w, 2, &r);
		ask(w, 2, 0, &r);
	}
	assert_int_equal(w->asked[0][2], 1); /* and it never ends */
	w->asks[0] = -1;
	for (int i = 0; i < 500; i++, w->now += 5) {
		work(w, 3, &r);
		assert_false(book_ask(w->book[3], ip, w->now));
	}
	w->is_gone[2] = 1;
	const int64_t gone = w->now;
	while (!book_ask(w->book[3], ip, w->now++))
		work(w, 3, &r);
	assert_true(w->now - gone >= 50 && w->now - gone < 1000);
	/* the one that was gone learns of it before it asks again */
	w->is_gone[2] = 0;
	book_lapse(w->book[2]);
	assert_false(book_ask(w->book[2], ip, w->now));
	end(w);
}

static void a_lapse_costs_the_address_until_it_is_written_again(void **state)
{
	unsigned char ip[16];
	struct world *w = &world;
	struct rng r;

	(void)state;
	r = (struct rng){8};
	begin(w);
	ip_of(3, ip);
	while (!book_ask(w->book[0], ip, w->now++))
		work(w, 0, &r);
	book_ended(w->book[0], ip, w->now, 0);
	assert_int_equal(book_held(w->book[0]), 1);
	book_lapse(w->book[0]);
	assert_int_equal(book_held(w->book[0]), 0);
	assert_false(book_ask(w->book[0], ip, w->now));
	const size_t written = w->n;
	for (int i = 0; i < 300 && !book_ask(w->book[0], ip, w->now); i++, w->now++)
		work(w, 0, &r);
	assert_int_equal(w->n, written + 1);
	assert_int_equal(book_held(w->book[0]), 1);
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
	struct address_book *b = book_new(0, 20);
	struct book_write write;
	static struct world w; /* too large for the stack */
	unsigned char ip[16];

	(void)state;
	ip_of(0, ip);
	assert_false(book_ask(b, ip, 1000));
	assert_true(book_next(b, 1000, is_gone, &w, &write));
	write.revision = 1;
	book_wrote(b, &write, 1, 1000);
	assert_true(book_ask(b, ip, 1001));
	book_ended(b, ip, 1002, 20);
	book_learn(b, write.key, "0 1 0", 5, 2, 1003);
	/* idle for a while, the agent gives the address to the one that wishes for it */
	(void)book_next(b, 1300, is_gone, &w, &write); /* the end of the round that the last call began */
	assert_true(book_next(b, 1300, is_gone, &w, &write));
	assert_int_equal(write.holder, 1);
	assert_false(book_ask(b, ip, 1301));
	write.revision = 3;
	book_wrote(b, &write, 1, 1302);
	assert_false(book_ask(b, ip, 1303));
	book_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_two_agents_ask_an_address_at_once_and_each_has_its_turn),
		cmocka_unit_test(an_agent_alone_at_an_address_keeps_it),
		cmocka_unit_test(two_agents_that_ask_no_more_do_not_hand_an_address_to_and_fro),
		cmocka_unit_test(the_addresses_of_an_agent_that_is_gone_are_taken_after_a_rest),
		cmocka_unit_test(a_lapse_costs_the_address_until_it_is_written_again),
		cmocka_unit_test(an_address_that_is_being_handed_over_is_not_asked),
		cmocka_unit_test(text_that_is_none_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
