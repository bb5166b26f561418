/* A NATS server with JetStream that exists in this process alone, in the virtual time of tests/agents/sim/sim_time.h. A program
 * that links sim_bus.c has its bus in place of the one of agents/bus.h. The server keeps a bucket, logs and letters as JetStream
 * does, and can be made to fail as JetStream can:
 *
 *   sim_bus_down(1)       nobody reaches it; watches and the letters in its memory are lost
 *   sim_bus_back(ms)      it is there again, with files that lack what was written in the last ms: each stream by itself
 *   sim_bus_lose()        it is there again, and has no file
 *   sim_bus_chance        shares of calls and answers that do not arrive, of letters that are lost, or come twice or late, and of
 *                         changes of the bucket at which a watch stands still for a while; and of messages for logs after which the
 *                         sender pauses
 *   sim_bus_publish()     bytes of somebody who is no agent
 *
 * An agent (the owner of its threads) can be cut off, or be dead: then no call of its threads has any effect. An agent of a newer
 * version writes what one of this version does not know: a field in its news, records in logs, a key. */
#ifndef TESTS_AGENTS_SIM_BUS_H
#define TESTS_AGENTS_SIM_BUS_H

#include "tests/agents/sim/sim_disk.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the bus wants to know of the owners of threads. */
struct sim_line {
	int is_dead;
	int is_cut;
	int is_newer;
	int64_t asked; /* when a server last had a request of it, in ms of clock_ms() */
	struct sim_disk disk;
};

/* In thousandths. */
struct sim_chance {
	unsigned answer_lost, letter_lost, letter_twice, letter_late, call_lost, watch_stops, round_cut;
};

void sim_bus_begin(const struct sim_chance *);
void sim_bus_end(void);
void sim_bus_down(void);
void sim_bus_back(int64_t ms);
void sim_bus_lose(void);

/* Publishes bytes under a key of the bucket ("roster"), a log ("log.17") or the letters to an agent ("to.ID"). A star
 * stands for one of the agents ("agent.*", "to.*"). */
void sim_bus_publish(const char *subject, const void *bytes, size_t n);

/* Says whether the bucket has a key. */
int sim_bus_has(const char *key);

/* Says whether a key has this value. */
int sim_bus_says(const char *key, const char *value);

/* Prints the values of all keys. */
void sim_bus_show(FILE *);

/* Returns the number of messages that the server has taken and given. */
uint64_t sim_bus_messages(void);

#endif
