/* One transfer: a libcurl easy handle with its options, its callbacks, and the answer. A transfer serves request
 * after request of one thread.
 *
 *     t->url, t->purpose, t->at, t->port: what to ask for and where
 *     transfer_start(t, multi, TRANSFER_PACKED, NULL);  ... libcurl calls back ...
 *     transfer_stop(t, multi);  error = transfer_error(t, result, &permanence);
 */
#ifndef FETCH_TRANSFER_H
#define FETCH_TRANSFER_H

#include "fetch/answer.h"
#include "fetch/body_memory.h"
#include "fetch/fetch.h"

#include <curl/curl.h>

/* The options that all transfers of all threads share. They are immutable, except the sum in `memory`. The headers contain
 * no secrets. */
struct transfer_options {
	struct fetch_settings set;
	struct curl_slist *headers, *connect_to; /* the lists of the settings, for libcurl */
	struct proxies *proxies;
	struct body_memory *memory;        /* borrowed */
	char product[ANSWER_PRODUCT_SIZE]; /* the user agent's product token */
};

/* Copies the settings, and makes what libcurl needs of them. */
void transfer_options_init(struct transfer_options *o, const struct fetch_settings *set, struct body_memory *memory);

/* Frees what was made. */
void transfer_options_release(struct transfer_options *o);

enum transfer_purpose { TRANSFER_PAGE, TRANSFER_ROBOTS };

/* Whether the request allows the server to compress the body. */
enum transfer_coding { TRANSFER_PACKED, TRANSFER_PLAIN };

struct transfer {
	const struct transfer_options *options;
	CURL *easy;
	struct url url;                    /* the URL that is fetched */
	const char *proxy;                 /* the proxy that the request goes through; NULL: none */
	struct curl_slist *headers;        /* all headers of this request, if it has more than the options'; they may
				       contain secrets, which must not be written anywhere */
	struct buf secret[2];              /* scratch memory */
	struct host_setting own;           /* what the user has set for the host; see transfer_set_host() */
	char product[ANSWER_PRODUCT_SIZE]; /* the product token of the request's user agent */
	struct answer answer;
	struct buf body;              /* decompressed; only of a 2xx, unless there is an archive */
	struct body_windows *windows; /* of the thread; NULL: it has none */
	int is_lent;                  /* 1: the body lies in one of them */
	size_t counted;               /* the bytes of `body` that options->memory counts */
	int paused;                   /* 1 while the transfer is paused for lack of memory */
	int waited;                   /* 1 if it has paused at least once */
	int *pauses;                  /* a flag of the thread, which is set when the transfer pauses */
	int is_first;                 /* 1: the oldest of its thread, which goes on without memory */
	struct buf request, head;     /* with an archive: the request and the answer's headers as sent */
	uint64_t unpacked;            /* bytes of the decompressed body, kept or not */
	int64_t started, ended;       /* ms of clock_ms() */
	int64_t opened;               /* ms at which a socket was opened for it; 0: none was */
	int64_t heard;                /* ms at which the last byte came; 0: none has come */
	int64_t late;                 /* ms since the start in which the thread could not read what has come */
	enum transfer_purpose purpose;
	enum transfer_coding coding;
	enum outcome stopped;     /* why a callback aborted the transfer; OUTCOME_NONE: none did */
	struct net_address at;    /* the address that is asked; none behind a proxy */
	unsigned port;            /* the port that is asked */
	struct curl_slist *route; /* "::", `at` and `port`, as libcurl's CONNECT_TO has them; NULL behind a proxy */
	unsigned asked;           /* how often libcurl was about to send the request */
	int os_error;             /* the errno of a socket that could not be made; 0: none */
	int guarded;              /* 1 if the guard has refused an address */
	int enough;               /* robots.txt: 1 if all bytes that the parser reads have come */

	/* used by the worker only */
	struct job *job; /* of a page; NULL for robots.txt */
	struct origin *origin;
	int is_announced; /* of a page that is read elsewhere: page_is_announced() */
	size_t place;     /* index in the worker's list of active transfers */
};

/* The transfers of a thread. */
struct transfers {
	struct transfer **active; /* in flight */
	size_t n_active, active_room;
	size_t most;            /* in flight at a time */
	struct transfer **idle; /* for reuse */
	size_t n_idle, idle_room;
	int has_paused; /* 1: transfers may be paused for lack of memory */
};

/* Returns a transfer that is not started; the caller frees it with transfer_free(). */
struct transfer *transfer_new(const struct transfer_options *o);

/* Frees a transfer that is stopped. */
void transfer_free(struct transfer *t);

/* Starts the request for t->url and t->purpose, at the address t->at. If `since` is not NULL and has a validator, the
 * request is conditional. */
void transfers_start(struct transfers *, struct transfer *t, CURLM *multi, enum transfer_coding coding,
	const struct validators *since);

/* Removes a transfer from `multi`, whether it has ended or not. */
void transfers_stop(struct transfers *, struct transfer *t, CURLM *multi);

/* Frees the memory of the body of a transfer that is stopped, after the answer has been read, and keeps the transfer for reuse. */
void transfers_keep(struct transfers *, struct transfer *t);

/* Chooses the oldest transfer as the one that goes on while memory is short (fetch/body_memory.h), and no other does before that
 * one has ended. While bodies that wait for commands use the memory, none is chosen. */
void transfers_choose_first(struct transfers *, const struct body_memory *);

/* Lets the chosen transfer go on, and all paused ones for whose next bytes there is memory. */
void transfers_share_memory(struct transfers *, const struct body_memory *);

/* Says whether a further transfer may be started. */
int transfers_have_room(const struct transfers *, const struct body_memory *);

/* Tells the transfers how much later than expected, in ms, the thread looks at them: after it was stopped, or got no processor,
 * or was held by one answer. The servers may have answered meanwhile, and what they sent has not been read. */
void transfers_are_late(struct transfers *, int64_t late);

/* Frees the idle ones; none is in flight. */
void transfers_release(struct transfers *);

/* Replaces the body by another one, whose memory the transfer takes. */
void transfer_take_body(struct transfer *t, struct buf *body);

/* --- how a transfer ended: fetch/transfer.c. `result` is libcurl's. */

/* Says whether the transfer failed because libcurl could not undo the compression of the body: the data are damaged, the
 * coding is unknown to libcurl, or there are several gzip members. The caller then makes the origin's later requests
 * with TRANSFER_PLAIN; some servers compress the body nevertheless. */
int transfer_needs_plain(const struct transfer *t, CURLcode result);

/* Decompresses a body that was compressed although the request was TRANSFER_PLAIN, if gzip is its only coding. Returns
 * OUTCOME_NONE if the body is decompressed now, or was not compressed; OUTCOME_TOO_BIG; or OUTCOME_CODING. */
enum outcome transfer_unpack(struct transfer *t) MUST_USE;

/* Returns how the transfer ended, OUTCOME_NONE if it succeeded. *permanence says whether a retry would end in the same way. */
enum outcome transfer_error(const struct transfer *t, CURLcode result, enum permanence *permanence);

/* Returns the time, in ms of clock_ms(), at which one of the time limits of the transfer ends it, unless a byte comes before. The
 * limits are those of the server: the time in t->late is not counted. INT64_MAX: no limit is set, or it is paused. */
int64_t transfer_latest(const struct transfer *t);

/* Says whether a transfer that ended with `error` had no connection to its address. */
int transfer_was_unconnected(const struct transfer *t, enum outcome error);

/* Returns the number of bytes of the body as it was transferred, still compressed. */
uint64_t transfer_bytes(const struct transfer *t);

#endif
