/* A web of sites with traps (tests/traps/trap_sites.h), for tests/traps/trap_crawls.sh: prints its port, and to
 * stderr a line a request: host, name of the page ("-": a trap made it), URL. Ends when its standard
 * input does. */
#include "base/mem.h"
#include "tests/traps/trap_sites.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

	MHD_add_response_header(response, "Content-Type", "text/html");
	if (*said->redirect)
		MHD_add_response_header(response, "Location", said->redirect);
	return response;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
	const char *version, const char *upload, size_t *uploaded, void **request)
{
	static uint64_t count;
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
	struct buf query = BUF_EMPTY;
	struct said said = {BUF_EMPTY, "", ""};

	(void)ctx, (void)method, (void)version, (void)upload, (void)uploaded, (void)request;
	host = host ? host : "-";
	MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_parameter, &query);
	buf_end(&query);
	const struct site *site = find(trap_sites, host);
	site = site ? site : find(view_sites, host);
	site = site ? site : find(honest_sites, host);
	site = site ? site : find(twin_sites, host);
	const struct ask ask = {host, path, query.at, count};
	if (site && strcmp(path, "/robots.txt") != 0) {
		count++;
		site->answer(&said, &ask);
		fprintf(stderr, "%s %s %s%s%s\n", host,
			*said.name                                 ? said.name
				: said.page.used || *said.redirect ? "-"
								   : "404",
			path, query.used ? "?" : "", query.at);
	}
	const unsigned status = *said.redirect ? MHD_HTTP_FOUND : said.page.used ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND;
	struct MHD_Response *response = respond(&said);
	enum MHD_Result result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	buf_release(&said.page);
	buf_release(&query);
	return result;
}

int main(void)
{
	/* one thread: requests are answered, and logged, one after another */
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_END);
	char byte;

	if (!d)
		return 1;
	setvbuf(stderr, NULL, _IOLBF, 0);
	printf("listening on 127.0.0.1:%u\n", MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		continue;
	MHD_stop_daemon(d);
	return 0;
}
