/* The post between agents, their news, the roster and the URL of a crawl of several agents: without a server. */
#include "tests/test.h"

#include "agents/bus_access.h"
#include "agents/member.h"
#include "agents/news.h"
#include "agents/post.h"
#include "agents/roster.h"
#include "base/mem.h"
#include "crawler/agent/post_log.h"

#include <stdlib.h>
#include <string.h>

struct wire {
	unsigned to[64];
	uint64_t number[64];
	char letter[64];
	unsigned n, most;
};

static int on_wire(void *ctx, unsigned to, const void *parcel, size_t n)
{
	struct wire *w = ctx;
	struct post_parcel p;

	if (w->n == w->most)
		return -1;
	assert_int_equal(post_parcel_read(&p, parcel, n), 0);
	assert_int_equal(p.from, 2);
	assert_int_equal(p.n, 1);
	w->to[w->n] = to;
	w->number[w->n] = p.number;
	w->letter[w->n++] = *(const char *)p.letter;
	return 0;
}

static void the_letters_to_each_agent_are_numbered_and_sent_in_order(void **state)
{
	struct post *p = post_new(4, 2);
	struct wire w = {.most = 64};

	(void)state;
	assert_int_equal(post_add(p, 0, "a", 1), 1);
	assert_int_equal(post_add(p, 3, "b", 1), 1);
	assert_int_equal(post_add(p, 0, "c", 1), 2);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(w.n, 3);
	assert_memory_equal(w.letter, "acb", 3);
	assert_true(w.number[0] == 1 && w.number[1] == 2 && w.number[2] == 1);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(w.n, 3);
	post_free(p);
}

static void a_letter_that_could_not_be_sent_stays_due(void **state)
{
	struct post *p = post_new(3, 2);
	struct wire w = {.most = 1};

	(void)state;
	post_add(p, 0, "a", 1);
	post_add(p, 0, "b", 1);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(w.n, 1);
	w.most = 64;
	post_each_due(p, 0, on_wire, &w);
	assert_memory_equal(w.letter, "ab", 2);
	assert_int_equal(w.n, 2);
	post_free(p);
}

static void letters_that_nobody_confirms_are_sent_again(void **state)
{
	struct post *p = post_new(3, 2);
	struct post_counts n;
	struct wire w = {.most = 64};

	(void)state;
	for (const char *at = "abcd"; *at; at++)
		post_add(p, 1, at, 1);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(post_confirm(p, 1, 2, 100), 0);
	post_each_due(p, 100 + POST_PATIENCE_MS, on_wire, &w);
	assert_int_equal(w.n, 4);
	post_each_due(p, 101 + POST_PATIENCE_MS, on_wire, &w);
	assert_int_equal(w.n, 6);
	assert_memory_equal(w.letter, "abcdcd", 6);
	assert_int_equal(post_confirm(p, 1, 4, 0), 0);
	post_count(p, &n);
	assert_true(n.sent == 4 && n.waiting == 0 && n.again == 2);
	assert_int_equal(post_add(p, 1, "e", 1), 5);
	post_free(p);
}

static void an_agent_that_was_started_again_gets_all_that_it_has_not_confirmed(void **state)
{
	struct post *p = post_new(3, 2);
	struct wire w = {.most = 64};

	(void)state;
	for (const char *at = "abc"; *at; at++)
		post_add(p, 1, at, 1);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(post_confirm(p, 1, 1, 0), 0);
	post_again(p, 1);
	post_each_due(p, 1, on_wire, &w);
	assert_int_equal(w.n, 5);
	assert_memory_equal(w.letter, "abcbc", 5);
	post_free(p);
}

/* Hands the letters "abcdef" to agent 1 back, as the log has them. */
static void restore_all(struct post *p)
{
	for (uint64_t i = 1; i <= 6; i++)
		post_restore(p, 1, i, "abcdef" + i - 1, 1);
}

static struct post *resumed(void)
{
	struct post *p = post_new(3, 2);

	for (int i = 0; i < 6; i++)
		post_count_earlier(p, 1);
	return p;
}

static void a_resumed_agent_sends_what_is_not_confirmed_and_nothing_else(void **state)
{
	struct post *p = resumed();
	struct post_counts n;
	struct wire w = {.most = 64};

	(void)state;
	assert_int_equal(post_add(p, 1, "g", 1), 7);
	post_each_due(p, 0, on_wire, &w);
	assert_false(post_lacks(p)); /* before it is known what the other agent has */
	assert_int_equal(post_confirm(p, 1, 4, 0), 0);
	assert_true(post_lacks(p));
	restore_all(p);
	post_restore(p, 1, 7, "g", 1);
	assert_false(post_lacks(p));
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(w.n, 3);
	assert_memory_equal(w.letter, "efg", 3);
	assert_true(w.number[0] == 5 && w.number[2] == 7);
	post_count(p, &n);
	assert_int_equal(n.again, 3);
	assert_int_equal(post_add(p, 1, "h", 1), 8);
	post_each_due(p, 0, on_wire, &w);
	assert_true(w.n == 4 && w.letter[3] == 'h' && w.number[3] == 8);
	assert_int_equal(post_confirm(p, 1, 8, 0), 0);
	post_count(p, &n);
	assert_int_equal(n.waiting, 0);
	post_free(p);
}

static void an_agent_that_has_all_letters_gets_none_after_a_resume(void **state)
{
	struct post *p = resumed();
	struct wire w = {.most = 64};

	(void)state;
	assert_int_equal(post_confirm(p, 1, 6, 0), 0);
	assert_false(post_lacks(p));
	post_add(p, 1, "g", 1);
	post_again(p, 1);
	post_each_due(p, 0, on_wire, &w);
	assert_true(w.n == 1 && w.number[0] == 7);
	post_free(p);
}

static void an_agent_whose_store_is_older_again_gets_what_it_has_lost(void **state)
{
	struct post *p = post_new(3, 2);
	struct wire w = {.most = 64};

	(void)state;
	for (const char *at = "abcdef"; *at; at++)
		post_add(p, 1, at, 1);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(post_confirm(p, 1, 5, 0), 0);
	assert_int_equal(post_confirm(p, 1, 2, 0), 0);
	assert_true(post_lacks(p));
	restore_all(p);
	post_each_due(p, 0, on_wire, &w);
	assert_int_equal(w.n, 10);
	assert_memory_equal(w.letter, "abcdefcdef", 10);
	post_free(p);
}

static void numbers_that_an_older_store_has_lost_are_told(void **state)
{
	struct post *p = resumed();

	(void)state;
	assert_int_equal(post_confirm(p, 1, 9, 0), 3);
	for (int i = 0; i < 3; i++)
		post_add(p, 1, "", 0);
	assert_int_equal(post_confirm(p, 1, 9, 0), 0);
	assert_int_equal(post_add(p, 1, "j", 1), 10);
	post_free(p);
}

/* What is restored at once is bounded; the rest follows when it is confirmed. */
static void letters_are_restored_by_and_by(void **state)
{
	struct post *p = post_new(3, 2);
	char *large = mem_zero(1, POST_RESTORE_MOST);
	struct post_counts n;

	(void)state;
	for (int i = 0; i < 3; i++)
		post_count_earlier(p, 1);
	assert_int_equal(post_confirm(p, 1, 0, 0), 0);
	for (uint64_t i = 1; i <= 3; i++)
		post_restore(p, 1, i, large, POST_RESTORE_MOST);
	post_count(p, &n);
	assert_int_equal(n.waiting, POST_HEAD + POST_RESTORE_MOST);
	assert_false(post_lacks(p));
	assert_int_equal(post_confirm(p, 1, 1, 0), 0);
	assert_true(post_lacks(p));
	for (uint64_t i = 1; i <= 3; i++)
		post_restore(p, 1, i, large, POST_RESTORE_MOST);
	assert_int_equal(post_confirm(p, 1, 2, 0), 0);
	assert_true(post_lacks(p));
	free(large);
	post_free(p);
}

/* The letters to two agents, three times as many as are restored at once. */
static void a_log_is_read_once_however_many_portions_are_restored(void **state)
{
	enum { LETTERS = 48, BYTES = 1 << 20 };
	struct store *s;
	struct post *p = post_new(3, 2);
	char *large = mem_zero(1, BYTES);

	(void)state;
	assert_int_equal(store_open(&s, scratch(), STORE_WRITE, NULL), 0);
	for (unsigned i = 0; i < LETTERS; i++)
		for (unsigned to = 0; to < 2; to++) {
			const struct log_entry e = {.kind = LOG_POSTED, .agent = to, .letter = large, .letter_n = to ? 5 : BYTES};
			assert_int_equal(store_log(s, &e, NULL), 0);
			post_count_earlier(p, to);
			assert_int_equal(store_commit(s, NULL), 0);
		}
	struct post_log *log = post_log_new(s);
	assert_int_equal(post_log_confirm(s, p, 0, 0, 0, NULL), 0);
	assert_int_equal(post_log_confirm(s, p, 1, 0, 0, NULL), 0);
	for (int steps = 0; post_lacks(p) && steps < 10 * LETTERS; steps++) {
		assert_int_equal(post_log_restore(log, p, NULL), 0);
		for (unsigned to = 0; to < 2; to++) {
			const uint64_t wanted = post_wanted(p, to);
			assert_int_equal(post_log_confirm(s, p, to, wanted ? wanted - 1 : LETTERS, 0, NULL), 0);
		}
	}
	assert_int_equal(post_confirmed(p, 0), LETTERS);
	assert_int_equal(post_confirmed(p, 1), LETTERS);
	assert_int_equal(post_log_read(log), 2 * LETTERS);
	/* an agent that has lost a part of its store needs letters from before */
	assert_int_equal(post_log_confirm(s, p, 1, 7, 0, NULL), 0);
	assert_true(post_lacks(p));
	assert_int_equal(post_log_restore(log, p, NULL), 0);
	assert_int_equal(post_wanted(p, 1), 0);
	post_log_free(log);
	post_free(p);
	store_drop(s);
	free(large);
}

static void a_number_far_above_the_last_letter_is_refused(void **state)
{
	struct store *s;
	struct post *p = post_new(3, 2);
	struct err_note why = {""};

	(void)state;
	assert_int_equal(store_open(&s, scratch(), STORE_WRITE, NULL), 0);
	(void)post_add(p, 1, "a", 1);
	assert_int_equal(post_log_confirm(s, p, 1, (uint64_t)1 << 60, 0, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "agent 2"));
	assert_int_equal(post_sent(p, 1), 1);
	assert_int_equal(post_confirmed(p, 1), 0);
	assert_int_equal(post_log_confirm(s, p, 1, 3, 0, NULL), 0);
	assert_int_equal(post_sent(p, 1), 3);
	post_free(p);
	store_drop(s);
}

/* Each letter is taken once, in order, whatever comes how often. */
static void a_letter_that_comes_twice_or_after_a_gap_is_told(void **state)
{
	struct post *p = post_new(3, 2);

	(void)state;
	assert_int_equal(post_judge(p, 0, 2), POST_GAP);
	assert_int_equal(post_judge(p, 0, 1), POST_NEXT);
	post_took(p, 0);
	assert_int_equal(post_judge(p, 0, 1), POST_AGAIN);
	assert_int_equal(post_judge(p, 0, 2), POST_NEXT);
	assert_int_equal(post_judge(p, 1, 1), POST_NEXT);
	assert_int_equal(post_mark(p, 0), 1);
	assert_int_equal(post_mark(p, 1), 0);
	post_free(p);
}

static void bytes_that_are_no_parcel_are_none(void **state)
{
	struct post_parcel p;

	(void)state;
	assert_int_equal(post_parcel_read(&p, "\x01\x02\x00\x01\x00\x00\x00\x00\x00\x00", 10), -1);
	assert_int_equal(post_parcel_read(&p, "\x02\x02\x00\x01\x00\x00\x00\x00\x00\x00\x00X", 12), -1);
	assert_int_equal(post_parcel_read(&p, "\x01\x02\x01\x01\x00\x00\x00\x00\x00\x00\x80X", 12), 0);
	assert_int_equal(p.from, 258);
	assert_true(p.number == ((uint64_t)1 << 63) + 1);
}

static void a_pack_gives_back_its_parcels(void **state)
{
	struct buf pack = BUF_EMPTY;
	const uint8_t *at;
	const void *parcel;
	size_t n;

	(void)state;
	post_pack(&pack, "abc", 3);
	post_pack(&pack, "", 0);
	at = (const uint8_t *)pack.at;
	assert_int_equal(post_unpack(&at, at + pack.used, &parcel, &n), 1);
	assert_true(n == 3 && memcmp(parcel, "abc", 3) == 0);
	assert_int_equal(post_unpack(&at, (const uint8_t *)pack.at + pack.used, &parcel, &n), 1);
	assert_int_equal(n, 0);
	assert_int_equal(post_unpack(&at, (const uint8_t *)pack.at + pack.used, &parcel, &n), 0);
	for (size_t cut = 1; cut < 7; cut++) {
		at = (const uint8_t *)pack.at;
		assert_int_equal(post_unpack(&at, at + cut, &parcel, &n), -1);
	}
	buf_release(&pack);
}

static void news_come_back_as_they_were_written(void **state)
{
	struct news *a = mem_zero(1, sizeof *a), *b = mem_zero(1, sizeof *b);
	struct buf text = BUF_EMPTY;

	(void)state;
	*a = (struct news){.run = UINT64_MAX,
		.crawled = 1,
		.seen = 2,
		.queued = 3,
		.in_flight = 4,
		.sent = 5,
		.taken = 6,
		.waiting = 7,
		.again = 12,
		.speed = 13,
		.seeded = 15,
		.lag = 14,
		.round = 8,
		.is_idle = 1,
		.n_marks = 3,
		.mark = {9, 0, 11}};
	news_write(a, &text);
	assert_int_equal(news_read(b, text.at, text.used), 0);
	assert_memory_equal(a, b, sizeof *a);
	for (size_t n = 0; n < 15; n++)
		assert_int_equal(news_read(b, text.at, n), -1);
	assert_int_equal(news_read(b, "lycosa agent 1\nrun x\n", 21), -1);
	assert_int_equal(news_read(b, "lycosa agent 1\nlater 7\nround 2\nleft\n", 36), 0);
	assert_true(b->round == 2 && b->has_left && !b->is_idle && !b->n_marks);
	buf_release(&text);
	free(a);
	free(b);
}

static void a_roster_comes_back_as_it_was_written(void **state)
{
	struct roster *a = mem_zero(1, sizeof *a), *b = mem_zero(1, sizeof *b);
	struct buf text = BUF_EMPTY;

	(void)state;
	a->agents = 3;
	for (a->n = 0; a->n < 2; a->n++)
		roster_draw(a->id[a->n]);
	roster_write(a, &text);
	assert_int_equal(roster_read(b, text.at, text.used), 0);
	assert_memory_equal(a, b, sizeof *a);
	assert_false(roster_is_complete(b));
	assert_int_equal(roster_find(b, a->id[1]), 1);
	assert_int_equal(roster_find(b, "0123456789abcdef"), ROSTER_NONE);
	assert_int_equal(roster_read(b, "lycosa agents 1\n0\n", 18), -1);
	assert_int_equal(roster_read(b, "lycosa agents 1\n9999\n", 21), -1);
	assert_int_equal(roster_read(b, "something else\n", 15), -1);
	assert_int_equal(roster_read(b, "lycosa agents 1\n1\nabc\n", 22), 0);
	assert_int_equal(b->n, 0);
	buf_release(&text);
	free(a);
	free(b);
}

static void the_url_of_a_crawl_has_a_server_and_a_name(void **state)
{
	static const char *const bad[] = {"", "nats://", "nats://h", "nats:///x", "nats://h/", "nats://h/a b", "nats://h/a.b",
		"http://h/x", "nats://u:p@/x", "nats://h/0123456789012345678901234567890123456789012345678901234567890123456789"};
	struct bus_url u;

	(void)state;
	assert_int_equal(bus_url_read(&u, "nats://ann:s3cret@127.0.0.1:4222/web-2_x", NULL), 0);
	assert_string_equal(u.server, "nats://ann:s3cret@127.0.0.1:4222");
	assert_string_equal(u.place, "127.0.0.1:4222");
	assert_string_equal(u.name, "web-2_x");
	assert_false(u.is_tls);
	assert_int_equal(bus_url_read(&u, "tls://host/x", NULL), 0);
	assert_true(u.is_tls);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err_note why = {""};
		assert_int_equal(bus_url_read(&u, bad[i], &why), ERR_USAGE);
		assert_non_null(strstr(why.text, "nats://HOST:PORT/NAME"));
	}
}

static void the_states_of_a_crawl_have_words(void **state)
{
	(void)state;
	for (int s = MEMBER_RUNNING; s <= MEMBER_DONE; s++)
		assert_int_equal(member_state_of(member_state_word((enum member_state)s),
					 strlen(member_state_word((enum member_state)s))),
			s);
	assert_int_equal(member_state_of("run", 3), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_letters_to_each_agent_are_numbered_and_sent_in_order),
		cmocka_unit_test(a_letter_that_could_not_be_sent_stays_due),
		cmocka_unit_test(letters_that_nobody_confirms_are_sent_again),
		cmocka_unit_test(an_agent_that_was_started_again_gets_all_that_it_has_not_confirmed),
		cmocka_unit_test(a_resumed_agent_sends_what_is_not_confirmed_and_nothing_else),
		cmocka_unit_test(an_agent_that_has_all_letters_gets_none_after_a_resume),
		cmocka_unit_test(an_agent_whose_store_is_older_again_gets_what_it_has_lost),
		cmocka_unit_test(numbers_that_an_older_store_has_lost_are_told),
		cmocka_unit_test(letters_are_restored_by_and_by),
		cmocka_unit_test(a_log_is_read_once_however_many_portions_are_restored),
		cmocka_unit_test(a_number_far_above_the_last_letter_is_refused),
		cmocka_unit_test(a_letter_that_comes_twice_or_after_a_gap_is_told),
		cmocka_unit_test(bytes_that_are_no_parcel_are_none),
		cmocka_unit_test(a_pack_gives_back_its_parcels),
		cmocka_unit_test(news_come_back_as_they_were_written),
		cmocka_unit_test(a_roster_comes_back_as_it_was_written),
		cmocka_unit_test(the_url_of_a_crawl_has_a_server_and_a_name),
		cmocka_unit_test(the_states_of_a_crawl_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
