#include "fetch/transfer.h"
#include "fetch/descriptors.h"
#include "parser/gzip.h"
#include "parser/robots.h"

#include <errno.h>

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
	return OUTCOME_BROKEN;
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
		return OUTCOME_BROKEN;
	enum gzip_end end = gzip_unpack(t->body.at, t->body.used, most, &unpacked);
	if (end == GZIP_DAMAGED) {
		buf_release(&unpacked);
		return OUTCOME_BROKEN;
	}
	buf_release(&t->body);
	t->body = unpacked;
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
