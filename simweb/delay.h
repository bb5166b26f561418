/* The delaying of connections. A delayed connection is taken out of the event loop of its thread,
 * and one thread for all connections puts it back when its time has come, so that a slow answer
 * delays no other answer. */
#ifndef SIMWEB_DELAY_H
#define SIMWEB_DELAY_H

#include <microhttpd.h>
#include <stdint.h>

struct delays;

/* Starts the thread. Every connection will be delayed by `ms`. Returns NULL if the system gives no
 * thread. */
struct delays *delays_new(int64_t ms);

/* Ends the thread and frees the delays. No connection may be waiting. */
void delays_free(struct delays *);

/* Suspends a connection; the caller is the connection's handler, which is called again after the
 * delay. Returns 1, or 0 if delays_finish() has been called, and then the connection continues at
 * once. The function is thread-safe. */
int delays_add(struct delays *, struct MHD_Connection *);

/* Resumes all waiting connections at once, and makes delays_add() suspend no more connections. The
 * function is thread-safe. */
void delays_finish(struct delays *);

#endif
