/* Fetchers for tests: settings that wait for nothing, and pages one by one. */
#ifndef TESTS_FETCHING_H
#define TESTS_FETCHING_H

#include "tests/test.h"
#include "tests/fetch/webtable.h"

#include "base/clock.h"
#include "fetch/fetch.h"

#include <netinet/in.h>
#include <sys/socket.h>

#define HTML      "Content-Type: text/html\r\n"
#define TWO_LINKS "<a href=/one>1</a><a href='two?x=1#y'>2</a>"
/* ms; longer than the time limit of the whole program (build-aux/tap.sh), which alone ends a wait in vain */
#define PATIENCE 1000000

static inline struct fetch_settings settings(unsigned parallel)
{
	struct fetch_settings set = fetch_defaults;

	set.user_agent = "testbot/1.0 (+http://x.test/)";
	set.threads = 1;
	set.parallel = parallel;
	set.proxy = ""; /* whatever the environment says */
	return set;
}

static inline struct fetchers *start(const struct fetch_settings *set)
{
	struct fetchers *f;
	struct err_note why;

	if (fetchers_new(&f, set, &why))
		fail_msg("%s", why.text);
	return f;
}

static inline void submit(struct fetchers *f, uint32_t id, const char *url, unsigned tries)
{
	fetchers_submit(f, &(struct fetch_request){.id = id, .url = url, .n = strlen(url), .tries = tries});
}

static inline struct fetch_page *reap(struct fetchers *f)
{
	struct fetch_page *page = NULL;

	if (!fetchers_reap(f, &page, clock_ms() + PATIENCE))
		fail_msg("no page came back");
	return page;
}

static inline struct fetch_page *fetch(struct fetchers *f, const char *url, unsigned tries)
{
	submit(f, 1, url, tries);
	return reap(f);
}

/* Where the address is granted. */
static inline struct fetch_page *fetch_at(struct fetchers *f, const char *url, const struct net_address *address)
{
	fetchers_submit(f, &(struct fetch_request){.id = 1, .url = url, .n = strlen(url), .address = *address});
	return reap(f);
}

/* As a crawl does: comes again after a robots.txt, and after each of its redirects. */
static inline struct fetch_page *fetch_politely(struct fetchers *f, const char *url)
{
	struct fetch_page *page = fetch(f, url, 0);

	for (int i = 0; i < 8 && page->result.state == PAGE_QUEUED && outcome_has(page->result.outcome, TRAIT_WAITS) &&
		(page->result.not_before - page->result.ended) == 0;
		i++) {
		fetch_page_free(page);
		page = fetch(f, url, 0);
	}
	return page;
}

/* A socket that has a port of 127.0.0.1 and does not listen there: whoever connects is refused, and
 * nobody else can take the port until the caller closes the socket. */
static inline int hold_closed_port(unsigned *port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof at;
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, n), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

static inline void expect(struct fetch_page *page, enum page_state state, enum outcome error, unsigned status)
{
	if (page->result.state != state || page->result.outcome != error || page->result.status != status)
		fail_msg("page %u: kind %d, error %d, status %u", page->result.id, (int)page->result.state,
			(int)page->result.outcome, page->result.status);
	fetch_page_free(page);
}

/* The links of a page, blanks between, the server's port as {port}; static memory. */
static inline const char *links_of(const struct fetch_page *page, const struct web *web)
{
	static char text[4096];
	char port[16];
	size_t used = 0;

	snprintf(port, sizeof port, ":%u/", web_port(web));
	text[0] = 0;
	for (uint32_t i = 0; i < page->n; i++) {
		const char *link = page->text + page->start[i], *mark = strstr(link, port);
		assert_int_equal(strlen(link), page->start[i + 1] - page->start[i] - 1);
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
			mark ? mark + strlen(port) - 1 : link);
		assert_true(used < sizeof text);
	}
	return text;
}

#endif
