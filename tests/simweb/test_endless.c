#include "tests/simweb/web.h"

#include "simweb/endless.h"
#include "simweb/page_change.h"
#include "simweb/endless_host.h"
#include "simweb/endless_links.h"
#include "simweb/endless_draws.h"

#include <math.h>

static struct endless web_of(const char *text)
{
	struct endless e;
	struct err_note why;

	if (endless_parse(&e, text, &why))
		fail_msg("%s", why.text);
	return e;
}

static void reply_to(const struct endless *e, const char *url, int64_t now, struct endless_reply *reply)
{
	struct address a;

	assert_true(address_of_url(&a, url));
	endless_answer(e, &a, now, reply);
}

static unsigned status_at(const struct endless *e, const char *url)
{
	struct endless_reply reply = {0};

	reply_to(e, url, 0, &reply);
	endless_reply_release(&reply);
	return reply.status;
}

static void settings_are_read_strictly(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"", "the endless web begins with its seed, a whole number, not ''"},
		{"hosts=7", "the endless web begins with its seed, a whole number, not 'hosts=7'"},
		{"7,host=7", "the endless web has no option 'host'; the nearest is 'hosts'"},
		{"7,dead=2", "the endless web: option 'dead' takes a number from 0 to 1, not '2'"},
	};
	struct endless e;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(endless_parse(&e, bad[i].text, &why), ERR_USAGE);
		assert_string_equal(why.text, bad[i].why);
	}
	assert_int_equal(endless_parse(&e, "18446744073709551615,hosts=1000000000000,words=2.5", &why), 0);
	assert_true(e.seed == UINT64_MAX && e.hosts == ENDLESS_MAX_HOSTS && e.words == 2.5);
	assert_int_equal(endless_parse(&e, "7", &why), 0);
	assert_true(e.hosts > 100000000);
}

/* A page asked for again, after others and from another copy of the settings, has the same bytes; another seed has others. */
static void a_url_has_the_same_bytes_whenever_it_is_asked_for(void **state)
{
	enum { N = 300 };
	const struct endless one = web_of("7"), two = web_of("7"), other = web_of("8");
	struct endless_reply a = {0}, b = {0};
	struct rng r = {3};
	struct buf url[N];
	char *kept[N];
	unsigned same = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		const uint64_t host = rng_below(&r, i % 2 ? one.hosts : 300);
		struct endless_host h;
		endless_host_get(&one, host, &h);
		url[i] = (struct buf)BUF_EMPTY;
		endless_url(&one, host, (uint32_t)rng_below(&r, h.pages), &url[i]);
		reply_to(&one, url[i].at, 5, &a);
		assert_int_equal(a.status, 200);
		assert_true(a.body.used > 0);
		kept[i] = mem_text(a.body.at);
		reply_to(&other, url[i].at, 5, &b);
		same += b.status == 200;
	}
	for (int i = N; i--;) {
		reply_to(&two, url[i].at, 99, &b);
		assert_string_equal(b.body.at, kept[i]);
		buf_release(&url[i]);
		free(kept[i]);
	}
	assert_true(same < N / 20);
	endless_reply_release(&a);
	endless_reply_release(&b);
}

static void names_and_paths_lead_back_and_no_others_do(void **state)
{
	static const char *const none[] = {"http://test/", "http://dome.test/", "http://dome-0.test./", "http://-0.test/",
		"http://dome-zzzzzzzzzzzzzzzzz.test/", "http://xdome-0.test/", "http://www.www.dome-0.test/"};
	const struct endless e = web_of("7");
	struct buf text = BUF_EMPTY;
	struct endless_host h;
	struct rng r = {4};
	uint32_t page, subdomains = 0;
	uint64_t id;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		const uint64_t host = rng_below(&r, i % 2 ? e.hosts : 500);
		buf_clear(&text);
		endless_host_name(&e, host, &text);
		assert_true(endless_host_find(&e, text.at, text.used, &id));
		assert_true(id == host);
		subdomains += strchr(strchr(text.at, '-') + 1, '-') != NULL;
		endless_host_get(&e, host, &h);
		const uint32_t wanted = (uint32_t)rng_below(&r, h.pages);
		buf_clear(&text);
		endless_path(&e, &h, wanted, &text);
		assert_int_equal(endless_find(&e, &h, text.at, text.used, &page), ENDLESS_IS_PAGE);
		assert_int_equal(page, wanted);
		buf_byte(&text, '!');
		assert_int_equal(endless_find(&e, &h, text.at, text.used, &page), ENDLESS_NOTHING);
	}
	assert_true(fabs(subdomains / 20000.0 - ENDLESS_SUBDOMAIN) < 0.02);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_int_equal(status_at(&e, none[i]), 404);
	buf_release(&text);
}

/* --- links */

struct followed {
	unsigned links, dead, moved, inside;
};

/* Follows all links of a page as a browser would, redirects included. */
static void follow(const struct endless *e, const struct endless_host *h, const char *page_url, struct followed *f)
{
	struct endless_reply page = {0}, target = {0};
	struct buf href = BUF_EMPTY, url = BUF_EMPTY, name = BUF_EMPTY;
	const char *at;

	endless_host_name(e, h->id, &name);
	reply_to(e, page_url, 0, &page);
	for (at = page.body.at; next_href(&at, &href);) {
		buf_clear(&url);
		if (*href.at == '/')
			buf_format(&url, "http://%s", name.at);
		buf_text(&url, href.at);
		f->links++;
		f->inside += *href.at == '/';
		reply_to(e, url.at, 0, &target);
		if (target.status == 301) {
			const size_t origin = (size_t)(strchr(url.at + 7, '/') - url.at);
			f->moved++;
			url.used = origin;
			buf_text(&url, target.location.at);
			reply_to(e, url.at, 0, &target);
		}
		f->dead += target.status == 404;
		assert_true(target.status == 200 || strstr(url.at, "/gone/"));
	}
	buf_release(&href);
	buf_release(&url);
	buf_release(&name);
	endless_reply_release(&page);
	endless_reply_release(&target);
}

static void links_lead_to_pages_or_fail_at_the_stated_rate(void **state)
{
	const struct endless e = web_of("7,outside=0.5,dead=0.04,moved=0.1,traps=0.2,media=0.2,words=5");
	struct followed f = {0};
	struct endless_host h;
	struct rng r = {9};

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct buf url = BUF_EMPTY;
		const uint64_t host = rng_below(&r, 4000);
		endless_host_get(&e, host, &h);
		const uint32_t page = (uint32_t)rng_below(&r, h.pages);
		endless_url(&e, host, page, &url);
		if (endless_media_of(&e, &h, page) == ENDLESS_PAGE && h.trap != ENDLESS_SOFT_404)
			follow(&e, &h, url.at, &f);
		buf_release(&url);
	}
	assert_true(f.links > 15000);
	/* links of the tree are never dead, and home pages have no redirect */
	assert_true(f.dead > f.links * 0.02 && f.dead < f.links * 0.045);
	assert_true(f.moved > f.links * 0.02 && f.moved < f.links * 0.1);
	assert_true(f.inside > f.links * 0.5 && f.inside < f.links * 0.75);
}

static void every_page_of_a_host_is_reached_from_its_home_page(void **state)
{
	const struct endless e = web_of("7,dead=0.5,moved=0.5");
	struct endless_links links;
	struct endless_link link;
	struct endless_host h;
	unsigned hosts = 0;

	(void)state;
	for (uint64_t id = 0; hosts < 20; id++) {
		endless_host_get(&e, id, &h);
		if (h.pages < 100 || h.pages > 20000)
			continue;
		uint32_t *queue = mem_new(h.pages, sizeof *queue), n = 0;
		uint8_t *seen = mem_zero(h.pages, 1);
		seen[queue[n++] = 0] = 1;
		for (uint32_t i = 0; i < n; i++) {
			if (endless_media_of(&e, &h, queue[i]) != ENDLESS_PAGE)
				continue;
			endless_links_begin(&links, &e, &h, queue[i], i);
			while (endless_links_next(&links, &link))
				if (link.host == id && (link.form == ENDLESS_PLAIN || link.form == ENDLESS_MOVED) &&
					!seen[link.page])
					seen[queue[n++] = link.page] = 1;
		}
		assert_int_equal(n, h.pages);
		free(queue);
		free(seen);
		hosts++;
	}
}

/* --- tails */

/* The maximum-likelihood exponent of the numbers from `least` on (Clauset, Shalizi and Newman 2009, equation 3.7). */
static double exponent_of(const uint32_t *number, size_t n, uint32_t least)
{
	double sum = 0;
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (number[i] >= least) {
			sum += log(number[i] / (least - 0.5));
			used++;
		}
	assert_true(used > 1000);
	return 1 + (double)used / sum;
}

static void sizes_and_degrees_have_the_stated_tails(void **state)
{
	enum { N = 400000, HOSTS = 100000 };
	const struct endless e = web_of("7,hosts=100000,pages=16000000,outside=1");
	uint32_t *number = mem_zero(N, sizeof *number), *in = mem_zero(HOSTS, sizeof *in);
	struct endless_links links;
	struct endless_link link;
	struct endless_host h;

	(void)state;
	for (uint32_t i = 0; i < HOSTS; i++) {
		endless_host_get(&e, i, &h);
		number[i] = h.pages;
	}
	assert_true(fabs(exponent_of(number, HOSTS, 20) - ENDLESS_SIZE_EXPONENT) < 0.05);
	memset(number, 0, N * sizeof *number);
	for (uint32_t i = 0; i < N; i++) {
		endless_host_get(&e, i % HOSTS, &h);
		endless_links_begin(&links, &e, &h, i / HOSTS, 0);
		while (endless_links_next(&links, &link)) {
			number[i]++;
			if (link.host != h.id)
				in[link.host]++;
		}
	}
	assert_true(fabs(exponent_of(number, N, 20) - ENDLESS_OUT_EXPONENT) < 0.06);
	assert_true(fabs(exponent_of(in, HOSTS, 40) - ENDLESS_IN_EXPONENT) < 0.1);
	free(number);
	free(in);
}

static void words_follow_zipfs_law(void **state)
{
	struct buf text = BUF_EMPTY;
	struct rng r = {2};
	unsigned most = 0, second = 0;

	(void)state;
	endless_text(0, 100000, &r, &text);
	for (const char *p = text.at; (p = strstr(p, "the ")) != NULL; p++)
		most += p == text.at || p[-1] == ' ';
	for (const char *p = text.at; (p = strstr(p, " of ")) != NULL; p++)
		second++;
	/* rank r comes up with log((r + 2) / (r + 1)) / log(65536) */
	assert_true(abs((int)most - 6250 * 10 / 11) < 300);
	assert_true(abs((int)second - 3656 * 10 / 11) < 300);
	for (unsigned l = 0; l < ENDLESS_LANGUAGES; l++) {
		buf_clear(&text);
		endless_word(l, 65535, &text);
		assert_true(text.used > 2);
	}
	buf_release(&text);
}

/* --- traps, robots.txt, changes */

static uint64_t host_with(const struct endless *e, enum endless_trap trap, struct endless_host *h)
{
	uint64_t id = 1;

	do
		endless_host_get(e, id, h);
	while ((h->trap != trap || h->pages < 10) && id++ < 100000);
	assert_int_equal(h->trap, trap);
	return id;
}

static void traps_are_traps(void **state)
{
	const struct endless e = web_of("7");
	struct endless_reply a = {0}, b = {0};
	struct buf name = BUF_EMPTY, url = BUF_EMPTY;
	struct endless_host h;

	(void)state;
	endless_host_name(&e, host_with(&e, ENDLESS_CALENDAR, &h), &name);
	buf_format(&url, "http://%s/calendar/2031-12", name.at);
	reply_to(&e, url.at, 0, &a);
	assert_int_equal(a.status, 200);
	assert_non_null(strstr(a.body.at, "\"/calendar/2031-11\""));
	assert_non_null(strstr(a.body.at, "\"/calendar/2032-01\""));
	buf_clear(&url);
	endless_url(&e, h.id, 0, &url);
	reply_to(&e, url.at, 0, &a);
	assert_non_null(strstr(a.body.at, "\"/calendar/2026-01\""));

	buf_clear(&url);
	endless_url(&e, host_with(&e, ENDLESS_SESSIONS, &h), 3, &url);
	reply_to(&e, url.at, 0, &a);
	buf_format(&url, "%csid=0123456789abcdef", strchr(url.at, '?') ? '&' : '?');
	reply_to(&e, url.at, 0, &b);
	assert_string_equal(a.body.at, b.body.at);

	buf_clear(&name);
	buf_clear(&url);
	endless_host_name(&e, host_with(&e, ENDLESS_SOFT_404, &h), &name);
	buf_format(&url, "http://%s/whatever", name.at);
	assert_int_equal(status_at(&e, url.at), 200);

	for (uint32_t page = 0; page < 5; page++) {
		buf_clear(&url);
		endless_url(&e, host_with(&e, ENDLESS_MIRROR, &h), page, &url);
		reply_to(&e, url.at, 0, &a);
		buf_clear(&url);
		endless_url(&e, h.content, page, &url);
		reply_to(&e, url.at, 0, &b);
		assert_true(h.content != h.id && a.status == 200 && b.status == 200);
		assert_string_equal(a.body.at, b.body.at);
	}
	buf_release(&name);
	buf_release(&url);
	endless_reply_release(&a);
	endless_reply_release(&b);
}

static void traps_and_rules_come_at_their_rates(void **state)
{
	enum { N = 100000 };
	const struct endless e = web_of("7,traps=0.1,rules=0.4"), none = web_of("7,traps=0,rules=0,media=0");
	struct endless_host h;
	unsigned traps = 0, rules = 0;

	(void)state;
	for (uint64_t id = 0; id < N; id++) {
		endless_host_get(&e, id, &h);
		traps += h.trap != ENDLESS_NO_TRAP;
		rules += h.rules > ENDLESS_RULES_EMPTY;
		endless_host_get(&none, id, &h);
		assert_true(h.trap == ENDLESS_NO_TRAP && h.rules <= ENDLESS_RULES_EMPTY && h.content == id);
		assert_int_equal(endless_media_of(&none, &h, h.pages - 1), ENDLESS_PAGE);
	}
	/* a few hosts are no mirrors since their neighbour is a trap, too */
	assert_true(fabs(traps / (double)N - 0.1) < 0.005);
	assert_true(fabs(rules / (double)N - 0.4) < 0.005);
}

static void pages_change_at_the_pace_of_their_host(void **state)
{
	const struct endless e = web_of("7,changes=24");
	const int64_t begin = 1790000000, hour = 3600;
	struct endless_host h;
	double expected = 0;
	unsigned changes = 0, gone = 0, looked = 0;

	(void)state;
	for (uint64_t id = 0; id < 40; id++) {
		endless_host_get(&e, id, &h);
		expected += endless_pace(&e, &h) / 24 * 50;
		struct endless_state was = endless_state(&e, &h, 0, begin);
		for (int64_t t = begin; t <= begin + 50 * hour; t += 60) {
			const struct endless_state s = endless_state(&e, &h, 0, t);
			assert_true(s.modified > 0 && s.modified <= t && s.is_there);
			assert_true(s.version >= was.version);
			if (s.version != was.version) {
				/* the version says by itself how many changes of the slot it has seen */
				changes += s.version / 8 == was.version / 8 ? (unsigned)(s.version - was.version)
									    : (unsigned)(s.version % 8);
				assert_true(s.modified >= t - 60);
			} else {
				assert_true(llabs(s.modified - was.modified) <= 1);
			}
			was = s;
		}
	}
	assert_true(fabs(changes - expected) < expected * 0.06);
	for (uint64_t id = 0; id < 5000; id++) {
		endless_host_get(&e, id, &h);
		for (uint32_t page = h.pages > 20 ? h.pages - 5 : h.pages; page < h.pages; page++, looked++)
			gone += !endless_state(&e, &h, page, begin).is_there;
	}
	assert_true(looked > 1000 && fabs(gone - looked * ENDLESS_ABSENT) < looked * 0.02);
}

static void the_slowest_and_the_fastest_pace_and_a_far_day_have_true_dates(void **state)
{
	static const char *const webs[] = {"7,changes=1e-320", "7,changes=1e-300", "7,changes=1e-9", "7,changes=100000"};
	static const int64_t days[] = {0, 1, 1790000000, 1000000000000};

	(void)state;
	for (size_t w = 0; w < sizeof webs / sizeof *webs; w++) {
		const struct endless e = web_of(webs[w]);
		for (uint64_t id = 0; id < 200; id++)
			for (size_t d = 0; d < sizeof days / sizeof *days; d++) {
				struct endless_host h;
				endless_host_get(&e, id, &h);
				const struct endless_state s = endless_state(&e, &h, 0, days[d]);
				assert_true(s.modified >= 1 && s.modified <= (days[d] ? days[d] : 1));
				assert_true(w > 1 || s.modified == 1);
			}
	}
}

static void a_page_that_changed_has_other_bytes_and_some_other_links(void **state)
{
	const struct endless e = web_of("7,changes=1000"), still = web_of("7");
	struct endless_reply a = {0}, b = {0};
	struct endless_links before, after;
	struct endless_link x, y;
	struct endless_host h;
	unsigned same = 0, links = 0;

	(void)state;
	for (uint64_t id = 0; id < 300; id++) {
		struct buf url = BUF_EMPTY;
		endless_host_get(&e, id, &h);
		endless_url(&e, id, 0, &url);
		reply_to(&e, url.at, 1000000, &a);
		reply_to(&e, url.at, 9000000, &b);
		assert_true(a.modified && b.modified > a.modified && a.page == b.page);
		assert_string_not_equal(a.body.at, b.body.at);
		reply_to(&still, url.at, 9000000, &b);
		assert_int_equal(b.modified, 0);
		buf_release(&url);
		endless_links_begin(&before, &e, &h, 0, 5);
		endless_links_begin(&after, &e, &h, 0, 6);
		while (endless_links_next(&before, &x)) {
			assert_true(endless_links_next(&after, &y));
			links++;
			same += x.host == y.host && x.page == y.page;
		}
		assert_false(endless_links_next(&after, &y));
	}
	assert_true(same < links * 0.95 && same > links * 0.65);
	endless_reply_release(&a);
	endless_reply_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_read_strictly),
		cmocka_unit_test(a_url_has_the_same_bytes_whenever_it_is_asked_for),
		cmocka_unit_test(names_and_paths_lead_back_and_no_others_do),
		cmocka_unit_test(links_lead_to_pages_or_fail_at_the_stated_rate),
		cmocka_unit_test(every_page_of_a_host_is_reached_from_its_home_page),
		cmocka_unit_test(sizes_and_degrees_have_the_stated_tails),
		cmocka_unit_test(words_follow_zipfs_law),
		cmocka_unit_test(traps_are_traps),
		cmocka_unit_test(traps_and_rules_come_at_their_rates),
		cmocka_unit_test(pages_change_at_the_pace_of_their_host),
		cmocka_unit_test(the_slowest_and_the_fastest_pace_and_a_far_day_have_true_dates),
		cmocka_unit_test(a_page_that_changed_has_other_bytes_and_some_other_links),
	};

	return cmocka_run_group_tests_name("endless", tests, NULL, NULL);
}
