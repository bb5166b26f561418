#include "crawler/transfer.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/loopback.h"
#include "parser/robots.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BODY_KEPT (256u * 1024) /* memory an idle transfer holds on to */

static struct curl_slist *copy_list(const char *const *texts)
{
	struct curl_slist *list = NULL;

	for (; texts && *texts; texts++)
		list = curl_slist_append(list, *texts);
	return list;
}

void transfer_options_init(struct transfer_options *o, const struct fetch_settings *set)
{
	o->set = *set;
	o->set.user_agent = mem_text(set->user_agent);
	o->set.proxy = set->proxy ? mem_text(set->proxy) : NULL;
	o->set.cacert = set->cacert ? mem_text(set->cacert) : NULL;
	o->headers = copy_list(set->headers);
	o->connect_to = copy_list(set->connect_to);
	o->set.headers = o->set.connect_to = NULL;
	answer_product(set->user_agent, o->product, sizeof o->product);
}

void transfer_options_release(struct transfer_options *o)
{
	free((char *)o->set.user_agent);
	free((char *)o->set.proxy);
	free((char *)o->set.cacert);
	curl_slist_free_all(o->headers);
	curl_slist_free_all(o->connect_to);
}

static size_t on_header(char *line, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;

	n *= size;
	t->heard = clock_ms();
	if (answer_line(&t->answer, line, n, t->options->product, time(NULL))) {
		t->stopped = FETCH_TOO_BIG;
		return 0;
	}
	return n;
}

/* The part of a robots.txt that is read; what lies beyond ends the transfer. */
static size_t take_robots(struct transfer *t, const char *bytes, size_t n)
{
	size_t left = ROBOTS_MAX_BYTES - t->body.used;

	buf_add(&t->body, bytes, n < left ? n : left);
	t->enough = n > left;
	return t->enough ? 0 : n;
}

static size_t on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;
	const uint64_t max = t->options->set.max_body;
	curl_off_t announced = -1;

	n *= size;
	t->heard = clock_ms();
	int wanted = t->answer.status >= 200 && t->answer.status < 300;
	if (wanted && t->purpose == TRANSFER_ROBOTS)
		return take_robots(t, bytes, n);
	if (t->unpacked == 0)
		curl_easy_getinfo(t->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
	t->unpacked += n;
	if (t->unpacked > max || (announced > 0 && (uint64_t)announced > max)) {
		t->stopped = FETCH_TOO_BIG;
		return 0;
	}
	if (wanted)
		buf_add(&t->body, bytes, n);
	return n;
}

/* The address a name or a proxy led to, before anything is sent there. */
static curl_socket_t open_on_loopback(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	(void)ctx;
	(void)purpose;
	return loopback_address(&a->addr)
		       ? socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol)
		       : CURL_SOCKET_BAD;
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
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)s->timeout_ms);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)s->connect_ms);
	if (s->loopback_only)
		curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_on_loopback);
	if (s->limit_rate)
		curl_easy_setopt(easy, CURLOPT_MAX_RECV_SPEED_LARGE, (curl_off_t)s->limit_rate);
	if (s->proxy)
		curl_easy_setopt(easy, CURLOPT_PROXY, s->proxy);
	if (s->cacert)
		curl_easy_setopt(easy, CURLOPT_CAINFO, s->cacert);
	if (o->connect_to)
		curl_easy_setopt(easy, CURLOPT_CONNECT_TO, o->connect_to);
}

struct transfer *transfer_new(const struct transfer_options *o)
{
	struct transfer *t = mem_zero(1, sizeof *t);

	t->options = o;
	t->easy = curl_easy_init();
	if (!t->easy)
		abort(); /* out of memory */
	set_network(t->easy, o);
	curl_easy_setopt(t->easy, CURLOPT_USERAGENT, o->set.user_agent);
	if (o->headers)
		curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, o->headers);
	curl_easy_setopt(t->easy, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(t->easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
	return t;
}

void transfer_free(struct transfer *t)
{
	curl_easy_cleanup(t->easy);
	url_release(&t->url);
	answer_release(&t->answer);
	buf_release(&t->body);
	free(t);
}

void transfer_start(struct transfer *t, CURLM *multi, enum transfer_coding coding)
{
	answer_reset(&t->answer);
	if (t->body.room > BODY_KEPT)
		buf_release(&t->body);
	buf_clear(&t->body);
	t->unpacked = 0;
	t->heard = 0;
	t->stopped = FETCH_OK;
	t->enough = 0;
	if (coding != t->coding)
		curl_easy_setopt(
			t->easy, CURLOPT_ACCEPT_ENCODING, coding == TRANSFER_PLAIN ? NULL : "");
	t->coding = coding;
	curl_easy_setopt(t->easy, CURLOPT_URL, t->url.text.at);
	t->started = clock_ms();
	CURLMcode code = curl_multi_add_handle(multi, t->easy);
	assert(code == CURLM_OK);
	(void)code;
}

void transfer_stop(struct transfer *t, CURLM *multi)
{
	curl_multi_remove_handle(multi, t->easy);
	t->ended = clock_ms();
}

enum fetch_error transfer_error(const struct transfer *t, CURLcode result, enum lasting *lasting)
{
	static const struct {
		CURLcode code;
		enum fetch_error error;
		enum lasting lasting;
	} table[] = {
		{CURLE_COULDNT_RESOLVE_HOST, FETCH_DNS, WILL_PASS},
		{CURLE_COULDNT_RESOLVE_PROXY, FETCH_DNS, WILL_PASS},
		{CURLE_URL_MALFORMAT, FETCH_DNS, WILL_LAST}, /* a host that can be no name */
		{CURLE_COULDNT_CONNECT, FETCH_CONNECT, WILL_PASS},
		{CURLE_INTERFACE_FAILED, FETCH_CONNECT, WILL_PASS},
		{CURLE_PROXY, FETCH_CONNECT, WILL_PASS},
		{CURLE_SSL_CONNECT_ERROR, FETCH_TLS, WILL_PASS},
		{CURLE_PEER_FAILED_VERIFICATION, FETCH_TLS, WILL_LAST},
		{CURLE_SSL_CACERT_BADFILE, FETCH_TLS, WILL_LAST},
		{CURLE_SSL_CERTPROBLEM, FETCH_TLS, WILL_LAST},
		{CURLE_SSL_CIPHER, FETCH_TLS, WILL_LAST},
		{CURLE_SSL_ISSUER_ERROR, FETCH_TLS, WILL_LAST},
		{CURLE_OPERATION_TIMEDOUT, FETCH_TIMEOUT, WILL_PASS},
		{CURLE_FILESIZE_EXCEEDED, FETCH_TOO_BIG, WILL_LAST},
	};

	*lasting = WILL_PASS;
	if (result == CURLE_OK || t->enough)
		return FETCH_OK;
	if (t->stopped) {
		*lasting = WILL_LAST;
		return t->stopped;
	}
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].code == result) {
			*lasting = table[i].lasting;
			return table[i].error;
		}
	}
	return FETCH_BROKEN;
}

int64_t transfer_stall_time(const struct transfer *t)
{
	curl_off_t asked = 0; /* us from the start to the request, 0 before */

	if (t->heard)
		return t->heard + t->options->set.stall_ms;
	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &asked);
	return asked > 0 ? t->started + asked / 1000 + t->options->set.stall_ms : INT64_MAX;
}

uint64_t transfer_bytes(const struct transfer *t)
{
	curl_off_t bytes = 0;

	curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
	return bytes > 0 ? (uint64_t)bytes : 0;
}
