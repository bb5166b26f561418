/* The file `frontier` in the folder of a store: a snapshot of the frontier (frontier/snapshot.h) and of the knowledge of pages
 * (crawler/knowledge/knowledge.h) at an entry of the log, so that a crawl that resumes repeats neither the rerankings of its policy
 * nor what it has learned of traps.
 *
 *	place = snapshot_place(dir, "ieca");                 when the policy has been loaded
 *	snapshot_open(&s, &place, store, frontier, why);     before the log is read
 *	if (s.bytes) ...                                     entry s.entries is the first that the frontier must be told of
 *	snapshot_close(&s);
 *
 *	keeper_init(&k, &place, store, frontier, &knowledge, source, &recorder);
 *	observers[n++] = keeper_observer(&k);                writes snapshots during the crawl
 *	err = keeper_finish(&k, why);                        and one at its end
 *
 * The log stays the one truth. A snapshot is left aside, and the whole log is read, if it is missing, damaged, of another log,
 * policy, setting or build of the program or of a policy in a file, or of another machine, user or file: policies trust the bytes
 * of a snapshot, so that only the file that this program wrote itself is read, and none that came with a store from elsewhere. */
#ifndef CRAWLER_SNAPSHOT_H
#define CRAWLER_SNAPSHOT_H

#include "crawler/crawl.h"
#include "crawler/knowledge/knowledge.h"
#include "crawler/observers/record.h"
#include "storage/store.h"

#define SNAPSHOT_NAME "frontier"

/* Where the snapshot of a crawl is, and which code has written the private bytes in it. */
struct snapshot_place {
	const char *dir; /* the store's folder; NULL: there is no snapshot */
	uint64_t code;   /* a hash of the identities of the files that the policies are in */
};

/* Returns the place of the snapshot in a folder, which must outlive it, under the policy with this spec (policies/policies.h). */
struct snapshot_place snapshot_place(const char *dir, const char *spec);

struct snapshot {
	char *bytes; /* n bytes for frontier_load(); NULL: no snapshot can be used */
	size_t n;
	char *knowledge; /* knowledge_n bytes, for knowledge_load() */
	size_t knowledge_n;
	uint64_t entries; /* of the log, which frontier and knowledge have seen */
	uint32_t pages;   /* that these entries have led to */
	uint32_t *seeds;  /* n_seeds pages: those of the entries of the kind LOG_SEED among these, in their order */
	size_t n_seeds;
	/* private */
	struct store_log_cursor *log; /* behind these entries */
	size_t seeds_room;
};

/* Opens the snapshot of a store for a frontier that is being restored, if it can be used; a message (-v) says why it
 * cannot. The caller calls snapshot_close() in each case. Returns 0, or ERR_DAMAGED if the log cannot be read. */
int snapshot_open(struct snapshot *, const struct snapshot_place *, struct store *, const struct frontier *,
	struct err_note *why) MUST_USE;

/* Returns a cursor that stands behind the entries that a usable snapshot has seen. The caller takes it over; a second call is an
 * error. So the log is read once, and not up to there again. */
struct store_log_cursor *snapshot_take_log(struct snapshot *);

/* Frees the memory. */
void snapshot_close(struct snapshot *);

struct snapshot_keeper {
	struct snapshot_place place;
	struct store *store;
	const struct frontier *frontier;
	struct knowledge *knowledge;
	struct source *source;
	struct recorder *recorder;
	uint64_t batches; /* complete at the last snapshot */
	uint64_t entries; /* of the log at the last snapshot */
	int64_t kept;     /* ms of clock_ms(): when the last snapshot was written, or the crawl began */
	int64_t cost;     /* ms that it took */
	int is_off;       /* no more snapshots are written: one could not be, or the policy has none */
};

/* Prepares to write snapshots; all pointers but that to the place must outlive the keeper. Without a `dir` none is written. */
void keeper_init(struct snapshot_keeper *, const struct snapshot_place *, struct store *, const struct frontier *,
	struct knowledge *, struct source *, struct recorder *);

/* Returns the observer that writes a snapshot every ten minutes, and after a reranking if the last snapshot is long enough ago
 * that snapshots take at most a hundredth of the time. It comes after the recorder, whose commit each snapshot begins with. */
struct observer keeper_observer(struct snapshot_keeper *);

/* Commits the last events of a crawl, and writes a snapshot if there is anything new. Returns 0 or an error of the commit. */
int keeper_finish(struct snapshot_keeper *, struct err_note *why) MUST_USE;

#endif
