/* One transfer: a libcurl easy handle with its options, its callbacks, and what came. It serves
 * request after request of one thread. */
#ifndef FETCH_TRANSFER_H
#define FETCH_TRANSFER_H

#include "fetch/answer.h"
#include "fetch/body_memory.h"
#include "fetch/fetch.h"

#include <curl/curl.h>

/* The same for all transfers; read only, threads share it. Secrets are not among its headers. */
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

/* Fetches t->url, for t->purpose, at the address t->at; where `since` (may be NULL) has a validator, only if the page has
 * changed. */
void transfer_start(struct transfer *t, CURLM *multi, enum transfer_coding coding,
	const struct validators *since);

/* Takes it out of `multi`, done or not. */
void transfer_stop(struct transfer *t, CURLM *multi);

/* Goes on where it has paused. */
void transfer_go_on(struct transfer *t);

/* Tells what memory the body takes now. */
void transfer_count_memory(struct transfer *t, size_t bytes);

/* What came has been read: the transfer needs its memory no more. */
void transfer_rest(struct transfer *t);

/* --- how it ended: fetch/transfer_end.c */

/* Whether it ended since libcurl could not undo the body's compression: what is damaged, of a
 * coding it lacks, or a second gzip member, where it takes one. Asked for PLAIN the bytes come as
 * they are, packed all the same by some servers. */
int transfer_needs_plain(const struct transfer *t, CURLcode result);

/* Undoes that, where gzip alone was done: OUTCOME_NONE (there was nothing to undo), OUTCOME_TOO_BIG, or
 * OUTCOME_BROKEN. */
enum outcome transfer_unpack(struct transfer *t) MUST_USE;

/* How the transfer ended, from curl's result, and whether it would end so again. */
enum outcome transfer_error(const struct transfer *t, CURLcode result, enum lasting *lasting);

/* When the request was sent, in us from the start of the transfer; 0: no connection has come about. */
curl_off_t transfer_asked_after(const struct transfer *t);

/* ms at which it has stalled unless something comes before; INT64_MAX: connecting still. */
int64_t transfer_stall_time(const struct transfer *t);

/* Whether the transfer ended since there was no connection to its address, for whatever reason. */
int transfer_was_unconnected(const struct transfer *t, enum outcome error);

uint64_t transfer_bytes(const struct transfer *t); /* of the body, as it came */

#endif
