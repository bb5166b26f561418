/* One transfer: a libcurl easy handle with its options, its callbacks, and the answer. A transfer serves request
 * after request of one thread.
 *
 *     t->url, t->purpose, t->at, t->port: what to ask for and where
 *     transfer_start(t, multi, TRANSFER_PACKED, NULL);  ... libcurl calls back ...
 *     transfer_stop(t, multi);  error = transfer_error(t, result, &lasting);
 */
#ifndef FETCH_TRANSFER_H
#define FETCH_TRANSFER_H

#include "fetch/answer.h"
#include "fetch/body_memory.h"
#include "fetch/fetch.h"

#include <curl/curl.h>

/* What all transfers have in common. Threads share it, and nobody writes it but for the sum of memory. Its headers
 * hold no secrets. */
struct transfer_options {
	struct fetch_settings set; /* its texts are copies; of the lists see below */
	struct curl_slist *headers, *connect_to;
	const char **rules; /* connect_to, for fetch/connect_to.h */
	struct proxies *proxies;
	struct body_memory *memory; /* the one thing that all write to; borrowed */
	char product[64];           /* the user agent's product token */
};

/* Copies what the settings point to. */
void transfer_options_init(
	struct transfer_options *o, const struct fetch_settings *set, struct body_memory *memory);
void transfer_options_release(struct transfer_options *o);

enum transfer_purpose { TRANSFER_PAGE, TRANSFER_ROBOTS };
enum transfer_coding { TRANSFER_PACKED, TRANSFER_PLAIN }; /* whether compression is asked for */

struct transfer {
	const struct transfer_options *options;
	CURL *easy;
	struct url url;             /* what is fetched */
	const char *proxy;          /* that it is asked for through; NULL: none */
	struct curl_slist *headers; /* all of this request's, where they are more than the options';
				       they may hold secrets, which nothing may write down */
	struct buf secret[2];       /* scratch */
	struct answer answer;
	struct buf body;          /* unpacked; of a 2xx only, unless all is archived */
	size_t counted;           /* bytes of `body` that options->memory has been told of */
	int paused;               /* for want of memory */
	int waited;               /* it has paused */
	int *pauses;              /* the thread's: raised when it pauses */
	int is_first;             /* it goes on when there is none: the oldest of its thread */
	struct buf request, head; /* where all is archived: as they were sent and came */
	uint64_t unpacked;        /* bytes of the body, kept or not */
	int64_t started, ended;
	int64_t heard; /* when the last byte came; 0: none has */
	enum transfer_purpose purpose;
	enum transfer_coding coding;
	enum outcome stopped;     /* why a callback broke it off */
	struct net_address at;    /* that it is asked for at; none where a proxy knows it */
	unsigned port;            /* there */
	struct curl_slist *route; /* CONNECT_TO as libcurl has it: the address */
	int os_error;             /* errno of a socket that could not be made; 0: none */
	int guarded;              /* an address was offered that may not be connected to */
	int enough;               /* robots.txt: as much as is read has come */

	/* the worker's own */
	struct job *job; /* PAGE; NULL otherwise */
	struct origin *origin;
	size_t place; /* among those in flight */
};

struct transfer *transfer_new(const struct transfer_options *o);
void transfer_free(struct transfer *t);

/* Starts the request for t->url, for t->purpose, at the address t->at. Where `since` (may be NULL) has a validator,
 * the server is asked to send the page only if it has changed. */
void transfer_start(struct transfer *t, CURLM *multi, enum transfer_coding coding,
	const struct validators *since);

/* Takes the transfer out of `multi`, whether it is done or not. */
void transfer_stop(struct transfer *t, CURLM *multi);

/* Lets the transfer go on, where it has paused for want of memory. */
void transfer_go_on(struct transfer *t);

/* Tells the sum of all bodies how much memory this one takes now. */
void transfer_count_memory(struct transfer *t, size_t bytes);

/* Gives the body's memory back: the answer has been read. */
void transfer_rest(struct transfer *t);

/* --- how it ended: fetch/transfer_end.c */

/* Whether the transfer ended because libcurl could not undo the body's compression: it is damaged, of a coding that
 * libcurl lacks, or a second gzip member where libcurl takes one. The next request of the origin is to ask for
 * PLAIN; then the bytes come as they are, and some servers pack them all the same. */
int transfer_needs_plain(const struct transfer *t, CURLcode result);

/* Unpacks a body that was packed although PLAIN was asked for, where gzip is the only coding. OUTCOME_NONE where the
 * body is unpacked now, or was not packed; OUTCOME_TOO_BIG; OUTCOME_BROKEN. */
enum outcome transfer_unpack(struct transfer *t) MUST_USE;

/* How the transfer ended, by libcurl's result (OUTCOME_NONE: well), and whether it would end so again. */
enum outcome transfer_error(const struct transfer *t, CURLcode result, enum lasting *lasting);

/* When the request was sent, in us from the start of the transfer; 0: no connection has come about. */
curl_off_t transfer_asked_after(const struct transfer *t);

/* The time, in ms, at which the transfer has stalled unless a byte comes before; INT64_MAX while it connects or has
 * paused. */
int64_t transfer_stall_time(const struct transfer *t);

/* Whether a transfer that ended with `error` did so because no connection to its address came about. */
int transfer_was_unconnected(const struct transfer *t, enum outcome error);

/* Bytes of the body as it came, still packed. */
uint64_t transfer_bytes(const struct transfer *t);

#endif
