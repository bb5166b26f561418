/* Watches the sockets of one fetcher thread, and frees the thread if libcurl does not return.
 *
 *     sockets_enter(s);  curl_multi_perform(multi, &n);  sockets_leave(s);     in the fetcher thread
 *     sockets_unblock(s, thread);                                                 in another thread, four times a second
 *
 * A server can keep a thread inside one call of libcurl for ever, if it sends data faster than libcurl reads them, and if these
 * data (empty frames of HTTP/2) cause no callback. In this case another thread disconnects the socket that has received most, and
 * the transfer ends as broken. The thread counts as stuck only if it has used SOCKETS_HELD_MS of processor time within one call, so
 * that a thread that gets no processor on a busy machine does not count. */
#ifndef FETCH_SOCKETS_H
#define FETCH_SOCKETS_H

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SOCKETS_HELD_MS 500 /* ms of processor time in one call after which a thread counts as stuck */
#define SOCKETS_LOOK_MS 250 /* ms between two calls of sockets_unblock() */

struct open_socket {
	int fd;
	uint64_t heard; /* bytes received by the last sockets_unblock() */
};

struct sockets {
	_Atomic int64_t since; /* ms at which the thread called libcurl; 0: the thread is not in a call */
	pthread_mutex_t lock;  /* protects `open`, n and room */
	struct open_socket *open;
	size_t n, room;
	/* used by sockets_unblock() only: the call that it saw last, and the thread's processor time then */
	int64_t seen;
	int64_t used_ns;
};

/* Prepares for a thread that has no sockets yet. */
void sockets_init(struct sockets *s);

/* Frees the memory, after all easy handles and their multi handle have been freed. */
void sockets_release(struct sockets *s);

/* Watches all sockets that a handle will open. The handle's thread calls this before the transfer starts. */
void sockets_watch(struct sockets *s, CURL *easy);

/* Notes that the thread is about to make a call of libcurl that reads from sockets. */
void sockets_enter(struct sockets *s);

/* Notes that the call has returned. */
void sockets_leave(struct sockets *s);

/* Disconnects a socket of `thread`, the thread that s belongs to, if this thread is stuck. Another thread, always the same
 * one, calls this every SOCKETS_LOOK_MS. */
void sockets_unblock(struct sockets *s, pthread_t thread);

#endif
