#include "tests/simweb/web.h"

#include "base/clock.h"
#include "base/input.h"

/* What a page with a fault answers, the first time and then. */
static void check_fault(const struct simweb *sw, const struct fault_settings *f, uint32_t u)
{
	char target[32], alias[32];
	struct reply r;

	snprintf(target, sizeof target, "/%u", u);
	snprintf(alias, sizeof alias, "/alias/%u", u);
	enum fault fault = fault_answer(f, u);
	for (unsigned round = 0; round < 3; round++) {
		r = get(sw, "node.test", target);
		switch (fault == FAULT_503 ? fault : fault_now(f, u, round)) {
		case FAULT_404:
			assert_int_equal(r.status, 404);
			break;
		case FAULT_500:
			assert_int_equal(r.status, 500);
			break;
		case FAULT_503:
			assert_int_equal(r.status, round ? 200 : 503);
			assert_string_equal(header(&r, "Retry-After"), round ? "" : "3");
			break;
		case FAULT_BUSY:
			assert_int_equal(r.status, 503);
			assert_string_equal(header(&r, "Retry-After"), "");
			break;
		case FAULT_REDIRECT:
			assert_int_equal(r.status, 302);
			assert_string_equal(header(&r, "Location"), alias);
			break;
		case FAULT_TRUNCATE:
			assert_int_equal(r.status, 200);
			assert_int_equal(r.body_length, r.told / 2);
			assert_true(r.body_length > 0);
			break;
		case FAULT_DROP:
			assert_int_equal(r.status, 0);
			break;
		default:
			assert_int_equal(node_of(&r), u);
			assert_int_equal(r.body_length, r.told);
		}
		reply_release(&r);
	}
	assert_int_equal(node_at(sw, "node.test", alias), fault == FAULT_REDIRECT ? (long)u : -1);
}

static void faults_are_the_same_in_every_run(void **state)
{
	struct simweb_settings set = {.threads = 3};
	unsigned seen[FAULTS] = {0};
	struct simweb_counts c;
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	set.g = &g;
	set.robots = "User-agent: *\nDisallow: /3\n";
	assert_int_equal(fault_parse(&set.faults,
				 "404=.09,busy=.09,500=.09,503=.1:3s,redirect=.09,truncate=.1,drop=.1,"
				 "transient-500=.1,transient-truncate=.1,transient-drop=.1,seed=5",
				 NULL),
		0);
	for (int run = 0; run < 2; run++) {
		struct simweb *sw = start(&set);
		for (uint32_t u = 0; u < NODES / 2; u++) {
			seen[fault_answer(&set.faults, u)]++;
			check_fault(sw, &set.faults, u);
		}
		struct reply r = get(sw, "any.test", "/robots.txt");
		assert_int_equal(r.status, 200);
		assert_string_equal(r.body, set.robots);
		assert_string_equal(header(&r, "Content-Type"), "text/plain");
		reply_release(&r);
		simweb_counts(sw, &c);
		assert_int_equal(c.robots, 1);
		assert_int_equal(c.requests, NODES / 2 * 4 + 1);
		simweb_stop(sw);
	}
	for (int i = FAULT_NONE; i <= FAULT_TRANSIENT_DROP; i++)
		assert_true(seen[i] > 4);
	graph_release(&g);
}

static void packed_pages_unpack_to_the_same(void **state)
{
	struct simweb_settings set = {0};
	struct err_note why;
	struct graph g;
	size_t n;
	char *all;

	(void)state;
	make_graph(&g, NODES);
	set.g = &g;
	struct simweb *sw = start(&set);
	assert_int_equal(fault_parse(&set.faults, "gzip=1", NULL), 0);
	struct simweb *packing = start(&set);
	struct reply plain = get(sw, "node.test", "/0");
	static const char *const no[] = {"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n"};
	for (size_t i = 0; i < 3; i++) {
		struct reply same = ask(packing, "GET", "node.test", "/0", no[i]);
		assert_string_equal(header(&same, "Content-Encoding"), "");
		assert_string_equal(same.body, plain.body);
		reply_release(&same);
	}
	struct reply packed = ask(packing, "GET", "node.test", "/0", "Accept-Encoding: deflate, gzip;q=0.5\r\n");
	assert_string_equal(header(&packed, "Content-Encoding"), "gzip");
	assert_true(packed.body_length < plain.body_length);
	assert_int_equal(packed.told, packed.body_length);
	assert_int_equal(input_all(scratch_file(packed.body, packed.body_length), 1 << 20, &all, &n, &why), 0);
	assert_int_equal(n, plain.body_length);
	assert_memory_equal(all, plain.body, n);
	free(all);
	reply_release(&packed);
	reply_release(&plain);
	simweb_stop(packing);
	simweb_stop(sw);
	graph_release(&g);
}

/* Fifty answers that come in an hour keep no thread from another one. */
static void slow_pages_do_not_hold_up_others(void **state)
{
	struct simweb_settings set = {.threads = 1};
	struct graph g;
	int fd[50];

	(void)state;
	make_graph(&g, NODES);
	set.g = &g;
	assert_int_equal(fault_parse(&set.faults, "slow=.5:1h", NULL), 0);
	struct simweb *sw = start(&set);
	uint32_t slow = 0, fast = 0;
	while (!fault_extra(&set.faults, slow, FAULT_SLOW))
		slow++;
	while (fault_extra(&set.faults, fast, FAULT_SLOW))
		fast++;
	char target[32], request[128];
	snprintf(request, sizeof request, "GET /%u HTTP/1.1\r\nHost: node.test\r\nConnection: close\r\n\r\n", slow);
	for (int i = 0; i < 50; i++) {
		fd[i] = dial(sw);
		say(fd[i], request);
	}
	struct simweb_counts c = {0};
	while (c.requests < 50) {
		usleep(1000);
		simweb_counts(sw, &c);
	}
	snprintf(target, sizeof target, "/%u", fast);
	assert_int_equal(node_at(sw, "node.test", target), fast);
	simweb_stop(sw);
	for (int i = 0; i < 50; i++)
		close(fd[i]);
	graph_release(&g);
}

static void a_slow_page_comes_after_its_time(void **state)
{
	struct simweb_settings set = {.threads = 1};
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	set.g = &g;
	assert_int_equal(fault_parse(&set.faults, "slow=1:150ms", NULL), 0);
	struct simweb *sw = start(&set);
	const int64_t begun = clock_ms();
	assert_int_equal(node_at(sw, "node.test", "/1"), 1);
	assert_true(clock_ms() - begun >= 150);
	simweb_stop(sw);
	graph_release(&g);
}

static void it_stops_with_connections_open_and_waiting(void **state)
{
	struct simweb_settings set = {.threads = 2};
	struct graph g;
	char byte;
	int fd[60];

	(void)state;
	make_graph(&g, NODES);
	set.g = &g;
	assert_int_equal(fault_parse(&set.faults, "slow=1:1h", NULL), 0);
	struct simweb *sw = start(&set);
	for (int i = 0; i < 60; i++) {
		fd[i] = dial(sw);
		/* a third idle, a third half a request, a third waiting for an answer */
		if (i % 3)
			say(fd[i], i % 3 == 1 ? "GET /1 HTT" : "GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
	}
	struct simweb_counts c = {0};
	while (c.requests < 20) {
		usleep(1000);
		simweb_counts(sw, &c);
	}
	simweb_stop(sw);
	for (int i = 0; i < 60; i++) {
		while (recv(fd[i], &byte, 1, 0) > 0)
			;
		close(fd[i]);
	}
	simweb_stop(NULL);
	graph_release(&g);
}

/* Each connection takes several requests, in turns with all the others. */
static void many_connections_are_kept_alive(void **state)
{
	enum { N = 150, ROUNDS = 3 };
	int fd[N];
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	struct simweb *sw = start(&(struct simweb_settings){.g = &g, .threads = 2});
	for (int i = 0; i < N; i++)
		fd[i] = dial(sw);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < N; i++)
			say(fd[i], "HEAD /1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
		for (int i = 0; i < N; i++) {
			char text[1024] = "";
			size_t n = 0;
			while (!strstr(text, "\r\n\r\n")) {
				ssize_t got = recv(fd[i], text + n, sizeof text - 1 - n, 0);
				assert_true(got > 0);
				n += (size_t)got;
			}
			assert_int_equal(strncmp(text, "HTTP/1.1 200", 12), 0);
		}
	}
	for (int i = 0; i < N; i++)
		close(fd[i]);
	simweb_stop(sw);
	graph_release(&g);
}

static void requests_are_written_down_with_the_address_asked(void **state)
{
	char path[256], line[256], address[32], host[64], target[64], how[16];
	long long begin, answer;
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	snprintf(path, sizeof path, "%s/log", scratch());
	struct simweb *sw = start(&(struct simweb_settings){.g = &g, .addresses = 3, .log = path});
	int fd = dial_to("127.0.0.3", simweb_port(sw));
	assert_true(fd >= 0);
	assert_int_equal(dial_to("127.0.0.4", simweb_port(sw)), -1);
	const long long asked = clock_ns() / 1000;
	say(fd, "GET /7 HTTP/1.1\r\nHost: node.test\r\nConnection: close\r\n\r\n");
	struct reply r;
	hear(fd, &r);
	const long long heard = clock_ns() / 1000;
	assert_int_equal(r.status, 200);
	reply_release(&r);
	simweb_stop(sw);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof line, file));
	assert_int_equal(sscanf(line, "%lld\t%lld\t%31s\t%63s\t%63s\t%15s", &begin, &answer, address, host, target, how), 6);
	assert_true(asked <= begin && begin <= answer && answer <= heard);
	assert_string_equal(address, "127.0.0.3");
	assert_string_equal(host, "node.test");
	assert_string_equal(target, "/7");
	assert_string_equal(how, "ok");
	assert_null(fgets(line, sizeof line, file));
	fclose(file);
	graph_release(&g);
}

static void it_listens_on_loopback_alone_and_says_why_not(void **state)
{
	struct simweb *sw, *second = NULL;
	struct names names = {.nodes = 3};
	struct err_note why;
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	struct simweb_settings set = {.g = &g};
	sw = start(&set);
	assert_int_equal(dial_to("127.0.0.2", simweb_port(sw)), -1);
	set.port = simweb_port(sw);
	assert_int_equal(simweb_start(&second, &set, &why), ERR_FILE);
	assert_non_null(strstr(why.text, "cannot listen on 127.0.0.1:"));
	simweb_stop(sw);
	/* the port is free again at once */
	simweb_stop(start(&set));
	set.names = &names;
	assert_int_equal(simweb_start(&second, &set, &why), ERR_USAGE);
	set = (struct simweb_settings){.g = &g, .pages_dir = "."};
	assert_int_equal(simweb_start(&second, &set, &why), ERR_USAGE);
	set = (struct simweb_settings){.g = NULL};
	assert_int_equal(simweb_start(&second, &set, &why), ERR_USAGE);
	set = (struct simweb_settings){.pages_dir = "/nonexistent/x"};
	assert_int_equal(simweb_start(&second, &set, &why), ERR_FILE);
	assert_null(second);
	graph_release(&g);
}

/* The status of a page for a client that has it by this header. */
static int status_if(const struct simweb *sw, const char *host, const char *name, const char *value)
{
	char line[300];

	snprintf(line, sizeof line, "%s: %s\r\n", name, value);
	struct reply r = ask(sw, "GET", host, "/", line);
	const int status = r.status;
	reply_release(&r);
	return status;
}

static void an_endless_web_tells_when_its_pages_changed(void **state)
{
	struct endless web;
	struct simweb_settings set = {.endless = &web};
	struct simweb_counts c;
	struct buf host = BUF_EMPTY;
	char etag[256], date[256];

	(void)state;
	/* in so short a test nothing changes */
	assert_int_equal(endless_parse(&web, "7,changes=0.001", NULL), 0);
	struct simweb *sw = start(&set);
	endless_url(&web, 0, 0, &host);
	char *name = host.at + strlen("http://");
	name[strlen(name) - 1] = 0;
	struct reply r = get(sw, name, "/");
	assert_int_equal(r.status, 200);
	snprintf(etag, sizeof etag, "%s", header(&r, "ETag"));
	snprintf(date, sizeof date, "%s", header(&r, "Last-Modified"));
	reply_release(&r);
	assert_true(strlen(date) == strlen("Sun, 06 Nov 1994 08:49:37 GMT") && strstr(date, " GMT"));
	assert_int_equal(status_if(sw, name, "If-Modified-Since", date), 304);
	assert_int_equal(status_if(sw, name, "If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"), 200);
	assert_int_equal(status_if(sw, name, "If-None-Match", etag), 304);
	assert_int_equal(status_if(sw, name, "If-None-Match", "\"0\""), 200);
	assert_int_equal(status_of(sw, name, "/nothing"), 404);
	assert_int_equal(status_of(sw, "no.test", "/"), 404);
	simweb_counts(sw, &c);
	assert_int_equal(c.pages, 5);
	assert_int_equal(c.not_found, 2);
	simweb_stop(sw);
	buf_release(&host);
}

/* The pages of an endless web have faults by their URLs, and none of them is forgotten. */
static void an_endless_web_has_faults(void **state)
{
	struct endless web;
	struct simweb_settings set = {.endless = &web};
	unsigned seen[2] = {0};
	struct endless_reply reply = {0};
	struct address a;

	(void)state;
	assert_int_equal(endless_parse(&web, "7,traps=0", NULL), 0);
	assert_int_equal(fault_parse(&set.faults, "404=0.5", NULL), 0);
	struct simweb *sw = start(&set);
	for (uint64_t id = 0; id < 60; id++) {
		struct buf url = BUF_EMPTY;
		endless_url(&web, id, 0, &url);
		assert_true(address_of_url(&a, url.at));
		endless_answer(&web, &a, 0, &reply);
		const int is_faulty = fault_answer(&set.faults, reply.page) == FAULT_404;
		url.at[url.used - 1] = 0;
		for (int round = 0; round < 2; round++)
			assert_int_equal(status_of(sw, url.at + strlen("http://"), "/"), is_faulty ? 404 : 200);
		seen[is_faulty]++;
		buf_release(&url);
	}
	assert_true(seen[0] > 15 && seen[1] > 15);
	simweb_stop(sw);
	endless_reply_release(&reply);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_the_same_in_every_run),
		cmocka_unit_test(packed_pages_unpack_to_the_same),
		cmocka_unit_test(an_endless_web_tells_when_its_pages_changed),
		cmocka_unit_test(an_endless_web_has_faults),
		cmocka_unit_test(slow_pages_do_not_hold_up_others),
		cmocka_unit_test(a_slow_page_comes_after_its_time),
		cmocka_unit_test(it_stops_with_connections_open_and_waiting),
		cmocka_unit_test(many_connections_are_kept_alive),
		cmocka_unit_test(requests_are_written_down_with_the_address_asked),
		cmocka_unit_test(it_listens_on_loopback_alone_and_says_why_not),
	};

	return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
