/* The sockets of one thread's transfers, and whether libcurl has kept that thread for too long.
 *
 *     sockets_enter(s);  curl_multi_perform(multi, &n);  sockets_leave(s);     the thread
 *     sockets_help(s, thread);                                                 another one, four times a second
 *
 * A server that sends faster than is read, and only what no callback sees (empty frames of HTTP/2),
 * holds libcurl in one call for ever; then another thread takes the socket away that most came
 * through, and the transfer ends as broken. A thread counts as held by the processor time that it has
 * used within the call, so that none is taken for held on a busy machine. */
#ifndef FETCH_SOCKETS_H
#define FETCH_SOCKETS_H

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SOCKETS_HELD_MS 500 /* of processor time in one call, after which help comes */
#define SOCKETS_LOOK_MS 250 /* how often another thread is to look */

struct open_socket {
	int fd;
	uint64_t heard; /* bytes when last looked at */
};

struct sockets {
	_Atomic int64_t since; /* ms: when libcurl was called; 0: it is not at work */
	pthread_mutex_t lock;  /* of what follows */
	struct open_socket *open;
	size_t n, room;
	/* the helper's own: the call that it last saw, and the thread's processor time then */
	int64_t seen;
	int64_t used_ns;
};

void sockets_init(struct sockets *s);
/* After all handles and their multi handle are gone. */
void sockets_release(struct sockets *s);

/* All sockets of the handle are watched from now on. */
void sockets_watch(struct sockets *s, CURL *easy);

/* By the thread, around each call that reads from sockets. */
void sockets_enter(struct sockets *s);
void sockets_leave(struct sockets *s);

/* By another thread, always the same, each SOCKETS_LOOK_MS: helps `thread`, whose sockets they are, where
 * it has been in one call for SOCKETS_HELD_MS of processor time since that call was first seen. */
void sockets_help(struct sockets *s, pthread_t thread);

#endif
