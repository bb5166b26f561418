/* The contract of the table of outcomes (base/outcome.h): for each outcome a row here that makes it happen to a page, and a row of
 * doc/store.md for people. A new outcome fails this test until it has both.
 *
 * Most rows ask a network source for a page, with a web, with names and with a network of this program's own, in one of the scenes
 * below. A row that names a file stands for an outcome that takes a whole crawl: that test makes it. */
#include "tests/crawler/net_bench.h"

#include "cli/store/store_endings.h"
#include "fetch/guard.h"
#include "fetch/page_jail.h"
#include "parser/link_kind.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>

/* --- a network: what the next connections fail with, and what names mean */

static _Atomic int connect_fails;

/* its declaration has a type of glibc's own */
int our_connect(int fd, const struct sockaddr *to, socklen_t n) __asm__("connect");

int our_connect(int fd, const struct sockaddr *to, socklen_t n)
{
	static int (*real)(int, const struct sockaddr *, socklen_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "connect");
	if (connect_fails && to->sa_family == AF_INET) {
		errno = connect_fails;
		return -1;
	}
	return real(fd, to, n);
}

/* Every name is this machine's, but those that begin with "gone" and "later". */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
	(void)service, (void)hints;
	if (strncmp(name, "gone", 4) == 0 || strncmp(name, "later", 5) == 0)
		return *name == 'g' ? EAI_NONAME : EAI_AGAIN;
	struct sockaddr_in *at = calloc(1, sizeof *at);
	*at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	*out = calloc(1, sizeof **out);
	**out = (struct addrinfo){.ai_family = AF_INET, .ai_addr = (struct sockaddr *)at, .ai_addrlen = sizeof *at};
	return 0;
}

void freeaddrinfo(struct addrinfo *a)
{
	free(a->ai_addr);
	free(a);
}

/* --- a defect in the reader of pages: it looks for "<script" with this in place of the C library's, and dies of "die" */

void *memmem(const void *text, size_t n, const void *what, size_t m)
{
	static volatile char *volatile nowhere;
	const char *at = text;

	for (size_t i = 0; i + m <= n; i++) {
		if (memcmp(at + i, what, m) != 0)
			continue;
		if (strstr(at + i, "<script>die"))
			*nowhere = 1;
		return (void *)(uintptr_t)(at + i);
	}
	return NULL;
}

/* --- the scenes: each has a store, a web, and settings of its own */

struct scene {
	void (*set)(struct bench *);   /* before the source is made */
	void (*begun)(struct bench *); /* after it */
};

/* A name that is too long for a page of a crawl. */
#define TEN      "xxxxxxxxxx"
#define HUNDRED  TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
#define LONG     THOUSAND THOUSAND

static const struct web_row web_rows[] = {
	{"/robots.txt", .host = "maps.test", .body = "Sitemap: /map.xml\n"},
	{"/robots.txt", .host = "ill.test", .status = 500},
	{"/robots.txt", .host = "led.test", .status = 301, .headers = "Location: http://gone.test/robots.txt\r\n"},
	{"/robots.txt", .host = "silent.test", .fault = WEB_SILENT},
	{"/robots.txt", .body = "User-agent: *\nDisallow: /forbidden\n"},
	{"/", .body = "here", .fault = WEB_UNTIL_CLOSE},
	{"/moved", .status = 301, .headers = "Location: /\r\n"},
	{"/self", .status = 302, .headers = "Location: /self\r\n"},
	{"/hop1", .status = 302, .headers = "Location: /hop2\r\n"},
	{"/hop2", .status = 302, .headers = "Location: /hop3\r\n"},
	{"/nowhere", .status = 302, .headers = "Location: mailto:a@b.test\r\n"},
	{"/gone", .status = 410},
	{"/picture", .headers = "Content-Type: image/png\r\n", .body = "x"},
	{"/large", .body = "large", .fault = WEB_ENDLESS_BODY},
	{"/packed", .headers = "Content-Encoding: br\r\n", .body = "no brotli"},
	{"/deadly", .headers = "Content-Type: text/html\r\n", .body = "<script>die</script>"},
	{"/hangs-up", .fault = WEB_HANG_UP},
	{"/silent", .fault = WEB_SILENT},
	{"/busy1", .status = 503, .headers = "Retry-After: 3600\r\n"},
	{"/busy2", .status = 503, .headers = "Retry-After: 3600\r\n"},
	{"/docs/",
		.body = "<a href=x.pdf></a><a href=private></a><a href=ruled></a><a href=/up></a><a href=near></a>"
			"<a href=http://other.test:{port}/></a><a href=http://a.farm.test:{port}/docs/></a>"
			"<a href=http://b.farm.test:{port}/docs/></a><a href=1/1/1/1/1></a><a href=" LONG "></a>"},
	{"/docs/near", .body = "<a href=far></a>"},
};

static void plain(struct bench *b)
{
	b->set.max_redirect = 1;
	b->set.max_filesize = 1 << 16;
	b->set.accept_type = "text/html";
	b->set.kinds |= 1u << LINK_SITEMAP;
	b->set.by_address = 1;
	b->set.tries = 1;
}

static void without_robots(struct bench *b)
{
	b->set.no_robots = 1;
}

static void silent(struct bench *b)
{
	b->set.first_byte_timeout = 20;
}

static void silent_without_robots(struct bench *b)
{
	silent(b);
	without_robots(b);
}

static void by_a_lost_proxy(struct bench *b)
{
	b->set.proxy = "http://gone.test:3128";
}

static struct guard *guard;

static void guarded(struct bench *b)
{
	static const struct guard_settings here = {.reach = GUARD_LOOPBACK, .allow_private = 1};

	guard = guard_new(&here);
	b->set.guard = guard;
}

static struct page_nursery *nursery;
static struct page_jail *jail;

static void jailed(struct bench *b)
{
	b->set.no_robots = 1;
	assert_int_equal(page_nursery_new(&nursery, NULL), 0);
	assert_int_equal(page_jail_new(&jail, nursery, b->set.threads, &b->set, NULL), 0);
	b->set.jail = jail;
}

static void limited(struct bench *b)
{
	b->set.no_robots = 1;
	b->scoped = (struct scope_settings){.domains = "127.0.0.1,farm.test",
		.max_depth = 1,
		.reject = "pdf",
		.reject_regex = "private",
		.rules = "reject suffix ruled\n",
		.no_parent = 1,
		.traps = "hosts=1\nrepeats=2"};
}

static void with_a_budget(struct bench *b)
{
	b->set.no_robots = 1;
	b->scoped.max_per_host = 1;
}

static void aborted(struct bench *b)
{
	b->source->ops->abort(b->source);
}

static int is_crawled_there(void *ctx, const char *url, size_t n)
{
	(void)ctx, (void)url, (void)n;
	return 1;
}

static int64_t never_rests(void *ctx, const char *host, size_t n)
{
	(void)ctx, (void)host, (void)n;
	return 0;
}

static void beside_a_crawl_of_pages(struct bench *b)
{
	net_source_look_beside(b->source, &(struct net_beside){.has_crawled = is_crawled_there, .rests_until = never_rests});
}

static const struct scene plain_scene = {plain, NULL}, local = {without_robots, NULL}, known = {without_robots, NULL},
			  slow = {silent_without_robots, NULL}, slow_robots = {silent, NULL}, proxied = {by_a_lost_proxy, NULL},
			  guarded_scene = {guarded, NULL}, jailed_scene = {jailed, NULL}, limits = {limited, NULL},
			  budget = {with_a_budget, NULL}, stopped = {without_robots, aborted},
			  requisites = {without_robots, beside_a_crawl_of_pages};

/* --- the rows */

#define HERE    "http://127.0.0.1:{port}"
#define SKIPS   "tests/traps/test_traps_crawl.c"
#define SKIPPED "each_detector_skips_pages_of_a_site"

/* Rows of one scene stand together, and are done in this order. */
static const struct row {
	enum outcome outcome;
	const struct scene *scene; /* NULL: one that needs no web */
	const char *url;           /* the page; without a scene the file of the test */
	const char *text;          /* without a scene: what the file contains; else a page that is asked for with it, or NULL */
	int connect_fails;         /* an errno */
} rows[] = {
	{OUTCOME_SITEMAPS, &plain_scene, "http://maps.test:{port}/", NULL, 0},
	{OUTCOME_ADDRESS, &plain_scene, "http://new.test:{port}/", NULL, 0},
	{OUTCOME_ROBOTS_WAIT, &plain_scene, "http://newer.test:{port}/", NULL, 0},
	{OUTCOME_ROBOTS_CONNECT, &plain_scene, "http://shut.test:{port}/", NULL, ECONNREFUSED},
	{OUTCOME_ROBOTS_UNAVAILABLE, &plain_scene, "http://ill.test:{port}/", NULL, 0},
	{OUTCOME_ROBOTS_ELSEWHERE, &plain_scene, "http://led.test:{port}/", NULL, 0},
	{OUTCOME_ROBOTS, &plain_scene, HERE "/forbidden", NULL, 0},
	{OUTCOME_CRAWLED, &plain_scene, HERE "/", NULL, 0},
	{OUTCOME_REDIRECTED, &plain_scene, HERE "/moved", NULL, 0},
	{OUTCOME_CIRCLE, &plain_scene, HERE "/self", NULL, 0},
	{OUTCOME_REDIRECTED, &plain_scene, HERE "/hop1", NULL, 0},
	{OUTCOME_REDIRECTS, &plain_scene, HERE "/hop2", NULL, 0},
	{OUTCOME_NOWHERE, &plain_scene, HERE "/nowhere", NULL, 0},
	{OUTCOME_STATUS, &plain_scene, HERE "/gone", NULL, 0},
	{OUTCOME_TYPE, &plain_scene, HERE "/picture", NULL, 0},
	{OUTCOME_TOO_BIG, &plain_scene, HERE "/large", NULL, 0},
	{OUTCOME_CODING, &plain_scene, HERE "/packed", NULL, 0},
	{OUTCOME_BROKEN, &plain_scene, HERE "/hangs-up", NULL, 0},
	{OUTCOME_DNS, &local, "http://gone.test:{port}/", NULL, 0},
	{OUTCOME_DNS_LATER, &local, "http://later.test:{port}/", NULL, 0},
	{OUTCOME_NO_NETWORK, &local, "http://a.test:{port}/", NULL, ENETUNREACH},
	{OUTCOME_NO_ROUTE, &local, "http://b.test:{port}/", NULL, EHOSTUNREACH},
	{OUTCOME_NO_DESCRIPTORS, &local, "http://c.test:{port}/", NULL, EADDRNOTAVAIL},
	{OUTCOME_CONNECT, &local, "http://d.test:{port}/", NULL, ECONNREFUSED},
	{OUTCOME_TLS, &local, "https://127.0.0.1:{port}/", NULL, 0},
	{OUTCOME_CRAWLED, &known, "http://busy.test:{port}/", NULL, 0},
	{OUTCOME_BUSY, &known, "http://busy.test:{port}/busy1", "http://busy.test:{port}/busy2", 0},
	{OUTCOME_BACK_OFF, &known, "http://busy.test:{port}/later", NULL, 0},
	{OUTCOME_CRAWLED, &known, "http://ill.test:{port}/", NULL, 0},
	{OUTCOME_UNREACHABLE, &known, "http://ill.test:{port}/moved", NULL, ECONNREFUSED},
	{OUTCOME_TIMEOUT, &slow, HERE "/silent", NULL, 0},
	{OUTCOME_ROBOTS_TIMEOUT, &slow_robots, "http://silent.test:{port}/", NULL, 0},
	{OUTCOME_ROBOTS_DNS, &proxied, "http://a.test:{port}/", NULL, 0},
	{OUTCOME_PRIVATE, &guarded_scene, "http://0.0.0.0:{port}/", NULL, 0},
	{OUTCOME_PORT, &guarded_scene, "http://127.0.0.1:25/", NULL, 0},
	{OUTCOME_PARSER, &jailed_scene, HERE "/deadly", NULL, 0},
	{OUTCOME_CRAWLED, &jailed_scene, HERE "/", NULL, 0},
	{OUTCOME_CRAWLED, &limits, HERE "/docs/", NULL, 0},
	{OUTCOME_SUFFIX, &limits, HERE "/docs/x.pdf", NULL, 0},
	{OUTCOME_REGEX, &limits, HERE "/docs/private", NULL, 0},
	{OUTCOME_RULE, &limits, HERE "/docs/ruled", NULL, 0},
	{OUTCOME_PARENT, &limits, HERE "/up", NULL, 0},
	{OUTCOME_HOST, &limits, "http://other.test:{port}/", NULL, 0},
	{OUTCOME_HOSTS, &limits, "http://b.farm.test:{port}/docs/", NULL, 0},
	{OUTCOME_LENGTH, &limits, HERE "/docs/" LONG, NULL, 0},
	{OUTCOME_DEFERRED, &limits, HERE "/docs/1/1/1/1/1", NULL, 0},
	{OUTCOME_CRAWLED, &limits, HERE "/docs/near", NULL, 0},
	{OUTCOME_DEPTH, &limits, HERE "/docs/far", NULL, 0},
	{OUTCOME_CRAWLED, &budget, HERE "/", NULL, 0},
	{OUTCOME_BUDGET, &budget, HERE "/moved", NULL, 0},
	{OUTCOME_ABORTED, &stopped, HERE "/", NULL, 0},
	{OUTCOME_IS_PAGE, &requisites, HERE "/", NULL, 0},
	{OUTCOME_DUPLICATE, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_MIRROR, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_SESSION, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_REPEATS, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_CALENDAR, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_QUERIES, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_CHAIN, NULL, SKIPS, SKIPPED, 0},
	{OUTCOME_OLD_TRAP, NULL, "tests/base/test_outcome.c", "OUTCOME_OLD_TRAP", 0},
	{OUTCOME_OLD_SCOPE, NULL, "tests/base/test_outcome.c", "OUTCOME_OLD_SCOPE", 0},
};

/* Writes a URL with the port of the web. */
static const char *with_port(const struct bench *b, const char *url)
{
	static char text[4096];
	const char *port = strstr(url, "{port}");

	if (port)
		snprintf(text, sizeof text, "%.*s%u%s", (int)(port - url), url, web_port(b->web), port + strlen("{port}"));
	return port ? text : url;
}

static uint32_t page_of(struct bench *b, const char *pattern)
{
	const char *url = with_port(b, pattern);
	const uint32_t id = find(b, url);

	return id == NONE ? seed(b, url) : id;
}

/* Returns what became of the page that comes back next, and keeps its links as a crawl does. */
static enum outcome next_outcome(struct bench *b)
{
	struct result e;
	struct err_note why;

	reap(b, &e);
	if (!outcome_may_leave(e.outcome, e.state))
		fail_msg("'%s' leaves a page %s", outcome_word(e.outcome), page_state_name(e.state));
	if (e.state == PAGE_CRAWLED)
		assert_int_equal(store_put_links(b->store, e.id, e.links, e.kinds, NULL, e.n, &why), 0);
	b->source->ops->release(b->source);
	return e.outcome;
}

/* Lets a page have one turn. Of two pages that are asked for together the one that comes back last tells. */
static enum outcome turn(struct bench *b, const struct row *row)
{
	uint32_t ids[2] = {page_of(b, row->url), 0};
	const size_t n = row->text ? 2 : 1;

	if (row->text)
		ids[1] = page_of(b, row->text);
	b->source->ops->submit(b->source, ids, n);
	if (row->text)
		(void)next_outcome(b);
	return next_outcome(b);
}

/* A page that waits for an address or a robots.txt has further turns: no page of these webs waits more often than four times. */
static void happen(struct bench *b, const struct row *row)
{
	struct store_page page;

	assert_int_equal(store_page(b->store, page_of(b, row->url), &page), 1);
	enum outcome came = (enum outcome)page.refusal;
	connect_fails = row->connect_fails;
	for (int i = 0; i < 5 && (came == OUTCOME_NONE || (came != row->outcome && outcome_has(came, TRAIT_WAITS))); i++)
		came = turn(b, row);
	connect_fails = 0;
	if (came != row->outcome)
		fail_msg("%s: '%s' and not '%s'", row->url, outcome_word(came), outcome_word(row->outcome));
}

static void play(const struct scene *scene)
{
	struct bench b;

	bench_open(&b, web_rows, sizeof web_rows / sizeof *web_rows);
	end(&b);
	scene->set(&b);
	begin(&b);
	if (scene->begun)
		scene->begun(&b);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].scene == scene)
			happen(&b, &rows[i]);
	bench_close(&b);
	guard_free(guard);
	guard = NULL;
	page_jail_free(jail);
	page_nursery_free(nursery);
	jail = NULL;
	nursery = NULL;
}

/* Returns a file of the sources, which the caller frees. */
static char *file(const char *name)
{
	char path[4096];
	size_t room = 1 << 20, n;

	snprintf(path, sizeof path, "%s/%s", TEST_SOURCE_DIR, name);
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("there is no '%s'", name);
	char *text = malloc(room);
	n = fread(text, 1, room - 1, f);
	text[n] = 0;
	fclose(f);
	return text;
}

static void each_outcome_happens_to_a_page(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].scene) {
			if (i == 0 || rows[i - 1].scene != rows[i].scene)
				play(rows[i].scene);
			continue;
		}
		char *text = file(rows[i].url);
		if (!strstr(text, rows[i].text))
			fail_msg("'%s': there is no '%s' in %s", outcome_word(rows[i].outcome), rows[i].text, rows[i].url);
		free(text);
	}
}

static void each_outcome_of_the_table_has_a_row_here(void **state)
{
	int has_row[OUTCOMES] = {0};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		has_row[rows[i].outcome] = 1;
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (!has_row[o])
			fail_msg("no test makes the outcome '%s'", outcome_word(o));
}

/* --- the table of doc/store.md */

/* Takes the next cell of a row of a Markdown table from *line, without the blanks around it. */
static const char *cell(char **line)
{
	char *text = *line + strspn(*line, "| "), *end = strstr(text, " |");

	assert_non_null(end);
	*line = end + 1;
	*end = 0;
	return text;
}

static unsigned outcome_of(const char *word)
{
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (strlen(word) == strlen(outcome_word(o)) + 2 && strncmp(word + 1, outcome_word(o), strlen(word) - 2) == 0)
			return o;
	fail_msg("%s is no outcome", word);
	return OUTCOMES;
}

/* What to do names flags that the man page has, and among them those of the remedy that `store explain` prints. */
static void expect_advice(unsigned outcome, const char *advice, const char *manual)
{
	struct buf command = BUF_EMPTY;
	char flag[64];

	assert_true(*advice);
	if (outcome_state(outcome) != PAGE_QUEUED && remedy_command("", outcome, 503, &command)) {
		const char *flags = strstr(command.at, "--retry");
		assert_non_null(flags);
		if (!strstr(advice, flags))
			fail_msg("'%s': the advice lacks '%s'", outcome_word(outcome), flags);
	}
	buf_release(&command);
	for (const char *at = advice; (at = strstr(at, "--")); at += 2) {
		const char *name = at + 2 + (strncmp(at, "--no-max", 8) == 0 ? 3 : 0); /* --no-NAME takes back --NAME */
		snprintf(flag, sizeof flag, "Fl Fl %.*s", (int)strspn(name, "abcdefghijklmnopqrstuvwxyz-"), name);
		if (strcmp(flag, "Fl Fl store") != 0 && !strstr(manual, flag))
			fail_msg("'%s': the man page of crawl has no '%s'", outcome_word(outcome), flag);
	}
}

static void the_page_for_people_has_each_outcome_and_no_other(void **state)
{
	char *page = file("doc/store.md"), *manual = file("doc/man/lycosa-crawl.1"), *line;
	int times[OUTCOMES] = {0};
	char *section = strstr(page, "\n## Outcomes\n");

	(void)state;
	assert_non_null(section);
	section += strlen("\n## Outcomes\n");
	*strstr(section, "\n## ") = 0;
	while ((line = strsep(&section, "\n"))) {
		if (strncmp(line, "| `", 3) != 0)
			continue;
		const unsigned o = outcome_of(cell(&line));
		const int may_wait = outcome_has(o, TRAIT_AGAIN) && outcome_state(o) != PAGE_QUEUED;
		char standing[64];
		snprintf(standing, sizeof standing, "%s%s", page_state_name(outcome_state(o)), may_wait ? " \\*" : "");
		times[o]++;
		assert_string_equal(cell(&line), standing);
		assert_string_equal(cell(&line), outcome_sentence(o));
		expect_advice(o, cell(&line), manual);
	}
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (times[o] != 1)
			fail_msg("doc/store.md has the outcome '%s' %d times", outcome_word(o), times[o]);
	free(page);
	free(manual);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_outcome_of_the_table_has_a_row_here),
		cmocka_unit_test(each_outcome_happens_to_a_page),
		cmocka_unit_test(the_page_for_people_has_each_outcome_and_no_other),
	};

	return cmocka_run_group_tests_name("reasons", tests, NULL, NULL);
}
