/* Members of a crawl and the logs of its partitions, at a real NATS server on loopback. */
#include "tests/agents/raw_nats.h"
#include "tests/test.h"

#include "agents/bus.h"
#include "agents/log_pack.h"
#include "agents/member.h"
#include "agents/post.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "crawler/agent/agent_log.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* longer than the time limit of the whole program (build-aux/tap.sh), which alone ends a wait in vain */
#define PATIENCE_MS 1000000

static _Atomic int64_t ahead; /* ms, by which the clock of the leases is ahead of the machine's */

/* In place of the C library's, for all of the program. */
int clock_gettime(clockid_t which, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	const int failed = real(which, t);
	const int64_t ns = t->tv_nsec + (which == CLOCK_BOOTTIME ? atomic_load(&ahead) * 1000000 : 0);
	t->tv_sec += ns / 1000000000;
	t->tv_nsec = ns % 1000000000;
	return failed;
}

/* A server; two members of a crawl; and a bus beside them. They are closed together: the library for NATS ends with its last
 * connection. */
struct world {
	pid_t server;
	char url[128];
	struct member *member[2];
	struct bus *bus;
};

static void pause_ms(int64_t ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/* Reads the URL of the server from the file that it writes. Returns 1, or 0 if it has not yet. */
static int read_url(const char *folder, char *url, size_t room)
{
	char pattern[300], text[512] = "";
	glob_t found;

	snprintf(pattern, sizeof pattern, "%s/*.ports", folder);
	if (glob(pattern, 0, NULL, &found) == 0) {
		FILE *f = fopen(found.gl_pathv[0], "r");
		if (f) {
			text[fread(text, 1, sizeof text - 1, f)] = 0;
			fclose(f);
		}
		globfree(&found);
	}
	const char *at = strstr(text, "nats://"), *end = at ? strchr(at, '"') : NULL;
	if (end)
		snprintf(url, room, "%.*s/test", (int)(end - at), at);
	return end != NULL;
}

static int start_server(struct world *w)
{
	char folder[64];

	snprintf(folder, sizeof folder, "%s", scratch());

	w->server = fork();
	if (!w->server) {
		const int nowhere = open("/dev/null", O_WRONLY);
		dup2(nowhere, 1);
		dup2(nowhere, 2);
		setenv("PATH", "/usr/local/bin:/usr/bin:/usr/sbin", 1);
		execlp("nats-server", "nats-server", "-js", "-sd", folder, "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir",
			folder, (char *)NULL);
		_exit(127);
	}
	for (int64_t until = clock_boot_ms() + PATIENCE_MS; clock_boot_ms() < until; pause_ms(20)) {
		if (read_url(folder, w->url, sizeof w->url))
			return 1;
		if (waitpid(w->server, NULL, WNOHANG) == w->server)
			break;
	}
	w->server = 0;
	return 0;
}

static int set_up(void **state)
{
	struct world *w = mem_zero(1, sizeof *w);
	struct roster *roster = mem_zero(1, sizeof *roster);
	const struct bus_access access = {.creds = NULL};
	const struct member_past none = {.generation = 0};
	struct err_note why = {""};
	struct bus *bus[2];
	char id[2][ROSTER_ID];
	int err = 0;

	*state = w;
	if (start_server(w)) {
		err = bus_open(&w->bus, w->url, &access, &why);
		for (unsigned i = 0; !err && i < 2; i++) {
			roster_draw(id[i]);
			err = bus_open(&bus[i], w->url, &access, &why);
			if (!err)
				err = roster_join(bus[i], id[i], 2, roster, &why);
		}
		for (unsigned i = 0; !err && i < 2; i++)
			err = member_start(&w->member[i], bus[i], roster, i, 1000, 0, &none, &why);
	}
	free(roster);
	if (err)
		print_message("# %s\n", why.text);
	return err && err != ERR_USAGE;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < 2; i++)
		member_stop(w->member[i]);
	bus_close(w->bus);
	bus_end();
	if (w->server) {
		kill(w->server, SIGTERM);
		waitpid(w->server, NULL, 0);
	}
	free(w);
	return 0;
}

static struct world *world_of(void **state)
{
	struct world *w = *state;

	if (!w->member[1])
		skip_because("no nats-server, or built without NATS");
	return w;
}

/* --- when a log is written, and what is written into it while it is held */

struct counted {
	unsigned records;
};

static int count(void *ctx, uint64_t number, const void *message, size_t n)
{
	struct counted *c = ctx;
	struct log_pack pack;
	struct log_pack_record r;

	(void)number;
	assert_int_equal(log_pack_open(&pack, message, n, NULL), 0);
	while (log_pack_next(&pack, &r, NULL) > 0)
		c->records++;
	log_pack_release(&pack);
	return 0;
}

/* Fills n bytes with noise, which cannot be compressed. */
static void fill(uint8_t *bytes, size_t n, uint64_t seed)
{
	struct rng r = {seed};

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)rng_below(&r, 256);
}

static int is_logged_in_time(struct member *m, uint64_t ticket)
{
	for (int64_t until = clock_boot_ms() + PATIENCE_MS; member_logged(m) < ticket && clock_boot_ms() < until;)
		pause_ms(20);
	return member_logged(m) == ticket;
}

static void an_agent_that_leaves_writes_its_logs_at_once(void **state)
{
	struct world *w = world_of(state);
	struct agent_log *l = agent_log_new(w->member[0], 0);
	struct post *post = post_new(2, 0);

	for (uint64_t at = 0; at < 3; at++) {
		agent_log_add(l, 18, LOG_PACK_LETTER, at, "letter", 6);
		agent_log_committed(l, post, at + 1);
		assert_int_equal(agent_log_write(l, post, 0), 1);
	}
	agent_log_free(l);
	post_free(post);
}

static void letters_that_wait_for_a_log_that_is_read_are_all_written(void **state)
{
	enum { RECORDS = 30, BYTES = 100000 };
	struct world *w = world_of(state);
	struct agent_log *l = agent_log_new(w->member[0], 0);
	struct post *post = post_new(2, 0);
	struct buf last = BUF_EMPTY;
	struct counted counted = {0};
	uint8_t *noise = mem_new(BYTES, 1); /* which cannot be compressed */
	uint64_t ticket, number = 0;

	fill(noise, BYTES, 7);
	agent_log_hold(l, 17);
	for (unsigned i = 0; i < RECORDS; i++)
		agent_log_add(l, 17, LOG_PACK_LETTER, i, noise, BYTES);
	agent_log_committed(l, post, RECORDS);
	assert_int_equal(agent_log_write(l, post, AGENT_LOG_SOON_MS), 0);
	assert_false(agent_log_has_letters(l, &ticket));
	agent_log_release(l, 17);
	(void)agent_log_write(l, post, AGENT_LOG_SOON_MS);
	assert_true(agent_log_has_letters(l, &ticket));
	assert_true(is_logged_in_time(w->member[0], ticket) && agent_log_is_quiet(l));
	assert_int_equal(bus_get(w->bus, "log.17", &last, &number, NULL), 1);
	assert_int_equal(bus_log_read(w->bus, 17, 0, number, count, &counted, NULL), 0);
	assert_int_equal(counted.records, RECORDS);
	buf_release(&last);
	free(noise);
	post_free(post);
	agent_log_free(l);
}

/* --- leases */

static void an_agent_whose_news_come_keeps_its_lease(void **state)
{
	struct world *w = world_of(state);
	struct news *news = mem_zero(1, sizeof *news);
	int64_t ago = INT64_MAX;

	for (int64_t until = clock_boot_ms() + PATIENCE_MS; ago == INT64_MAX && clock_boot_ms() < until; pause_ms(20))
		member_hear(w->member[0], 1, news, &ago);
	assert_true(ago < NEWS_LOST_MS);
	member_seize(w->member[0], 1);
	pause_ms(500);
	memset(news, 0, sizeof *news);
	news->crawled = 4711;
	member_tell(w->member[1], news, NULL, 1);
	news->crawled = 0;
	for (int64_t until = clock_boot_ms() + PATIENCE_MS; news->crawled != 4711 && clock_boot_ms() < until; pause_ms(20)) {
		assert_int_equal(member_fault(w->member[1], NULL), 0);
		member_hear(w->member[0], 1, news, &ago);
	}
	assert_int_equal(news->crawled, 4711);
	assert_false(news->is_gone);
	free(news);
}

/* Lets two seconds pass, after which the agent renews its lease. */
static void let_time_pass(struct member *m)
{
	const int64_t before = atomic_load(member_sure_until(m));

	atomic_fetch_add(&ahead, 2000);
	while (atomic_load(member_sure_until(m)) == before)
		pause_ms(5);
}

static void an_agent_that_was_never_heard_is_waited_for_six_times_as_long(void **state)
{
	struct world *w = world_of(state);
	struct roster *roster = mem_zero(1, sizeof *roster);
	const struct bus_access access = {.creds = NULL};
	char url[140], id[2][ROSTER_ID];
	struct bus *bus;
	struct member *m;

	snprintf(url, sizeof url, "%s2", w->url); /* another crawl, whose second agent has joined and does not run */
	assert_int_equal(bus_open(&bus, url, &access, NULL), 0);
	for (int i = 0; i < 2; i++) {
		roster_draw(id[i]);
		assert_int_equal(roster_join(bus, id[i], 2, roster, NULL), 0);
	}
	const int64_t begun = clock_boot_ms();
	assert_int_equal(member_start(&m, bus, roster, 0, 1000, 0, &(struct member_past){.generation = 0}, NULL), 0);
	while (!member_is_lost(m, 1))
		let_time_pass(m);
	assert_true(clock_boot_ms() - begun > 6 * NEWS_LOST_MS);
	assert_false(member_is_lost(m, 0));
	member_stop(m);
	free(roster);
}

/* --- keys */

static void a_key_that_was_deleted_is_written_as_one_that_never_was(void **state)
{
	struct world *w = world_of(state);
	struct buf value = BUF_EMPTY;
	uint64_t revision = 0;
	int got = 1;

	assert_int_equal(bus_set(w->bus, "greeting", "hello", 5, &revision, NULL), 1);
	assert_int_equal(bus_get(w->bus, "greeting", &value, &revision, NULL), 1);
	delete_key(w->url, "greeting");
	for (int64_t until = clock_boot_ms() + PATIENCE_MS; got && clock_boot_ms() < until; pause_ms(20))
		got = bus_get(w->bus, "greeting", &value, &revision, NULL);
	assert_int_equal(got, 0);
	assert_int_equal(revision, 0);
	assert_int_equal(bus_set(w->bus, "greeting", "again", 5, &revision, NULL), 1);
	assert_int_equal(bus_get(w->bus, "greeting", &value, &revision, NULL), 1);
	assert_memory_equal(value.at, "again", 5);
	revision = 0; /* of a key that is there */
	assert_int_equal(bus_set(w->bus, "greeting", "never", 5, &revision, NULL), 0);
	buf_release(&value);
}

/* Says whether an agent may ask at an address within the patience of the test, and ends the request. */
static int asks_in_time(struct member *m, const unsigned char ip[16])
{
	for (int64_t until = clock_boot_ms() + PATIENCE_MS; clock_boot_ms() < until; pause_ms(10))
		if (member_ask(m, ip)) {
			member_asked(m, ip, 0);
			return 1;
		}
	return 0;
}

static void an_address_whose_key_was_deleted_is_asked_and_handed_over_as_before(void **state)
{
	static const unsigned char ip[16] = {[15] = 7};
	struct world *w = world_of(state);

	assert_true(asks_in_time(w->member[1], ip));
	delete_key(w->url, "address.00000000000000000000000000000007");
	assert_true(asks_in_time(w->member[0], ip));
	delete_key(w->url, "address.00000000000000000000000000000007");
	assert_true(asks_in_time(w->member[0], ip));
	assert_true(asks_in_time(w->member[1], ip));
}

static void of_several_keys_each_is_written_if_its_revision_is_the_last(void **state)
{
	struct world *w = world_of(state);
	struct bus_value v[] = {{.key = "one", .bytes = "1", .n = 1}, {.key = "two", .bytes = "22", .n = 2}};
	struct buf value = BUF_EMPTY;
	uint64_t revision;

	assert_int_equal(bus_set_all(w->bus, v, 2, NULL), 0);
	assert_true(v[0].result == 1 && v[1].result == 1 && v[0].revision && v[1].revision > v[0].revision);
	v[0].revision++;
	v[1].bytes = "33";
	assert_int_equal(bus_set_all(w->bus, v, 2, NULL), 0);
	assert_true(v[0].result == 0 && v[1].result == 1);
	assert_int_equal(bus_get(w->bus, "two", &value, &revision, NULL), 1);
	assert_memory_equal(value.at, "33", 2);
	assert_int_equal(revision, v[1].revision);
	buf_release(&value);
}

/* Adds a message of records with the numbers from..to, each of n bytes that cannot be compressed, to a log. Returns its ticket. */
static uint64_t log_records(struct member *m, unsigned partition, enum log_pack_kind kind, uint64_t from, uint64_t to, size_t n)
{
	struct log_pack_out pack = LOG_PACK_EMPTY;
	struct buf message = BUF_EMPTY;
	uint8_t *bytes = mem_new(n, 1);

	for (uint64_t i = from; i <= to; i++) {
		fill(bytes, n, i);
		log_pack_add(&pack, kind, i, bytes, n);
	}
	log_pack_seal(&pack, 1, &message);
	const uint64_t ticket = member_log(m, partition, message.at, message.used);
	log_pack_out_release(&pack);
	buf_release(&message);
	free(bytes);
	return ticket;
}

/* --- logs that fail, or that others have written; the last tests, since the members write no more logs */

static int last_of_log(const struct world *w, unsigned partition, struct buf *last, uint64_t *number)
{
	char key[16];

	snprintf(key, sizeof key, BUS_LOG "%u", partition);
	return bus_get(w->bus, key, last, number, NULL);
}

static void many_messages_for_many_logs_are_written_in_order(void **state)
{
	enum { MESSAGES = 1500, LOGS = 700 };
	struct world *w = world_of(state);
	uint64_t ticket = 0, number;
	struct buf last = BUF_EMPTY;

	for (unsigned i = 0; i < MESSAGES; i++)
		ticket = log_records(w->member[1], 100 + i % LOGS, LOG_PACK_QUEUED, i, i, 19);
	assert_true(is_logged_in_time(w->member[1], ticket));
	for (unsigned p = 0; p < LOGS; p++) {
		struct log_pack pack;
		struct log_pack_record r;
		assert_int_equal(last_of_log(w, 100 + p, &last, &number), 1);
		assert_int_equal(log_pack_open(&pack, last.at, last.used, NULL), 0);
		assert_int_equal(log_pack_next(&pack, &r, NULL), 1);
		assert_int_equal(r.number, p + (MESSAGES - 1 - p) / LOGS * LOGS);
		log_pack_release(&pack);
	}
	buf_release(&last);
}

/* Counts the records of a log, which ascend. */
static int count_records(void *ctx, uint64_t number, const void *message, size_t n)
{
	uint64_t *last = ctx;
	struct log_pack pack;
	struct log_pack_record r;

	(void)number;
	assert_int_equal(log_pack_open(&pack, message, n, NULL), 0);
	while (log_pack_next(&pack, &r, NULL) > 0)
		assert_int_equal(r.number, ++*last);
	log_pack_release(&pack);
	return 0;
}

static uint64_t records_of(const struct world *w, unsigned partition)
{
	struct buf last = BUF_EMPTY;
	uint64_t number, count = 0;

	if (last_of_log(w, partition, &last, &number) > 0)
		assert_int_equal(bus_log_read(w->bus, partition, 0, number, count_records, &count, NULL), 0);
	buf_release(&last);
	return count;
}

static void a_message_that_a_log_does_not_take_is_divided_and_holds_no_other(void **state)
{
	struct world *w = world_of(state);
	struct member *m = w->member[1];

	/* more than the server takes: 3 MB in records of 100 kB, and a page of 2 MB, which is left out */
	(void)log_records(m, 20, LOG_PACK_LETTER, 1, 30, 100000);
	(void)log_records(m, 21, LOG_PACK_PAGE, 1, 1, 2000000);
	assert_true(is_logged_in_time(m, log_records(m, 22, LOG_PACK_LETTER, 1, 1, 10)));
	assert_int_equal(records_of(w, 20), 30);
	assert_int_equal(records_of(w, 21), 0);
	assert_int_equal(records_of(w, 22), 1);
	/* more than the stream takes */
	limit_messages(w->url, 2000);
	(void)log_records(m, 23, LOG_PACK_LETTER, 1, 30, 300);
	(void)log_records(m, 24, LOG_PACK_PAGE, 1, 1, 3000);
	assert_true(is_logged_in_time(m, log_records(m, 25, LOG_PACK_LETTER, 1, 1, 10)));
	limit_messages(w->url, -1);
	assert_int_equal(records_of(w, 23), 30);
	assert_int_equal(records_of(w, 24), 0);
	assert_int_equal(records_of(w, 25), 1);
	assert_int_equal(member_fault(m, NULL), 0);
}

/* Waits for the error with which a membership ends. */
static int fault_of(struct member *m, struct err_note *why)
{
	int err = 0;

	for (int64_t until = clock_boot_ms() + PATIENCE_MS; !(err = member_fault(m, why)) && clock_boot_ms() < until;)
		pause_ms(20);
	return err;
}

static void a_member_whose_logs_are_lost_begins_anew_and_writes_them_again(void **state)
{
	struct world *w = world_of(state);
	struct member_past past;
	struct roster *roster = mem_zero(1, sizeof *roster);
	const struct bus_access access = {.creds = NULL};
	struct buf text = BUF_EMPTY;
	struct bus *bus;

	assert_true(is_logged_in_time(w->member[1], log_records(w->member[1], 9, LOG_PACK_LETTER, 1, 1, 10)));
	say_to_server(w->url, "PUB $JS.API.STREAM.DELETE.lycosa-test-log 0\r\n");
	(void)log_records(w->member[1], 9, LOG_PACK_LETTER, 2, 2, 10);
	assert_int_equal(fault_of(w->member[1], NULL), ERR_UNREACHABLE);
	assert_true(member_begins_anew(w->member[1]));
	member_remember(w->member[1], 1, &past);
	member_past_write(&past, &text);
	assert_int_equal(member_past_read(&past, text.at), 0);
	member_stop(w->member[1]);
	w->member[1] = NULL;
	assert_int_equal(roster_look(w->bus, roster, NULL), 1);
	assert_int_equal(bus_open(&bus, w->url, &access, NULL), 0);
	assert_int_equal(member_start(&w->member[1], bus, roster, 1, 1000, 0, &past, NULL), 0);
	assert_true(member_rewrites(w->member[1]));
	assert_int_not_equal(member_generation(w->member[1]), past.generation);
	/* the other member sees the new generation */
	assert_int_equal(fault_of(w->member[0], NULL), ERR_UNREACHABLE);
	assert_true(member_begins_anew(w->member[0]));
	assert_true(is_logged_in_time(w->member[1], log_records(w->member[1], 9, LOG_PACK_LETTER, 1, 1, 10)));
	buf_release(&text);
	free(roster);
}

static void a_letter_that_no_log_takes_ends_the_member_with_a_message(void **state)
{
	struct world *w = world_of(state);
	struct err_note why = {""};

	(void)log_records(w->member[1], 10, LOG_PACK_LETTER, 1, 1, 2000000);
	assert_int_equal(fault_of(w->member[1], &why), ERR_TOO_BIG);
	assert_non_null(strstr(why.text, "max_payload"));
}

/* Writes bytes over a key, whatever it has, as somebody does who has the bucket's address. */
static void write_over(struct world *w, const char *key, const char *bytes)
{
	struct buf before = BUF_EMPTY;
	uint64_t revision;
	int got = 0;

	while (got <= 0) {
		assert_true(bus_get(w->bus, key, &before, &revision, NULL) >= 0);
		got = bus_set(w->bus, key, bytes, strlen(bytes), &revision, NULL);
	}
	buf_release(&before);
}

static void await_aside(const struct member *m, uint64_t least)
{
	for (int64_t until = clock_boot_ms() + PATIENCE_MS; atomic_load(member_aside(m)) < least && clock_boot_ms() < until;)
		pause_ms(20);
}

/* Waits until the bucket's roster is one that has both members in their places. */
static void await_roster(struct world *w, const struct roster *known)
{
	struct roster *now = mem_zero(1, sizeof *now);
	int is_there = 0;

	for (int64_t until = clock_boot_ms() + PATIENCE_MS; !is_there && clock_boot_ms() < until; pause_ms(20))
		is_there = roster_look(w->bus, now, NULL) > 0 && roster_extends(now, known);
	assert_true(is_there);
	free(now);
}

static void what_no_agent_writes_is_put_aside_and_what_it_has_replaced_is_written_again(void **state)
{
	static const char address[] = "address.00000000000000000000000000000008";
	static const unsigned char ip[16] = {[15] = 8};
	struct world *w = world_of(state);
	struct bus_value later = {.key = "log.4", .bytes = "\x63 later", .n = 7};
	struct roster *roster = mem_zero(1, sizeof *roster), *swapped = mem_zero(1, sizeof *swapped);
	struct share_table table = {.epoch = 0};
	struct buf text = BUF_EMPTY;
	char key[64];

	assert_int_equal(roster_look(w->bus, roster, NULL), 1);
	assert_true(asks_in_time(w->member[0], ip));
	write_over(w, address, "hello");
	assert_true(asks_in_time(w->member[0], ip) && asks_in_time(w->member[1], ip));
	/* a log whose last message is another's, of a partition that has not changed hands */
	assert_int_equal(bus_set_all(w->bus, &later, 1, NULL), 0);
	assert_int_equal(later.result, 1);
	assert_true(is_logged_in_time(w->member[0], member_log(w->member[0], 4, "message", 7)));
	*swapped = *roster;
	memcpy(swapped->id[0], roster->id[1], ROSTER_ID);
	memcpy(swapped->id[1], roster->id[0], ROSTER_ID);
	roster_write(swapped, &text);
	write_over(w, "roster", "hello");
	await_roster(w, roster);
	write_over(w, "roster", text.at);
	await_roster(w, roster);
	for (unsigned p = 0; p < PARTITIONS; p++)
		table.owner[p] = 5; /* no such agent is in the roster */
	table.epoch = UINT64_MAX;
	share_table_write(&table, &text);
	write_over(w, SHARE_TABLE_KEY, text.at);
	while (!member_shares(w->member[0], &(struct share_table){.epoch = 0}))
		pause_ms(20);
	write_over(w, "state", "hello");
	snprintf(key, sizeof key, "agent.%s", roster->id[1]);
	write_over(w, key, "hello");
	await_aside(w->member[0], 6);
	for (int i = 0; i < 2; i++)
		assert_int_equal(member_fault(w->member[i], NULL), 0);
	assert_int_equal(member_state(w->member[0]), MEMBER_RUNNING);
	free(roster);
	free(swapped);
	buf_release(&text);
}

static void a_stream_of_logs_that_has_other_limits_is_opened(void **state)
{
	struct world *w = world_of(state);
	struct err_note why = {""};

	limit_messages(w->url, 500000);
	for (int i = 0; i < 25; i++, pause_ms(20)) /* until the server has changed the stream, and then */
		assert_int_equal(bus_log_open(w->bus, &why), 0);
	limit_messages(w->url, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_agent_that_leaves_writes_its_logs_at_once),
		cmocka_unit_test(letters_that_wait_for_a_log_that_is_read_are_all_written),
		cmocka_unit_test(an_agent_whose_news_come_keeps_its_lease),
		cmocka_unit_test(a_key_that_was_deleted_is_written_as_one_that_never_was),
		cmocka_unit_test(an_address_whose_key_was_deleted_is_asked_and_handed_over_as_before),
		cmocka_unit_test(of_several_keys_each_is_written_if_its_revision_is_the_last),
		cmocka_unit_test(many_messages_for_many_logs_are_written_in_order),
		cmocka_unit_test(a_message_that_a_log_does_not_take_is_divided_and_holds_no_other),
		cmocka_unit_test(a_stream_of_logs_that_has_other_limits_is_opened),
		cmocka_unit_test(what_no_agent_writes_is_put_aside_and_what_it_has_replaced_is_written_again),
		cmocka_unit_test(a_member_whose_logs_are_lost_begins_anew_and_writes_them_again),
		cmocka_unit_test(a_letter_that_no_log_takes_ends_the_member_with_a_message),
		cmocka_unit_test(an_agent_that_was_never_heard_is_waited_for_six_times_as_long),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
