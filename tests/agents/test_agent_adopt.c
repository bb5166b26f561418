/* What an agent makes of the log of a partition that it takes over, above all of one that it has had before. */
#include "tests/test.h"

#include "agents/letter.h"
#include "agents/log_pack.h"
#include "agents/member.h"
#include "base/mem.h"
#include "crawler/agent/agent_shares_parts.h"
#include "crawler/network/net_source.h"
#include "policies/policies.h"

#include <stdlib.h>

enum { SELF, OTHER, AGENTS };

/* The agent SELF, without a server, and the partition of example.org. */
struct world {
	struct shares shares;
	struct scope *scope;
	struct store *store, *others; /* its own, and that of OTHER */
	struct source *source;
	struct frontier *frontier;
	struct opt_set opts;
	struct agent_pages pages;
	struct exchange *exchange;
	struct post *post;
	struct agent_turns turns;
	struct agent_shares *moves;
	unsigned partition;
	struct log_pack_out pack; /* the next message of the partition's log */
	uint64_t messages;
	struct member_chapter **end;
};

static int send_nothing(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why)
{
	(void)ctx, (void)partition, (void)letter, (void)n, (void)why;
	return 0;
}

static void log_nothing(void *ctx, uint64_t at)
{
	(void)ctx, (void)at;
}

static int commit_nothing(void *ctx, struct err_note *why)
{
	(void)ctx, (void)why;
	return 0;
}

static void start_moves(struct world *);

static void begin(struct world *w)
{
	const struct scope_settings wide = {.span_hosts = 1, .max_depth = UINT32_MAX, .rules = "", .traps = ""};
	struct fetch_settings fetch = fetch_defaults;
	struct frontier_world world;

	*w = (struct world){.partition = partition_of("example.org", 11), .shares = {.agents = AGENTS}, .pack = LOG_PACK_EMPTY};
	w->shares.owner[w->partition] = OTHER;
	fetch.threads = 1;
	fetch.parallel = 1;
	fetch.no_robots = 1;
	fetch.user_agent = "test";
	assert_int_equal(scope_new(&w->scope, &wide, NULL), 0);
	assert_int_equal(store_open(&w->store, scratch(), STORE_WRITE, NULL), 0);
	assert_int_equal(store_open(&w->others, scratch(), STORE_WRITE, NULL), 0);
	assert_int_equal(net_source_new(&w->source, &fetch, w->scope, w->store, NULL), 0);
	net_source_divide(w->source, &w->shares, SELF, &(struct net_permits){0});
	w->source->ops->world(w->source, &world);
	opt_init(&w->opts, policy_opic.opts, policy_opic.name);
	const struct frontier_settings s = {.policy = &policy_opic, .opts = &w->opts, .batch = 1, .per_host = 1};
	assert_int_equal(frontier_new(&w->frontier, &s, &world, NULL), 0);
	w->pages = (struct agent_pages){.store = w->store, .source = w->source, .time = NET_FLEET_NOW};
	const struct exchange_pages pages = agent_pages_for_exchange(&w->pages);
	w->exchange = exchange_new(w->frontier, &w->shares, SELF, &pages, &(struct exchange_post){.ctx = w, .send = send_nothing});
	w->post = post_new(AGENTS, SELF);
	w->turns = (struct agent_turns){.delay = 1};
	start_moves(w);
}

static void start_moves(struct world *w)
{
	w->moves = agent_shares_new(NULL, SELF);
	agent_shares_join(w->moves,
		&(struct agent_parts){.self = SELF,
			.shares = &w->shares,
			.post = w->post,
			.store = w->store,
			.frontier = w->frontier,
			.source = w->source,
			.exchange = w->exchange,
			.pages = &w->pages,
			.turns = &w->turns,
			.ctx = w,
			.send = send_nothing,
			.log_own = log_nothing,
			.commit = commit_nothing});
}

static void end(struct world *w)
{
	agent_shares_free(w->moves);
	post_free(w->post);
	exchange_free(w->exchange);
	agent_pages_release(&w->pages);
	frontier_free(w->frontier);
	opt_release(&w->opts);
	w->source->ops->close(w->source);
	scope_free(w->scope);
	store_drop(w->store);
	store_drop(w->others);
	log_pack_out_release(&w->pack);
}

/* The partition changes hands; if it comes here, its log is read from the first message. */
static void move_to(struct world *w, uint16_t owner)
{
	assert_int_equal(agent_shares_change(w->moves, &w->partition, &owner, 1, NULL), 0);
	w->moves->rest[w->partition] = owner == SELF;
	w->messages = 0;
	w->end = &w->moves->chapter;
}

static void chapter(struct world *w, const struct buf *message, int is_last)
{
	struct member_chapter *c = mem_zero(1, sizeof *c + message->used);

	*c = (struct member_chapter){.partition = w->partition, .number = ++w->messages, .is_last = is_last, .n = message->used};
	if (message->used)
		memcpy(c->message, message->at, message->used);
	*w->end = c;
	w->end = &c->next;
}

static void queued(struct world *w, uint64_t number, const char *url)
{
	log_pack_add(&w->pack, LOG_PACK_QUEUED, number, url, strlen(url));
}

/* The page has failed at OTHER. */
static void failed(struct world *w, uint64_t number, const char *url)
{
	const struct result result = {.state = PAGE_FAILED,
		.outcome = OUTCOME_STATUS,
		.status = 404,
		.ended = 1234567890123,
		.type = "",
		.language = "",
		.title = ""};
	struct store_page page = {.url = url, .url_length = strlen(url)};
	struct buf record = BUF_EMPTY;
	uint32_t id;

	if (!store_find(w->others, url, strlen(url), &id)) {
		assert_int_equal(store_host(w->others, "example.org", 11, &page.host, NULL), 0);
		assert_int_equal(store_add(w->others, &page, &id, NULL), 0);
		assert_int_equal(store_put_result(w->others, id, &result, NULL), 0);
	}
	assert_int_equal(page_record_write(w->others, id, 0, &record), 1);
	log_pack_add(&w->pack, LOG_PACK_PAGE, number, record.at, record.used);
	buf_release(&record);
}

/* A process is killed, and the next one reads the store's log. The frontier has what the resume would give it again. */
static void restart(struct world *w)
{
	struct store_log_cursor *c;
	struct log_entry e;

	agent_shares_free(w->moves);
	start_moves(w);
	c = store_log_start(w->store);
	while (store_log_next(c, &e, NULL) > 0)
		if (e.kind == LOG_SHARES)
			assert_int_equal(agent_shares_entry(w->moves, e.text, NULL), 0);
	store_log_stop(c);
	assert_int_equal(agent_shares_resumed(w->moves, NULL), 0);
	w->messages = 0;
	w->end = &w->moves->chapter;
}

static unsigned count_entries(const struct world *w, enum log_kind kind)
{
	struct store_log_cursor *c = store_log_start(w->store);
	struct log_entry e;
	unsigned n = 0;

	while (store_log_next(c, &e, NULL) > 0)
		n += e.kind == kind;
	store_log_stop(c);
	return n;
}

/* A letter about a sitemap. */
static void heard(struct world *w, uint64_t number, const char *url)
{
	struct letter_out letter = {BUF_EMPTY, BUF_EMPTY};
	struct buf bytes = BUF_EMPTY;

	letter_write_seed(&letter, w->partition, url, strlen(url));
	buf_varint(&bytes, OTHER);
	buf_varint(&bytes, 1);
	buf_add(&bytes, letter.bytes.at, letter.bytes.used);
	log_pack_add(&w->pack, LOG_PACK_LETTER, number, bytes.at, bytes.used);
	buf_release(&bytes);
	letter_out_release(&letter);
}

/* Reads what was added since the last call, as a message of `agent`, and the end of the log. */
static void read_to_the_end(struct world *w, unsigned agent)
{
	struct buf message = BUF_EMPTY;

	log_pack_seal(&w->pack, agent, &message);
	chapter(w, &message, 0);
	buf_clear(&message);
	chapter(w, &message, 1);
	assert_int_equal(agent_adopt(w->moves, NULL), 0);
	assert_int_equal(w->moves->n_unfinished, 0);
	buf_release(&message);
}

static enum page_state state_of(const struct world *w, const char *url)
{
	uint32_t id;

	return store_find(w->store, url, strlen(url), &id) ? frontier_state(w->frontier, id) : PAGE_UNSEEN;
}

static void write_log(struct world *w)
{
	queued(w, 256, "http://example.org/waits");
	queued(w, 512, "http://example.org/fails");
	failed(w, 768, "http://example.org/fails");
}

static void a_partition_that_comes_back_is_read_again_from_its_first_record(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	for (int turn = 0; turn < 3; turn++) {
		move_to(&w, SELF);
		write_log(&w);
		if (turn) /* the other one had it meanwhile */
			failed(&w, 1024, "http://example.org/waits");
		read_to_the_end(&w, OTHER);
		assert_int_equal(state_of(&w, "http://example.org/fails"), PAGE_FAILED);
		assert_int_equal(state_of(&w, "http://example.org/waits"), turn ? PAGE_FAILED : PAGE_QUEUED);
		move_to(&w, OTHER);
		assert_int_equal(state_of(&w, "http://example.org/fails"), PAGE_REMOTE);
	}
	end(&w);
}

static void a_record_that_stands_in_the_log_twice_counts_once(void **state)
{
	struct buf message = BUF_EMPTY;
	struct world w;

	(void)state;
	begin(&w);
	move_to(&w, SELF);
	write_log(&w);
	log_pack_seal(&w.pack, OTHER, &message);
	chapter(&w, &message, 0);
	chapter(&w, &message, 0);
	queued(&w, 2048, "http://example.org/more");
	read_to_the_end(&w, OTHER);
	assert_int_equal(state_of(&w, "http://example.org/more"), PAGE_QUEUED);
	assert_int_equal(count_entries(&w, LOG_ADOPTED), 1);
	buf_release(&message);
	end(&w);
}

static void a_letter_that_stands_in_the_log_twice_counts_once_if_the_reader_is_killed_between(void **state)
{
	struct buf message = BUF_EMPTY;
	struct world w;

	(void)state;
	begin(&w);
	move_to(&w, SELF);
	heard(&w, 256, "http://example.org/sitemap");
	log_pack_seal(&w.pack, OTHER, &message);
	chapter(&w, &message, 0);
	assert_int_equal(agent_adopt(w.moves, NULL), 0);
	assert_int_equal(count_entries(&w, LOG_HEARD), 1);
	restart(&w);
	assert_int_equal(w.moves->n_unfinished, 1);
	chapter(&w, &message, 0); /* a log is read from its first message */
	heard(&w, 256, "http://example.org/sitemap");
	queued(&w, 512, "http://example.org/more");
	read_to_the_end(&w, OTHER);
	assert_int_equal(count_entries(&w, LOG_HEARD), 1);
	assert_int_equal(state_of(&w, "http://example.org/more"), PAGE_QUEUED);
	buf_release(&message);
	end(&w);
}

static void partitions_that_come_together_are_whole_together(void **state)
{
	const unsigned other = partition_of("example.net", 11);
	const uint16_t self = SELF;
	const struct buf none = BUF_EMPTY;
	struct world w;

	(void)state;
	begin(&w);
	w.shares.owner[other] = OTHER;
	assert_int_equal(agent_shares_change(w.moves, &other, &self, 1, NULL), 0);
	move_to(&w, SELF);
	chapter(&w, &none, 1);
	assert_int_equal(agent_adopt(w.moves, NULL), 0);
	restart(&w); /* the pages of the one partition are not settled, since the other's log was still to be read */
	assert_int_equal(w.moves->n_unfinished, 2);
	chapter(&w, &none, 1);
	w.partition = other;
	chapter(&w, &none, 1);
	assert_int_equal(agent_adopt(w.moves, NULL), 0);
	assert_int_equal(w.moves->n_unfinished, 0);
	restart(&w);
	assert_int_equal(w.moves->n_unfinished, 0);
	end(&w);
}

/* Bytes that no agent has written, a message of a later version, and a record of a kind that this version does not know. */
static void what_cannot_be_read_in_a_log_is_passed_over(void **state)
{
	static const char strange[] = "https://example.org/x";
	struct world w;
	struct buf hello = BUF_EMPTY;
	uint32_t id;

	(void)state;
	begin(&w);
	move_to(&w, SELF);
	buf_text(&hello, "hello");
	chapter(&w, &hello, 0);
	buf_clear(&hello);
	chapter(&w, &hello, 0);
	log_pack_add(&w.pack, (enum log_pack_kind)99, 1, "?", 1);
	log_pack_add(&w.pack, LOG_PACK_PAGE, 1, strange, strlen(strange));
	log_pack_add(&w.pack, LOG_PACK_LETTER, 1, strange, strlen(strange));
	log_pack_add(&w.pack, LOG_PACK_REST, 1, "\xff", 1);
	log_pack_add(&w.pack, LOG_PACK_QUEUED, 1, strange, strlen(strange));
	log_pack_seal(&w.pack, NEWS_AGENTS, &hello);
	chapter(&w, &hello, 0);
	queued(&w, 1, "https://example.org/a");
	log_pack_add(&w.pack, (enum log_pack_kind)0, 1, "?", 1);
	log_pack_add(&w.pack, LOG_PACK_PAGE, 1, strange, strlen(strange));
	log_pack_add(&w.pack, LOG_PACK_LETTER, 1, strange, strlen(strange));
	log_pack_add(&w.pack, LOG_PACK_REST, 1, "\xff", 1);
	queued(&w, 2, "https://example.org/b");
	log_pack_seal(&w.pack, OTHER, &hello);
	chapter(&w, &hello, 0);
	buf_clear(&hello);
	chapter(&w, &hello, 1);
	assert_int_equal(agent_adopt(w.moves, NULL), 0);
	assert_int_equal(w.moves->n_unfinished, 0);
	for (const char *url = "a"; *url; url = *url == 'a' ? "b" : "") {
		char text[] = "https://example.org/?";
		text[strlen(text) - 1] = *url;
		assert_true(store_find(w.store, text, strlen(text), &id));
		assert_int_equal(frontier_state(w.frontier, id), PAGE_QUEUED);
	}
	assert_false(store_find(w.store, strange, strlen(strange), &id));
	buf_release(&hello);
	end(&w);
}

/* This agent posts a letter about a sitemap to OTHER. */
static void post(struct world *w, const char *url)
{
	struct letter_out letter = {BUF_EMPTY, BUF_EMPTY};

	letter_write_seed(&letter, w->partition, url, strlen(url));
	const struct log_entry entry = {.kind = LOG_POSTED,
		.agent = OTHER,
		.letter = letter.bytes.at,
		.letter_n = letter.bytes.used};
	assert_int_equal(store_log(w->store, &entry, NULL), 0);
	(void)post_add(w->post, OTHER, letter.bytes.at, letter.bytes.used);
	letter_out_release(&letter);
}

/* Hears news of OTHER, who has confirmed so many letters. */
static void hear(struct world *w, uint64_t mark, int is_passing, int is_gone)
{
	struct news *n = mem_zero(1, sizeof *n);

	n->generation = 1;
	n->n_marks = AGENTS;
	n->mark[SELF] = mark;
	n->is_passing = is_passing;
	n->is_gone = is_gone;
	agent_shares_hear(w->moves, OTHER, n, 0, 1);
	(void)post_confirm(w->post, OTHER, mark, 0);
	free(n);
}

static int is_queued(const struct world *w, const char *url)
{
	uint32_t id;

	return store_find(w->store, url, strlen(url), &id) && frontier_state(w->frontier, id) == PAGE_QUEUED;
}

static void what_an_agent_that_is_gone_may_have_sent_on_in_vain_is_addressed_to_others(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	post(&w, "https://example.org/kept");
	post(&w, "https://example.org/passing");
	post(&w, "https://example.org/late");
	hear(&w, 1, 0, 0);
	hear(&w, 2, 1, 0);
	hear(&w, 2, 1, 1);
	w.moves->agents = AGENTS;
	w.shares.owner[w.partition] = SELF;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(agent_gone_close(w.moves, NULL), 0);
		assert_false(is_queued(&w, "https://example.org/kept"));
		assert_true(is_queued(&w, "https://example.org/passing"));
		assert_true(is_queued(&w, "https://example.org/late"));
		assert_int_equal(count_entries(&w, LOG_HEARD), 2);
		hear(&w, 2, 1, 1);
	}
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_read_in_a_log_is_passed_over),
		cmocka_unit_test(a_partition_that_comes_back_is_read_again_from_its_first_record),
		cmocka_unit_test(a_record_that_stands_in_the_log_twice_counts_once),
		cmocka_unit_test(a_letter_that_stands_in_the_log_twice_counts_once_if_the_reader_is_killed_between),
		cmocka_unit_test(partitions_that_come_together_are_whole_together),
		cmocka_unit_test(what_an_agent_that_is_gone_may_have_sent_on_in_vain_is_addressed_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
