#include "tests/fetch/fetching.h"

#include "fetch/guard.h"
#include "fetch/names.h"

#include <arpa/inet.h>
#include <netdb.h>

/* In place of the system's: what the names of these tests mean. */
static _Atomic int asked, away, stuck, turned;

static struct addrinfo *made(const char *text, struct addrinfo *next)
{
	struct sockaddr_in *at = calloc(1, sizeof *at);
	struct addrinfo *a = calloc(1, sizeof *a);

	at->sin_family = AF_INET;
	assert_int_equal(inet_pton(AF_INET, text, &at->sin_addr), 1);
	*a = (struct addrinfo){.ai_family = AF_INET, .ai_addr = (struct sockaddr *)at, .ai_addrlen = sizeof *at, .ai_next = next};
	return a;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
	(void)service;
	(void)hints;
	asked++;
	while (strcmp(name, "hung.test") == 0 && stuck)
		usleep(10000);
	if (away || strcmp(name, "later.test") == 0)
		return EAI_AGAIN;
	if (strcmp(name, "gone.test") == 0)
		return EAI_NONAME;
	*out = made(strcmp(name, "turns.test") == 0 && !turned ? "93.184.216.34" : "127.0.0.1", NULL);
	if (strncmp(name, "two", 3) == 0)
		*out = made("127.0.0.3", *out); /* where nobody is */
	return 0;
}

void freeaddrinfo(struct addrinfo *a)
{
	while (a) {
		struct addrinfo *next = a->ai_next;
		free(a->ai_addr);
		free(a);
		a = next;
	}
}

static const struct web_row rows[] = {{"/page", .headers = HTML, .body = TWO_LINKS}};

static const char *at_host(const char *host, const struct web *web)
{
	static char url[4][128];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(url[turn], sizeof url[turn], "http://%s:%u/page", host, web_port(web));
	return url[turn];
}

static struct net_address v4(const char *text)
{
	return net_address_read(text, strlen(text));
}

static void a_name_without_an_address_is_told_from_one_that_nobody_tells(void **state)
{
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);

	(void)state;
	for (int no_robots = 0; no_robots < 2; no_robots++) {
		set.no_robots = no_robots;
		struct fetchers *f = start(&set);
		expect(fetch(f, at_host("gone.test", web), 0), PAGE_FAILED, OUTCOME_DNS, 0);
		struct fetch_page *page = fetch(f, at_host("later.test", web), 2);
		assert_true((page->result.not_before - page->result.ended) >= 1000);
		assert_int_equal(page->result.host_pause, page->result.not_before);
		expect(page, PAGE_QUEUED, OUTCOME_DNS_LATER, 0);
		fetchers_free(f);
	}
	assert_int_equal(web_connections(web), 0);
	web_close(web);
}

static void a_dead_address_is_followed_by_the_next(void **state)
{
	const struct net_address here = v4("127.0.0.1"), dead = v4("127.0.0.3");
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);

	(void)state;
	set.tries = 1;
	for (int no_robots = 0; no_robots < 2; no_robots++) {
		set.no_robots = no_robots;
		set.by_address = 0;
		struct fetchers *f = start(&set);
		expect(fetch_politely(f, at_host("two.test", web)), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
		fetchers_free(f);
		/* and whoever grants addresses is told of each before it is asked */
		set.by_address = 1;
		f = start(&set);
		struct fetch_page *page = fetch(f, at_host("two.test", web), 0);
		assert_true(net_address_equal(&page->address, &dead));
		expect(page, PAGE_QUEUED, OUTCOME_ADDRESS, 0);
		page = fetch_at(f, at_host("two.test", web), &dead);
		assert_true(net_address_equal(&page->address, &here));
		assert_int_equal((page->result.not_before - page->result.ended), 0);
		expect(page, PAGE_QUEUED, OUTCOME_ADDRESS, 0);
		page = fetch_at(f, at_host("two.test", web), &here);
		if (!no_robots) {
			expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 404);
			page = fetch_at(f, at_host("two.test", web), &here);
		}
		expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
		fetchers_free(f);
	}
	/* where none is left the page has had its try */
	web_close(web);
	struct fetchers *f = start(&set);
	fetch_page_free(fetch_at(f, "http://two.test:1/", &dead));
	expect(fetch_at(f, "http://two.test:1/", &here), PAGE_FAILED, OUTCOME_CONNECT, 0);
	fetchers_free(f);
}

/* Fetches the page of a host under a guard of the web, with the seeds that it has. */
static struct fetch_page *fetch_guarded(struct guard *guard, const char *url)
{
	struct fetch_settings set = settings(1);

	set.guard = guard;
	set.no_robots = set.by_address = 1;
	set.tries = 1;
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch(f, url, 0);
	if (page->result.outcome == OUTCOME_ADDRESS && !turned) {
		fetchers_free(f);
		return page; /* nothing is asked at a public address */
	}
	if (page->result.outcome == OUTCOME_ADDRESS) {
		const struct net_address at = page->address;
		fetch_page_free(page);
		page = fetch_at(f, url, &at);
	}
	fetchers_free(f);
	return page;
}

static void a_seed_that_was_public_leads_to_no_private_address_later(void **state)
{
	static const struct guard_settings web_wide = {.reach = GUARD_PUBLIC};
	struct guard *guard = guard_new(&web_wide);
	struct web *web = web_open(rows, 1);
	struct url u = URL_EMPTY;
	(void)state;

	const char *const turns = at_host("turns.test", web), *const inner = at_host("a.test", web);
	assert_int_equal(url_parse(&u, turns, strlen(turns), NULL), URL_OK);
	guard_add_seed(guard, &u, GUARD_NAMED);
	turned = 0;
	struct fetch_page *page = fetch_guarded(guard, turns);
	const struct net_address first = v4("93.184.216.34");
	assert_true(net_address_equal(&page->address, &first));
	expect(page, PAGE_QUEUED, OUTCOME_ADDRESS, 0);
	turned = 1;
	expect(fetch_guarded(guard, turns), PAGE_FAILED, OUTCOME_PRIVATE, 0);
	assert_int_equal(web_connections(web), 0);
	/* a seed that the user has named and that is of the inner network from the first is asked; one of a list is not */
	assert_int_equal(url_parse(&u, inner, strlen(inner), NULL), URL_OK);
	guard_add_seed(guard, &u, GUARD_LISTED);
	expect(fetch_guarded(guard, inner), PAGE_FAILED, OUTCOME_PRIVATE, 0);
	assert_int_equal(web_connections(web), 0);
	guard_add_seed(guard, &u, GUARD_NAMED);
	expect(fetch_guarded(guard, inner), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	url_release(&u);
	guard_free(guard);
	web_close(web);
}

/* A name that no server answers for holds up its own pages alone, and these not for ever. */
static void a_hung_name_holds_no_other_up(void **state)
{
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(4);

	(void)state;
	set.no_robots = 1;
	set.connect_timeout = 500;
	stuck = 1;
	struct fetchers *f = start(&set);
	submit(f, 7, at_host("hung.test", web), 0);
	unsigned came = 0, late = 0, flying = 0;
	while (came < 3 || !late) {
		if (came < 3 && !flying) {
			submit(f, came, at_host(came ? "a.test" : "b.test", web), 0);
			flying = 1;
		}
		struct fetch_page *page = reap(f);
		const int is_hung = page->result.id == 7, is_late = page->result.outcome == OUTCOME_DNS_LATER;
		late += (unsigned)(is_hung && is_late);
		flying = is_hung && flying;
		came += !is_hung && !is_late; /* any name is late where the threads that ask for names get no processor */
		expect(page, is_late ? PAGE_QUEUED : PAGE_CRAWLED, is_late ? OUTCOME_DNS_LATER : OUTCOME_CRAWLED,
			is_late ? 0 : 200);
	}
	/* what waits for it when the crawl is stopped comes back, and the end waits for nothing */
	submit(f, 8, at_host("hung.test", web), 0);
	fetchers_abort(f);
	expect(reap(f), PAGE_QUEUED, OUTCOME_ABORTED, 0);
	fetchers_free(f);
	stuck = 0;
	usleep(50000);
	web_close(web);
}

static void many_pages_of_a_host_ask_for_its_name_once(void **state)
{
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(20);

	(void)state;
	set.no_robots = 1;
	set.threads = 2;
	struct fetchers *f = start(&set);
	asked = 0;
	for (uint32_t id = 0; id < 20; id++)
		submit(f, id, at_host("a.test", web), 0);
	for (int i = 0; i < 20; i++)
		expect(reap(f), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	assert_int_equal(asked, 1);
	fetchers_free(f);
	web_close(web);
}

/* --- the names by themselves, by a clock of the test's */

static void wake(void *ctx)
{
	(void)ctx;
}

static struct name *answered(struct names *names, int64_t now)
{
	struct name *name = NULL;

	for (int i = 0; i < 2000 && !(name = names_answer(names, now)); i++)
		usleep(1000);
	assert_non_null(name);
	return name;
}

static void known_addresses_hold_while_no_name_server_tells(void **state)
{
	struct resolver *resolver = resolver_new(2);
	struct names *names = names_new(resolver, wake, NULL);
	const int64_t later = 100 + NAMES_LIVE_MS;

	(void)state;
	asked = 0;
	assert_int_equal(names_find(names, "a.test", 6, 0)->standing, NAME_ASKED);
	assert_int_equal(answered(names, 100)->standing, NAME_KNOWN);
	assert_int_equal(names_find(names, "a.test", 6, later - 1)->n, 1);
	assert_int_equal(asked, 1);
	away = 1;
	assert_int_equal(names_find(names, "a.test", 6, later)->standing, NAME_KNOWN);
	assert_int_equal(answered(names, later)->standing, NAME_KNOWN);
	assert_int_equal(asked, 2);
	assert_int_equal(names_find(names, "b.test", 6, later)->standing, NAME_ASKED);
	assert_int_equal(answered(names, later)->standing, NAME_NONE);
	away = 0;
	assert_int_equal(names_find(names, "b.test", 6, later + NAMES_AGAIN_MS)->standing, NAME_ASKED);
	assert_int_equal(answered(names, later + NAMES_AGAIN_MS)->standing, NAME_KNOWN);
	resolver_free(resolver);
	names_free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_without_an_address_is_told_from_one_that_nobody_tells),
		cmocka_unit_test(a_dead_address_is_followed_by_the_next),
		cmocka_unit_test(a_seed_that_was_public_leads_to_no_private_address_later),
		cmocka_unit_test(a_hung_name_holds_no_other_up),
		cmocka_unit_test(many_pages_of_a_host_ask_for_its_name_once),
		cmocka_unit_test(known_addresses_hold_while_no_name_server_tells),
	};

	return cmocka_run_group_tests_name("names resolved", tests, NULL, NULL);
}
