#include "fetch/transfer.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/descriptors.h"
#include "fetch/guard.h"
#include "fetch/proxies.h"
#include "fetch/trust.h"
#include "base/gunzip.h"
#include "parser/robots.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void transfer_set_host(struct transfer *t);

#define BODY_KEPT (64u * 1024) /* memory a transfer at rest holds on to */
/* the time until a request is sent, as a multiple of the connect timeout, if the transfer has no timeout */
#define WAITS_FOR_OTHERS 10

static struct curl_slist *copy_list(const char *const *texts)
{
	struct curl_slist *list = NULL;

	for (; texts && *texts; texts++)
		list = curl_slist_append(list, *texts);
	return list;
}

void transfer_options_init(struct transfer_options *o, const struct fetch_settings *set, struct body_memory *memory)
{
	o->memory = memory;
	o->set = *set;
	o->proxies = proxies_new(set->proxy);
	o->headers = copy_list(set->header.at);
	o->connect_to = copy_list(set->connect_to.at);
	answer_product(set->user_agent, o->product, sizeof o->product);
}

void transfer_options_release(struct transfer_options *o)
{
	proxies_free(o->proxies);
	curl_slist_free_all(o->headers);
	curl_slist_free_all(o->connect_to);
}

/* Appends a header line of the last answer. Interim answers and trailers are left out. */
static void keep_head(struct transfer *t, const char *line, size_t n)
{
	const size_t used = t->head.used;

	if (n > 5 && memcmp(line, "HTTP/", 5) == 0)
		buf_clear(&t->head);
	else if (used >= 4 && memcmp(t->head.at + used - 4, "\r\n\r\n", 4) == 0)
		return;
	if (t->head.used < ANSWER_MAX_HEADERS)
		buf_add(&t->head, line, n);
}

/* Keeps the header of the last request that was sent; CONNECT requests to a proxy are left out. */
static int on_talk(CURL *easy, curl_infotype type, char *bytes, size_t n, void *ctx)
{
	struct transfer *t = ctx;

	(void)easy;
	if (type == CURLINFO_HEADER_OUT && (n < 8 || memcmp(bytes, "CONNECT ", 8) != 0)) {
		buf_clear(&t->request);
		buf_add(&t->request, bytes, n);
	}
	return 0;
}

/* The callback of libcurl before a request. If a server closes a kept-open connection instead of answering, libcurl at once sends
 * the request again on a new connection. The server may have read the first request, so the page fails here instead, and is retried
 * after a pause. */
static int on_request(void *ctx, char *to, char *from, int to_port, int from_port)
{
	struct transfer *t = ctx;

	(void)to, (void)from, (void)to_port, (void)from_port;
	return t->asked++ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* The callback of libcurl for a header line. Ends the transfer if the headers are too large or contradict each other. */
static size_t on_header(char *line, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;

	n *= size;
	t->heard = clock_ms();
	if (t->options->set.archive)
		keep_head(t, line, n);
	if (answer_line(&t->answer, line, n, t->product, time(NULL))) {
		t->stopped = OUTCOME_TOO_BIG;
		return 0;
	}
	if (t->answer.contradicts) {
		t->stopped = OUTCOME_BROKEN;
		return 0;
	}
	return n;
}

/* Says whether the answer's media type is wanted: it is in the list, or there is no list. */
static int is_wanted_type(const struct transfer *t)
{
	const char *at = t->options->set.accept_type, *type = t->answer.type;
	const size_t n = strcspn(type, "; \t");

	if (!at || t->purpose != TRANSFER_PAGE || !t->answer.has_type || !n)
		return 1;
	while (*at) {
		at += strspn(at, ", ");
		const size_t m = strcspn(at, ", ");
		const int is_group = m > 1 && memcmp(at + m - 2, "/*", 2) == 0;
		if (is_group ? n >= m && ascii_same(type, at, m - 1) : n == m && ascii_same(type, at, m))
			return m > 0;
		at += m;
	}
	return 0;
}

/* Tells the sum of all bodies how much memory this one takes now. */
static void transfer_count_memory(struct transfer *t, size_t bytes)
{
	if (bytes > t->counted)
		body_memory_add(t->options->memory, bytes - t->counted);
	else
		body_memory_give(t->options->memory, t->counted - bytes);
	t->counted = bytes;
}

/* Makes the body empty, and keeps a little memory for the next one. */
static void drop_body(struct transfer *t)
{
	if (t->is_lent) {
		body_windows_give(t->windows, t->body.at);
		t->body = (struct buf)BUF_EMPTY;
	}
	t->is_lent = 0;
	if (t->body.room > BODY_KEPT)
		buf_release(&t->body);
	buf_clear(&t->body);
}

/* Appends bytes to the body. */
static void append(struct transfer *t, const char *bytes, size_t n)
{
	char *window = t->is_lent || t->body.used ? NULL : body_windows_lend(t->windows);

	if (window) {
		buf_release(&t->body);
		t->is_lent = 1;
		t->body = (struct buf){window, 0, BODY_WINDOW};
	}
	if (t->is_lent && n >= BODY_WINDOW - t->body.used) {
		struct buf heap = BUF_EMPTY;
		buf_add(&heap, t->body.at, t->body.used);
		drop_body(t);
		t->body = heap;
	}
	if (t->is_lent)
		body_windows_use(t->windows, t->body.at, t->body.used + n + 1);
	buf_add(&t->body, bytes, n);
}

/* Takes the memory that n bytes more of the body need: 1, or 0 where there is none. */
static int take_memory(struct transfer *t, size_t n)
{
	/* append() ends the body with a NUL */
	const size_t room = mem_grown(t->is_lent || !t->body.at ? t->counted : t->body.room, t->body.used + n + 1);

	if (room <= t->counted)
		return 1;
	if (t->is_first)
		body_memory_add(t->options->memory, room - t->counted);
	else if (!body_memory_take(t->options->memory, room - t->counted))
		return 0;
	t->counted = room;
	return 1;
}

/* Appends bytes to the body. Returns 1, or 0 if there is no memory: the transfer is then paused, or, if its answer is
 * compressed, ended. */
static int keep_body(struct transfer *t, const char *bytes, size_t n)
{
	if (!take_memory(t, n)) {
		t->paused = !t->answer.packed;
		if (t->paused)
			t->waited = *t->pauses = 1;
		else
			t->stopped = OUTCOME_NO_DESCRIPTORS;
		return 0;
	}
	append(t, bytes, n);
	return 1;
}

/* Returns what on_body() has to return to libcurl after keep_body() returned 0. */
static size_t not_kept(const struct transfer *t)
{
	return t->paused ? CURL_WRITEFUNC_PAUSE : 0;
}

/* Takes the part of a robots.txt that is read; what lies beyond ends the transfer. */
static size_t take_robots(struct transfer *t, const char *bytes, size_t n)
{
	const size_t left = ROBOTS_MAX_BYTES - t->body.used;

	if (!keep_body(t, bytes, n < left ? n : left))
		return not_kept(t);
	t->enough = n > left;
	return t->enough ? 0 : n;
}

static size_t on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;
	const struct fetch_settings *set = &t->options->set;
	curl_off_t announced = -1;

	n *= size;
	t->heard = clock_ms();
	int wanted = t->answer.status >= 200 && t->answer.status < 300;
	if (wanted && t->purpose == TRANSFER_ROBOTS)
		return take_robots(t, bytes, n);
	if (wanted && !is_wanted_type(t)) {
		t->stopped = OUTCOME_TYPE;
		return 0;
	}
	if (t->unpacked == 0)
		curl_easy_getinfo(t->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
	t->unpacked += n;
	if (t->unpacked > set->max_unpacked || transfer_bytes(t) > set->max_filesize ||
		(announced > 0 && (uint64_t)announced > set->max_filesize)) {
		t->stopped = OUTCOME_TOO_BIG;
		return 0;
	}
	if ((wanted || set->archive) && !keep_body(t, bytes, n)) {
		t->unpacked -= n;
		return not_kept(t);
	}
	return n;
}

static int is_allowed(const struct transfer *t, const struct net_address *address)
{
	const struct guard *guard = t->options->set.guard;

	if (!guard)
		return 1;
	return t->proxy ? guard_allows_proxy(guard, address) : guard_allows(guard, address, &t->url);
}

/* Opens a socket if the guard allows the address: the one that was chosen, or that of a proxy. */
static curl_socket_t open_where_allowed(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	struct transfer *t = ctx;
	const struct net_address address = net_address_of(&a->addr);

	(void)purpose;
	if (!is_allowed(t, &address)) {
		t->guarded = 1;
		return CURL_SOCKET_BAD;
	}
	assert(t->proxy || net_address_equal(&address, &t->at));
	const int fd = socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
	if (fd < 0)
		t->os_error = errno;
	t->opened = clock_ms();
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

static void set_network(CURL *easy, const struct transfer_options *o)
{
	const struct fetch_settings *s = &o->set;

	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
	curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, 300L);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_where_allowed);
	if (s->limit_rate)
		curl_easy_setopt(easy, CURLOPT_MAX_RECV_SPEED_LARGE, (curl_off_t)s->limit_rate);
	curl_easy_setopt(easy, CURLOPT_NOPROXY, ""); /* see fetch/proxies.h */
	if (s->cacert)
		curl_easy_setopt(easy, CURLOPT_CAINFO, s->cacert);
	else if (trust_is_in_file())
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
}

struct transfer *transfer_new(const struct transfer_options *o)
{
	struct transfer *t = mem_zero(1, sizeof *t);

	t->options = o;
	t->answer.max_headers = (size_t)o->set.max_headers;
	t->easy = curl_easy_init();
	if (!t->easy)
		abort(); /* out of memory */
	set_network(t->easy, o);
	if (o->headers)
		curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, o->headers);
	curl_easy_setopt(t->easy, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(t->easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(t->easy, CURLOPT_PREREQFUNCTION, on_request);
	curl_easy_setopt(t->easy, CURLOPT_PREREQDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
	if (o->set.archive) {
		curl_easy_setopt(t->easy, CURLOPT_VERBOSE, 1L);
		curl_easy_setopt(t->easy, CURLOPT_DEBUGFUNCTION, on_talk);
		curl_easy_setopt(t->easy, CURLOPT_DEBUGDATA, t);
	}
	return t;
}

void transfer_free(struct transfer *t)
{
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	curl_slist_free_all(t->route);
	buf_release(&t->secret[0]);
	buf_release(&t->secret[1]);
	url_release(&t->url);
	answer_release(&t->answer);
	drop_body(t);
	buf_release(&t->body);
	buf_release(&t->request);
	buf_release(&t->head);
	free(t);
}

static struct curl_slist *add_header(struct curl_slist *list, struct buf *line, const char *name, const char *value, size_t n)
{
	buf_clear(line);
	buf_format(line, "%s: ", name);
	buf_add(line, value, n);
	list = curl_slist_append(list, line->at);
	if (!list)
		abort(); /* out of memory */
	return list;
}

/* Sets the headers that only this request has: credentials, and the validators of the page's last version. */
static void set_own_headers(struct transfer *t, const struct validators *since)
{
	struct curl_slist *own = NULL, *all;
	struct buf *pass = &t->secret[0], *cookie = &t->secret[1], line = BUF_EMPTY;
	char date[ANSWER_DATE_SIZE];

	buf_clear(pass);
	buf_clear(cookie);
	if (t->options->set.credentials)
		credentials_for(t->options->set.credentials, &t->url, time(NULL), pass, cookie);
	if (!pass->used && host_setting_auth(&t->own, &t->url))
		buf_text(pass, host_setting_auth(&t->own, &t->url));
	if (pass->used)
		own = add_header(own, &line, "Authorization", pass->at, pass->used);
	if (cookie->used)
		own = add_header(own, &line, "Cookie", cookie->at, cookie->used);
	if (since && since->etag_length)
		own = add_header(own, &line, "If-None-Match", since->etag, since->etag_length);
	if (since && since->modified) {
		answer_date(since->modified, date, sizeof date);
		own = add_header(own, &line, "If-Modified-Since", date, strlen(date));
	}
	buf_release(&line);
	if (!own && !t->headers)
		return;
	for (all = t->options->headers; own && all; all = all->next)
		own = curl_slist_append(own, all->data);
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, own ? own : t->options->headers);
	curl_slist_free_all(t->headers);
	t->headers = own;
}

/* Gives libcurl the URL without user and password, which it would send. Those in a link are ignored, since anybody can read the
 * page; the user's own come from options->credentials. */
static void set_url(struct transfer *t)
{
	const struct url *u = &t->url;
	const size_t scheme = u->https ? 8 : 7; /* "https://" */

	/* Over https a transfer waits for a connection that can carry several requests (HTTP/2), which costs the server less
	 * than further handshakes. Over http no connection can, and libcurl loses a transfer that waits for a connection which
	 * breaks as its request is sent. */
	curl_easy_setopt(t->easy, CURLOPT_PIPEWAIT, u->https ? 1L : 0L);
	if (u->host == scheme) {
		curl_easy_setopt(t->easy, CURLOPT_URL, u->text.at);
		return;
	}
	struct buf bare = BUF_EMPTY;
	buf_add(&bare, u->text.at, scheme);
	buf_text(&bare, u->text.at + u->host);
	curl_easy_setopt(t->easy, CURLOPT_URL, bare.at);
	buf_release(&bare);
}

/* Sets where libcurl connects to: the chosen address, so that libcurl resolves no name, and shares connections only between
 * transfers to the same address. Behind a proxy the user's rules are used. A proxy may have several addresses, between which
 * libcurl divides its time to connect; it has no other limit (transfer_latest()). */
static void set_route(struct transfer *t)
{
	char ip[INET6_ADDRSTRLEN], rule[INET6_ADDRSTRLEN + 16];

	curl_slist_free_all(t->route);
	t->route = NULL;
	if (!t->proxy) {
		inet_ntop(AF_INET6, t->at.ip, ip, sizeof ip);
		const int is_v4 = net_address_is_v4(&t->at);
		if (is_v4)
			inet_ntop(AF_INET, t->at.ip + 12, ip, sizeof ip);
		snprintf(rule, sizeof rule, is_v4 ? "::%s:%u" : "::[%s]:%u", ip, t->port);
		t->route = curl_slist_append(NULL, rule);
		if (!t->route)
			abort(); /* out of memory */
	}
	curl_easy_setopt(t->easy, CURLOPT_CONNECT_TO, t->proxy ? t->options->connect_to : t->route);
	curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, t->proxy ? (long)t->options->set.connect_timeout : (long)INT_MAX);
}

void transfers_start(struct transfers *all, struct transfer *t, CURLM *multi, enum transfer_coding coding,
	const struct validators *since)
{
	all->active = mem_grow(all->active, &all->active_room, all->n_active + 1, sizeof *all->active);
	t->place = all->n_active;
	t->pauses = &all->has_paused;
	all->active[all->n_active++] = t;
	answer_reset(&t->answer);
	drop_body(t);
	t->paused = t->waited = 0;
	t->is_first = 0;
	buf_clear(&t->request);
	buf_clear(&t->head);
	t->unpacked = 0;
	t->opened = 0;
	t->heard = 0;
	t->late = 0;
	t->asked = 0;
	t->stopped = OUTCOME_NONE;
	t->os_error = 0;
	t->guarded = 0;
	t->enough = 0;
	if (coding != t->coding)
		curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, coding == TRANSFER_PLAIN ? NULL : "");
	t->coding = coding;
	transfer_set_host(t);
	set_own_headers(t, since);
	t->proxy = proxies_for(t->options->proxies, &t->url);
	curl_easy_setopt(t->easy, CURLOPT_PROXY, t->proxy ? t->proxy : "");
	set_route(t);
	set_url(t);
	t->started = clock_ms();
	CURLMcode code = curl_multi_add_handle(multi, t->easy);
	assert(code == CURLM_OK);
	(void)code;
}

void transfers_stop(struct transfers *all, struct transfer *t, CURLM *multi)
{
	curl_multi_remove_handle(multi, t->easy);
	t->ended = clock_ms();
	all->active[t->place] = all->active[--all->n_active];
	all->active[t->place]->place = t->place;
}

/* Continues a transfer that has paused for lack of memory. */
static void go_on(struct transfer *t)
{
	if (!t->paused)
		return;
	t->paused = 0;
	t->heard = clock_ms(); /* the pause was no stall of the server's */
	curl_easy_pause(t->easy, CURLPAUSE_CONT);
}

void transfers_keep(struct transfers *all, struct transfer *t)
{
	drop_body(t);
	transfer_count_memory(t, 0);
	all->idle = mem_grow(all->idle, &all->idle_room, all->n_idle + 1, sizeof *all->idle);
	all->idle[all->n_idle++] = t;
}

void transfers_choose_first(struct transfers *all, const struct body_memory *memory)
{
	struct transfer *oldest = NULL;

	if (body_memory_is_held(memory) || (!body_memory_is_tight(memory) && !all->has_paused))
		return;
	for (size_t i = 0; i < all->n_active; i++) {
		if (all->active[i]->is_first)
			return;
		if (!oldest || all->active[i]->started < oldest->started)
			oldest = all->active[i];
	}
	if (oldest)
		oldest->is_first = 1;
}

void transfers_share_memory(struct transfers *all, const struct body_memory *memory)
{
	if (!all->has_paused)
		return;
	all->has_paused = 0;
	for (size_t i = 0; i < all->n_active; i++) {
		if (all->active[i]->is_first || body_memory_has(memory, all->active[i]->counted))
			go_on(all->active[i]);
		all->has_paused |= all->active[i]->paused;
	}
}

int transfers_have_room(const struct transfers *all, const struct body_memory *memory)
{
	return all->n_active < all->most && !body_memory_is_held(memory) && (all->n_active == 0 || !body_memory_is_tight(memory));
}

void transfers_are_late(struct transfers *all, int64_t late)
{
	for (size_t i = 0; i < all->n_active; i++)
		all->active[i]->late += late;
}

void transfers_release(struct transfers *all)
{
	assert(all->n_active == 0);
	while (all->n_idle)
		transfer_free(all->idle[--all->n_idle]);
	free(all->active);
	free(all->idle);
}

void transfer_take_body(struct transfer *t, struct buf *body)
{
	drop_body(t);
	buf_release(&t->body);
	t->body = *body;
	*body = (struct buf)BUF_EMPTY;
}

/* Returns the time from the start of the transfer to the sending of the request, in us; 0 if there was no connection. */
static curl_off_t transfer_asked_after(const struct transfer *t)
{
	curl_off_t asked = 0;

	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &asked);
	return asked;
}

/* Returns until when the next byte, or the connection, may take. */
static int64_t next_byte_latest(const struct transfer *t)
{
	const struct fetch_settings *set = &t->options->set;

	if (t->paused)
		return INT64_MAX;
	if (t->heard)
		return t->heard + set->read_timeout;
	const curl_off_t asked = transfer_asked_after(t);
	if (asked > 0)
		return t->started + asked / 1000 + set->first_byte_timeout;
	if (t->opened)
		return t->opened + set->connect_timeout;
	/* it waits to share a connection */
	return set->timeout ? INT64_MAX : t->started + WAITS_FOR_OTHERS * set->connect_timeout;
}

int64_t transfer_latest(const struct transfer *t)
{
	const int64_t timeout = t->options->set.timeout;
	const int64_t next = next_byte_latest(t), last = timeout ? t->started + timeout : INT64_MAX;
	const int64_t latest = next < last ? next : last;

	return latest < INT64_MAX ? latest + t->late : latest;
}

/* libcurl takes fewer header lines than lycosa does, and has an error of its own for more of them since 8.6 */
#if LIBCURL_VERSION_NUM >= 0x080600
#define HEAD_TOO_LARGE CURLE_TOO_LARGE
#else
#define HEAD_TOO_LARGE CURLE_FILESIZE_EXCEEDED
#endif

/* Returns why no connection was made, by the errno of the last attempt: a fault of this machine, or of the host. */
static enum outcome connect_error(const struct transfer *t)
{
	long os_error = t->os_error;

	if (!os_error)
		curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &os_error);
	switch (os_error) {
	case ENETUNREACH:
	case ENETDOWN:
		return OUTCOME_NO_NETWORK;
	case EHOSTUNREACH:
	case EHOSTDOWN:
	case EACCES: /* by a rule of this machine's firewall */
	case EPERM:
		return OUTCOME_NO_ROUTE;
	default:
		return descriptors_are_short((int)os_error) ? OUTCOME_NO_DESCRIPTORS : OUTCOME_CONNECT;
	}
}

enum outcome transfer_error(const struct transfer *t, CURLcode result, enum permanence *permanence)
{
	static const struct {
		CURLcode code;
		enum outcome error;
		enum permanence permanence;
	} table[] = {
		{CURLE_COULDNT_RESOLVE_HOST, OUTCOME_DNS, TRANSIENT},
		{CURLE_COULDNT_RESOLVE_PROXY, OUTCOME_DNS, TRANSIENT},
		{CURLE_URL_MALFORMAT, OUTCOME_DNS, PERMANENT}, /* a host that can be no name */
		{CURLE_PROXY, OUTCOME_CONNECT, TRANSIENT},
		{CURLE_SSL_CONNECT_ERROR, OUTCOME_TLS, TRANSIENT},
		{CURLE_PEER_FAILED_VERIFICATION, OUTCOME_TLS, PERMANENT},
		{CURLE_SSL_CACERT_BADFILE, OUTCOME_TLS, PERMANENT},
		{CURLE_SSL_CERTPROBLEM, OUTCOME_TLS, PERMANENT},
		{CURLE_SSL_CIPHER, OUTCOME_TLS, PERMANENT},
		{CURLE_SSL_ISSUER_ERROR, OUTCOME_TLS, PERMANENT},
		{CURLE_OPERATION_TIMEDOUT, OUTCOME_TIMEOUT, TRANSIENT},
		{CURLE_FILESIZE_EXCEEDED, OUTCOME_TOO_BIG, PERMANENT},
		{HEAD_TOO_LARGE, OUTCOME_TOO_BIG, PERMANENT},
	};

	*permanence = TRANSIENT;
	if (result == CURLE_OK || t->enough)
		return OUTCOME_NONE;
	if (t->guarded) {
		*permanence = PERMANENT;
		return OUTCOME_PRIVATE;
	}
	if (t->stopped) {
		*permanence = outcome_is_local(t->stopped) ? TRANSIENT : PERMANENT;
		return t->stopped;
	}
	if (result == CURLE_OPERATION_TIMEDOUT && t->waited)
		return OUTCOME_NO_DESCRIPTORS; /* the transfer had to wait for memory, which is a lack of this machine */
	if (result == CURLE_COULDNT_CONNECT || result == CURLE_INTERFACE_FAILED)
		return connect_error(t);
	/* libcurl, too, opens files and pairs of sockets */
	if (!t->heard && result != CURLE_OPERATION_TIMEDOUT && descriptors_are_gone())
		return OUTCOME_NO_DESCRIPTORS;
	if (result == CURLE_OPERATION_TIMEDOUT && !transfer_asked_after(t))
		return OUTCOME_CONNECT;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].code == result) {
			*permanence = table[i].permanence;
			return table[i].error;
		}
	}
	return transfer_needs_plain(t, result) ? OUTCOME_CODING : OUTCOME_BROKEN;
}

int transfer_needs_plain(const struct transfer *t, CURLcode result)
{
	return result == CURLE_BAD_CONTENT_ENCODING ||
		(result == CURLE_WRITE_ERROR && t->answer.packed && !t->stopped && !t->enough);
}

enum outcome transfer_unpack(struct transfer *t)
{
	const int is_page = t->purpose == TRANSFER_PAGE;
	const uint64_t most = is_page ? t->options->set.max_unpacked : ROBOTS_MAX_BYTES;
	struct buf unpacked = BUF_EMPTY;

	if (t->coding != TRANSFER_PLAIN || !t->answer.packed || !t->body.used)
		return OUTCOME_NONE;
	if (t->answer.packed > 1 || !t->answer.gzipped)
		return OUTCOME_CODING;
	enum gzip_end end = gzip_unpack(t->body.at, t->body.used, most, &unpacked);
	if (end == GZIP_DAMAGED) {
		buf_release(&unpacked);
		return OUTCOME_CODING;
	}
	transfer_take_body(t, &unpacked);
	transfer_count_memory(t, t->body.room);
	return end == GZIP_LONG && is_page ? OUTCOME_TOO_BIG : OUTCOME_NONE;
}

int transfer_was_unconnected(const struct transfer *t, enum outcome error)
{
	curl_off_t connected = 0; /* us */

	if (t->heard || t->proxy)
		return 0;
	curl_easy_getinfo(t->easy, CURLINFO_CONNECT_TIME_T, &connected);
	return error == OUTCOME_CONNECT || error == OUTCOME_NO_ROUTE || error == OUTCOME_NO_NETWORK ||
		(error == OUTCOME_TIMEOUT && connected == 0);
}

uint64_t transfer_bytes(const struct transfer *t)
{
	curl_off_t bytes = 0;

	curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
	return bytes > 0 ? (uint64_t)bytes : 0;
}

/* What a transfer does otherwise for a host that has settings of its own. */

/* Finds what the user has set for the host of t->url, and prepares its user agent: fetch/transfer.c. */
static void transfer_set_host(struct transfer *t)
{
	const struct fetch_settings *set = &t->options->set;
	struct buf agent = BUF_EMPTY;

	host_settings_for_url(set->host_settings, &t->url, &t->own);
	if (t->own.user_agent) {
		buf_text(&agent, t->own.user_agent);
		buf_text(&agent, set->agent_end ? set->agent_end : "");
		answer_product(agent.at, t->product, sizeof t->product);
	} else {
		memcpy(t->product, t->options->product, sizeof t->product);
	}
	curl_easy_setopt(t->easy, CURLOPT_USERAGENT, agent.used ? agent.at : set->user_agent);
	buf_release(&agent);
}
