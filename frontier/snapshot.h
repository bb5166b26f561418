/* A snapshot of a frontier: the states, keys and private bytes of all pages, and the states of the policies. A crawl that
 * resumes with a snapshot calls no hook of a policy for the events before it, so that it repeats no reranking.
 *
 *	if (frontier_can_save(f))
 *		frontier_save(f, 0, sink, ctx);                 sink() gets the bytes, piece by piece
 *
 *	frontier_restore_begin(again);                      a new frontier of the same settings and world
 *	if (!frontier_can_load(again, ids, bytes, n, why))
 *		frontier_load(again, now, latest, bytes, n);
 *	... frontier_retake(), frontier_ended() ...         the events since
 *	frontier_restore_end(again);
 *
 * A frontier that was restored in this way gives the same pages with the same keys as one that was told of all events
 * (tests/frontier/test_snapshot.c, for every policy). A snapshot has no hosts: world.host() is asked for each page when it is
 * loaded, and a host of which a page was requested rests from then on, as in a restore from a log.
 *
 * The bytes are those of one build of this program on one kind of machine. A policy trusts its private bytes, so that the caller
 * must know that the snapshot is its own. */
#ifndef FRONTIER_SNAPSHOT_H
#define FRONTIER_SNAPSHOT_H

#include "frontier/frontier.h"

/* Says whether a frontier can be saved: not if a policy has memory beside its state (`done` of struct policy), not if no
 * structs page are kept (frontier/pile.h), and not in a crawl by several agents, whose counts are not all its own. */
int frontier_can_save(const struct frontier *);

/* Receives n bytes. */
typedef void frontier_sink(void *ctx, const void *bytes, size_t n);

/* Passes the snapshot to `sink`. `ahead` is added to the times before which pages must not be taken. */
void frontier_save(const struct frontier *, int64_t ahead, frontier_sink *sink, void *ctx);

/* Says whether a snapshot of n bytes, aligned to 8, can be loaded into a frontier that is being restored and has seen no page
 * (asserted). All its pages must be below `ids`. Returns 0; or ERR_OTHER, with the reason in the note, if the snapshot is of a
 * crawl with other policies or settings, or is no snapshot. */
int frontier_can_load(const struct frontier *, uint32_t ids, const void *bytes, size_t n, struct err_note *why) MUST_USE;

/* Loads a snapshot that can be loaded (asserted). Pages that must not be taken before a time later than `now` are delayed, until
 * `latest` at most. */
void frontier_load(struct frontier *, int64_t now, int64_t latest, const void *bytes, size_t n);

#endif
