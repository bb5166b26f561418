/* What one fetcher thread knows of the addresses of hosts, by name.
 *
 *     struct name *n = names_find(names, "example.org", 11, now);
 *     switch (n->standing) ...
 *
 *   (none) --names_find--> ASKED --answer--> KNOWN ----+
 *                            |  `--answer--> NONE --+  |
 *                            |                      |  |
 *                            +<- NAMES_LIVE_MS later+--+
 *
 * A name that is KNOWN stays so while it is looked up anew, and when no name server can tell for the time
 * being: a crawl goes on at the addresses it has. Of the addresses those are dead that could not be connected to
 * since; once all are, none is. The least recently used names are forgotten beyond NAMES_MOST. */
#ifndef FETCH_NAMES_H
#define FETCH_NAMES_H

#include "fetch/resolver.h"

#define NAMES_LIVE_MS  300000 /* that an answer holds */
#define NAMES_AGAIN_MS 1000   /* after which a name server that could not tell is asked again */
#define NAMES_MOST     16384

enum name_standing {
	NAME_ASKED, /* the resolver is looking it up, and there are no older addresses */
	NAME_KNOWN, /* there are addresses */
	NAME_NONE,  /* there are none: `error` says why */
};

struct job;

struct name {
	enum name_standing standing;
	enum outcome error; /* NONE */
	int is_asked;       /* the resolver has not answered yet */
	int64_t asked;      /* ms */
	int64_t expires;    /* KNOWN, NONE */
	unsigned n;         /* KNOWN */
	unsigned dead;      /* KNOWN: a bit an address */
	struct net_address address[RESOLVER_MOST_ADDRESSES];
	struct job *waiting, **waiting_end; /* ASKED: jobs that cannot begin before */
};

struct names;

/* The resolver's answers come to a mailbox of these names, whose wake() is given. */
struct names *names_new(struct resolver *resolver, void (*wake)(void *ctx), void *ctx);
/* No name may have a job waiting. The resolver must be gone. */
void names_free(struct names *names);

/* The name (n bytes: no port, no brackets), which is looked up where that is needed; the names' own until
 * the next call unless it is ASKED. */
struct name *names_find(struct names *names, const char *host, size_t n, int64_t now);

/* Takes an answer of the resolver: the name that it is for, whose jobs may begin now, or NULL where there
 * is none. */
struct name *names_answer(struct names *names, int64_t now);

/* Of the names that have been ASKED for since before `before`, one with jobs that wait, which are not to wait
 * any longer; NULL where there is none. */
struct name *names_overdue(struct names *names, int64_t before);

/* Which of the addresses is to be connected to: the one wished where it is among them and not dead, or else
 * the first that is not dead; of those only that `allows` is not 0 for. 1, or 0 where it is for none. */
int name_pick(const struct name *name, const struct net_address *wished,
	int (*allows)(void *ctx, const struct net_address *), void *ctx,
	struct net_address *picked);

/* An address could not be connected to, and is dead: 1 where there is another that is allowed and not dead,
 * or else 0, and none is dead any more. */
int name_has_other(struct name *name, const struct net_address *failed,
	int (*allows)(void *ctx, const struct net_address *), void *ctx);

#endif
