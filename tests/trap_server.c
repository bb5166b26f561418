/* A site with every trap beside its pages, for tests/e2e_traps.sh: prints its port, and to stderr a
 * line a request, "HOST PATH". Ends when its standard input does.
 *
 * site.test and mirror.test have the same PAGES pages, a binary tree; on site.test each leads into
 * the traps below /calendar, /shop (session ids), /facets (queries), /echo (paths that grow) and
 * /lost (a soft 404: everything below is one page). *.farm.test are hosts that link to each other
 * without end. */
#include "base/buf.h"
#include "base/mem.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGES 127

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December"};

static const char words[] =
	" We are open on every day of the week and sell all that a garden needs: seeds and bulbs, "
	"pots of clay, spades and rakes, gloves for small and large hands, and good advice.";

static void add_page(struct buf *out, unsigned page, int with_traps)
{
	buf_format(out, "<title>Page %u</title><p>This is page %u of the real site.", page, page);
	for (unsigned child = 2 * page; child <= 2 * page + 1 && child <= PAGES; child++)
		buf_format(out, " <a href=/page-%u.html>page %u</a>", child, child);
	if (with_traps)
		buf_text(out, " <a href=/calendar/2026-11>calendar</a> <a href=/shop?sid=1>shop</a>"
			      " <a href=/facets?>facets</a> <a href=/echo/>echo</a>"
			      " <a href=/lost/>lost</a> <a href=http://1.farm.test/>farm</a>"
			      " <a href=http://mirror.test/>mirror</a>");
}

static void add_month(struct buf *out, const char *path)
{
	int year = 2026, month = 11;

	if (sscanf(path, "/calendar/%d-%d", &year, &month) != 2 || month < 1 || month > 12)
		month = 1;
	const int next = 12 * year + month, last = next - 2; /* months since year 0 */
	buf_format(out, "<h1>%s %d</h1><a href=/calendar/%04d-%02d>next</a> ", months[month - 1],
		year, next / 12, next % 12 + 1);
	buf_format(out, "<a href=/calendar/%04d-%02d>last</a>%s", last / 12, last % 12 + 1, words);
}

/* Every page has five products, and a session of its own. */
static void add_shop(struct buf *out, unsigned long count)
{
	buf_format(out, "<h1>Shop</h1>%s", words);
	for (int item = 1; item <= 5; item++)
		buf_format(out, " <a href=/shop?item=%d&amp;sid=%lx>buy</a>", item,
			count * 2654435761u % 1000003u);
}

static void add_facets(struct buf *out, const char *query)
{
	static const char *const facet[] = {"size", "colour", "price", "maker", "order"};

	buf_format(out, "<h1>Tools</h1>%s", words);
	for (int i = 0; i < 5; i++)
		for (int value = 0; value < 2; value++)
			buf_format(out, " <a href='/facets?%.500s%s%s=%d'>%s</a>", query,
				*query ? "&amp;" : "", facet[i], value, facet[i]);
}

static void add_farm(struct buf *out, const char *host)
{
	const unsigned long number = strtoul(host, NULL, 10) % 1000000;

	buf_format(out, "<h1>Cheap flights %lu</h1>%s", number, words);
	for (unsigned long i = 0; i < 5; i++)
		buf_format(out, " <a href=http://%lu.farm.test/>more</a>", 5 * number + i);
}

static void add_answer(struct buf *out, const char *host, const char *path, const char *query)
{
	static unsigned long count;
	unsigned page = 1;

	count++;
	if (strstr(host, ".farm.test"))
		add_farm(out, host);
	else if (strncmp(path, "/calendar/", 10) == 0)
		add_month(out, path);
	else if (strcmp(path, "/shop") == 0)
		add_shop(out, count);
	else if (strcmp(path, "/facets") == 0)
		add_facets(out, query);
	else if (strncmp(path, "/echo/", 6) == 0)
		buf_format(out, "<a href=echo/>here</a> %s", path);
	else if (strncmp(path, "/lost/", 6) == 0)
		buf_text(out, "Not found: <a href=not/>not</a> <a href=found/>found</a>");
	else if (strcmp(path, "/") == 0 || sscanf(path, "/page-%u.html", &page) == 1)
		add_page(out, page, strcmp(host, "mirror.test") != 0 && page == 1);
}

static enum MHD_Result add_parameter(
	void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct buf *query = ctx;

	(void)kind;
	buf_format(query, "%s%s=%s", query->used ? "&amp;" : "", name, value ? value : "");
	return MHD_YES;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *upload, size_t *uploaded,
	void **request)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
	struct buf page = BUF_EMPTY, query = BUF_EMPTY;

	(void)ctx, (void)method, (void)version, (void)upload, (void)uploaded, (void)request;
	MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_parameter, &query);
	buf_end(&query);
	if (strcmp(path, "/robots.txt") != 0) {
		fprintf(stderr, "%s %s\n", host ? host : "-", path);
		add_answer(&page, host ? host : "-", path, query.at);
	}
	const unsigned status = page.used ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND;
	const size_t n = page.used;
	struct MHD_Response *response =
		MHD_create_response_from_buffer(n, page.at, MHD_RESPMEM_MUST_COPY);
	MHD_add_response_header(response, "Content-Type", "text/html");
	enum MHD_Result result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	buf_release(&page);
	buf_release(&query);
	return result;
}

int main(void)
{
	/* one thread: requests are answered, and logged, one after another */
	struct MHD_Daemon *d = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_END);
	char byte;

	if (!d)
		return 1;
	setvbuf(stderr, NULL, _IOLBF, 0);
	printf("listening on 127.0.0.1:%u\n",
		MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		continue;
	MHD_stop_daemon(d);
	return 0;
}
