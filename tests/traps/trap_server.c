/* A web of sites with traps (tests/traps/trap_sites.h, families.h), for tests/traps/trap_crawls.sh: prints its port, and to
 * stderr a line a request: host, name of the page ("-": a trap made it), URL. Ends when its standard
 * input does. It is a proxy, too, for crawlers that know no other way to a host that has no address.
 *
 *	trap_server          serves all sites
 *	trap_server N        answers 410 ("gone") to all further requests to a host that has had N
 *	trap_server list     prints the families: a host, its pages, "finite" or "endless" */
#include "base/map.h"
#include "base/mem.h"
#include "tests/traps/families.h"
#include "tests/traps/family_sites.h"
#include "tests/traps/trap_sites.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct asked {
	uint64_t key, n; /* a hash of a host; its requests */
};

struct web {
	uint64_t count, most; /* the requests so far; the most to a host, 0: any number */
	struct family_urls urls;
	struct map asked;
};

static const struct site *find(const struct site *table, const char *host)
{
	for (; table->host; table++) {
		const size_t n = strlen(host), m = strlen(table->host);
		if (*table->host == '.' || *table->host == '-' ? n > m && strcmp(host + n - m, table->host) == 0
							       : strcmp(host, table->host) == 0)
			return table;
	}
	return NULL;
}

static enum MHD_Result add_parameter(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct buf *query = ctx;

	(void)kind;
	buf_format(query, "%s%s%s%s", query->used ? "&" : "", name, value ? "=" : "", value ? value : "");
	return MHD_YES;
}

static struct MHD_Response *respond(const struct said *said)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(said->page.used, said->page.at, MHD_RESPMEM_MUST_COPY);

	MHD_add_response_header(response, "Content-Type", *said->type ? said->type : "text/html");
	if (*said->redirect)
		MHD_add_response_header(response, "Location", said->redirect);
	return response;
}

/* The path of "http://host/path", as a proxy is asked, and of "/path". */
static const char *path_of(const char *target)
{
	const char *at = strstr(target, "://");

	return at && at < strchr(target, '/') ? at + 3 + strcspn(at + 3, "/") : target;
}

/* Answers, and says the name of the page that the log has. */
static const char *say(struct web *web, struct said *said, const struct ask *ask, const char *target)
{
	const struct site *const tables[] = {trap_sites, view_sites, honest_sites, twin_sites, kind_sites};
	struct asked *asked = map_at(&web->asked, XXH3_64bits(ask->host, strlen(ask->host)));

	web->count++;
	if (web->most && ++asked->n > web->most)
		return "410";
	if (!family_answer(&web->urls, said, ask->host, target))
		for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
			const struct site *site = find(tables[i], ask->host);
			if (site) {
				site->answer(said, ask);
				break;
			}
		}
	return *said->name ? said->name : said->page.used || *said->redirect ? "-" : "404";
}

/* Keeps the target of a request as it was sent, until the request ends. */
static void *keep_target(void *ctx, const char *target, struct MHD_Connection *connection)
{
	(void)ctx, (void)connection;
	return mem_text(target);
}

static void forget_target(void *ctx, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode how)
{
	(void)ctx, (void)connection, (void)how;
	free(*request);
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
	const char *version, const char *upload, size_t *uploaded, void **request)
{
	struct web *web = ctx;
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"), *name = NULL;
	struct buf query = BUF_EMPTY;
	struct said said = {.page = BUF_EMPTY};

	(void)method, (void)version, (void)upload, (void)uploaded;
	path = path_of(path);
	MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_parameter, &query);
	buf_end(&query);
	const struct ask ask = {host ? host : "-", path, query.at, web->count};
	if (strcmp(path, "/robots.txt") != 0) {
		name = say(web, &said, &ask, path_of(*request));
		fprintf(stderr, "%s %s %s%s%s\n", ask.host, name, path, query.used ? "?" : "", query.at);
	}
	const unsigned status = name && strcmp(name, "410") == 0 ? MHD_HTTP_GONE
		: *said.redirect                                 ? MHD_HTTP_FOUND
		: said.page.used                                 ? MHD_HTTP_OK
								 : MHD_HTTP_NOT_FOUND;
	struct MHD_Response *response = respond(&said);
	enum MHD_Result result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	buf_release(&said.page);
	buf_release(&query);
	return result;
}

static int list(void)
{
	const struct family *const tables[] = {finite_families, endless_families};
	struct buf host = BUF_EMPTY;

	for (int i = 0; i < 2; i++)
		for (const struct family *f = tables[i]; f->name; f++) {
			family_host(f->name, &host);
			printf("%s %d %s\n", host.at, i ? 1 : FAMILY_PAGES + 1, i ? "endless" : "finite");
		}
	buf_release(&host);
	return 0;
}

int main(int argc, char **argv)
{
	struct web web = {.most = argc > 1 ? strtoull(argv[1], NULL, 10) : 0};
	char byte;

	if (argc > 1 && strcmp(argv[1], "list") == 0)
		return list();
	family_urls_init(&web.urls);
	map_init(&web.asked, sizeof(struct asked));
	/* one thread: requests are answered, and logged, one after another */
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, &web,
		MHD_OPTION_URI_LOG_CALLBACK, keep_target, NULL, MHD_OPTION_NOTIFY_COMPLETED, forget_target, NULL, MHD_OPTION_END);
	if (!d)
		return 1;
	setvbuf(stderr, NULL, _IOLBF, 0);
	printf("listening on 127.0.0.1:%u\n", MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		continue;
	MHD_stop_daemon(d);
	family_urls_release(&web.urls);
	map_release(&web.asked);
	return 0;
}
