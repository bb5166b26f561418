#include "simweb/serve.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "simweb/answer.h"
#include "simweb/expected.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEFAULT_HOST    "node.test"
#define CONNECTIONS_MAX 10000
#define SPARE_FILES     64    /* descriptors left to the rest of the process */
#define REQUEST_MEMORY  65536 /* bytes a connection: a request line and headers must fit in */
#define IDLE_SECONDS    300
#define ADDRESSES_MAX   254

struct simweb {
	struct answering answering;
	struct stored *stored;
	struct MHD_Daemon *daemon[ADDRESSES_MAX];
	struct tls *tls; /* of the settings */
	unsigned daemons;
	uint16_t port;
};

/* Refuses settings that contradict one another, with a sentence about each contradiction. */
static int check(const struct simweb_settings *set, struct err_note *why)
{
	if (!!set->g + !!set->pages_dir + !!set->endless != 1)
		return err_set(why, ERR_USAGE, "serve a graph, a folder of pages or an endless web, one of them");
	if (set->endless && set->faults.share[FAULT_REDIRECT] > 0)
		return err_set(why, ERR_USAGE, "an endless web has redirects of its own: 'moved' in place of the fault 'redirect'");
	if (set->names && (!set->g || set->names->nodes != set->g->nodes))
		return err_set(why, ERR_USAGE, "URLs or hosts of %u nodes do not go with a graph of %u", set->names->nodes,
			set->g ? set->g->nodes : 0);
	if (set->changing && (!set->g || set->changing->pages != set->g->nodes))
		return err_set(why, ERR_USAGE, "only the pages of a graph can be made to change");
	if (set->addresses > ADDRESSES_MAX)
		return err_set(why, ERR_USAGE, "%u addresses are too many, %d is the most", set->addresses, ADDRESSES_MAX);
	return 0;
}

static unsigned connection_limit(unsigned threads)
{
	struct rlimit files;
	unsigned n = CONNECTIONS_MAX;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < n + SPARE_FILES)
		n = files.rlim_cur > 2 * SPARE_FILES ? (unsigned)files.rlim_cur - SPARE_FILES : SPARE_FILES;
	/* each thread has its own share, at least one */
	return n < threads ? threads : n;
}

/* Lists the options that not every server has. */
static void list_options(const struct simweb *sw, unsigned threads, struct MHD_OptionItem more[4])
{
	unsigned n = 0;

	if (threads > 1) /* MHD takes no pool of one thread */
		more[n++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)threads, NULL};
	if (sw->tls) {
		more[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_CERT_CALLBACK2, 0, (void *)(uintptr_t)tls_certificate};
		more[n++] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)tls_connection, sw->tls};
	}
	more[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
}

/* Starts a daemon on the next loopback address. libmicrohttpd opens the socket itself: it closes a socket that it was given
 * after some failures only. It waits by poll(): with its edge-triggered epoll (0.9.75), requests to a busy machine were
 * sometimes never read. */
static int start_daemon(struct simweb *sw, unsigned threads, uint16_t port, struct err_note *why)
{
	struct answering *w = &sw->answering;
	unsigned flags =
		MHD_USE_POLL_INTERNAL_THREAD | (w->delays ? MHD_ALLOW_SUSPEND_RESUME : MHD_USE_ITC) | (sw->tls ? MHD_USE_TLS : 0u);
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK + sw->daemons)};
	struct MHD_OptionItem more[4];
	list_options(sw, threads, more);

	errno = 0;
	struct MHD_Daemon *daemon = MHD_start_daemon(flags, port, NULL, NULL, answer, w, MHD_OPTION_SOCK_ADDR, &address,
		MHD_OPTION_LISTEN_BACKLOG_SIZE, (unsigned)SOMAXCONN, MHD_OPTION_URI_LOG_CALLBACK, answer_begin, w,
		MHD_OPTION_NOTIFY_COMPLETED, answer_end, w, MHD_OPTION_CONNECTION_LIMIT, connection_limit(threads),
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_ARRAY, more, MHD_OPTION_END);
	const union MHD_DaemonInfo *bound = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (daemon)
		sw->daemon[sw->daemons++] = daemon;
	if (!bound)
		return err_set(why, ERR_FILE, "cannot listen on 127.0.0.%u:%u with %u threads: %s", sw->daemons + 1, port, threads,
			errno ? ascii_error(errno) : "the web server does not start");
	sw->port = bound->port;
	return 0;
}

/* Fills the state that all answers share from the settings. After an error the caller frees what is there. */
static int prepare(struct simweb *sw, const struct simweb_settings *set, struct err_note *why)
{
	struct answering *w = &sw->answering;

	if (set->pages_dir) {
		int err = stored_open(&sw->stored, set->pages_dir, why);
		if (err)
			return err;
	}
	sw->tls = set->tls;
	w->endless = set->endless;
	w->changing = set->changing;
	w->clock = set->clock;
	w->started = clock_ns();
	w->site = (struct site){.g = set->g,
		.names = set->names,
		.stored = sw->stored,
		.tls = set->tls != NULL,
		.default_host = set->default_host ? set->default_host : DEFAULT_HOST};
	if (!w->endless)
		site_init(&w->site);
	w->faults = set->faults;
	w->robots = set->robots;
	if (set->log) {
		int err = request_log_open(&w->log, set->log, why);
		if (err)
			return err;
	}
	if (fault_passes(&w->faults) && !w->endless)
		w->answers = mem_zero((size_t)w->site.pages + 1, sizeof *w->answers);
	if (w->faults.share[FAULT_SLOW] > 0 && !(w->delays = delays_new(w->faults.slow_ms)))
		return err_set(why, ERR_OTHER, "cannot start a thread for slow answers");
	return 0;
}

int simweb_start(struct simweb **out, const struct simweb_settings *set, struct err_note *why)
{
	unsigned threads = set->threads ? set->threads : 1;
	int err = check(set, why);

	if (err)
		return err;
	struct simweb *sw = mem_zero(1, sizeof *sw);
	err = prepare(sw, set, why);
	for (unsigned i = 0; !err && (i == 0 || i < set->addresses); i++)
		err = start_daemon(sw, threads, i ? sw->port : set->port, why);
	if (err) {
		simweb_stop(sw);
		return err;
	}
	*out = sw;
	return 0;
}

void simweb_stop(struct simweb *sw)
{
	if (!sw)
		return;
	/* MHD must not be stopped while a connection is suspended */
	if (sw->answering.delays)
		delays_finish(sw->answering.delays);
	while (sw->daemons)
		MHD_stop_daemon(sw->daemon[--sw->daemons]);
	delays_free(sw->answering.delays);
	site_release(&sw->answering.site);
	stored_close(sw->stored);
	request_log_close(sw->answering.log);
	free((void *)sw->answering.answers);
	free(sw);
}

uint16_t simweb_port(const struct simweb *sw)
{
	return sw->port;
}

uint32_t simweb_pages(const struct simweb *sw)
{
	return sw->answering.site.pages;
}

void simweb_url(const struct simweb *sw, uint32_t page, struct buf *out)
{
	site_url(&sw->answering.site, page, out);
}

int simweb_write_expected(const struct simweb *sw, const uint32_t *seed, size_t n, unsigned threads, const char *path,
	struct err_note *why)
{
	const struct answering *w = &sw->answering;

	if (!w->site.g)
		return err_set(why, ERR_USAGE, "what to expect is known of a graph alone");
	if (w->changing)
		return err_set(why, ERR_USAGE, "what to expect of a web that changes depends on the time");
	struct robots *rules = w->robots ? robots_parse(w->robots, strlen(w->robots), "lycosa") : NULL;
	const int err = expected_write(&w->site, &w->faults, rules, &(struct expected_reader){seed, n, threads}, path, why);
	robots_free(rules);
	return err;
}

void simweb_counts(const struct simweb *sw, struct simweb_counts *out)
{
	const struct answering *w = &sw->answering;

	*out = (struct simweb_counts){w->requests, w->pages, w->robots_asked, w->not_found, w->faulty};
}
