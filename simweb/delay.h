/* Connections that wait: each is taken out of its thread's event loop and put back when its time
 * has come, by one thread for all, so that a slow answer holds up nothing else. */
#ifndef SIMWEB_DELAY_H
#define SIMWEB_DELAY_H

#include <microhttpd.h>
#include <stdint.h>

struct delays;

/* All are to wait for `ms`. NULL where no thread is to be had. */
struct delays *delays_new(int64_t ms);
/* Ends the thread; nothing may be waiting. */
void delays_free(struct delays *);

/* Suspends a connection, from within its handler, which is called again after that.
 * 1, or 0 where delays_finish() has been called: then it goes on at once. Thread-safe. */
int delays_add(struct delays *, struct MHD_Connection *);

/* Resumes all that wait, at once, and suspends none from now on. Thread-safe. */
void delays_finish(struct delays *);

#endif
