/* How bus.c connects to a NATS server: times, TLS, and who the agent is. */
#ifndef AGENTS_BUS_OPTIONS_H
#define AGENTS_BUS_OPTIONS_H

#include "agents/bus_access.h"
#include "agents/bus_url.h"

#ifdef HAVE_NATS

#include <nats/nats.h>

/* Makes the options, which the caller frees by natsOptions_Destroy() in each case. A connection that is lost is made again for as
 * long as it takes. Returns 0; ERR_FILE for a file that cannot be read; or ERR_USAGE for one that is of no use. */
int bus_options(natsOptions **, const struct bus_url *, const struct bus_access *, struct err_note *why) MUST_USE;

/* Connects with these options. An agent with credentials or an nkey proves who it is by signing a nonce of the server. libnats 3.4
 * leaves out a signature whose first byte is 0, as one in 256 is, and the server refuses the agent; so a connection that is refused
 * is tried twice more, each time with another nonce. Returns the status of the last try. */
natsStatus bus_connect(natsConnection **, natsOptions *, const struct bus_access *);

/* Returns what the library said last in this thread, or what a status means. The place in the library's source that stands before
 * it is left out: "(js.c:535): insufficient resources". */
const char *bus_last_words(natsStatus);

#endif

#endif
