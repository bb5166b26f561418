/* A study's job: what is compared on which graphs, as fio's job files say what is read and written.
 *
 *   [global]
 *   policies = ieca, opic, bfs
 *   seeds    = random:0.001
 *   draws    = 30
 *
 *   [cnr-2000]
 *   graph    = ${DATA}/cnr-2000/cnr-2000
 *   draws    = 10
 *
 * [global] holds for every graph, and each other section is a graph, which may say some keys anew. A line
 * that begins with # or ; is a comment; ${NAME} is the environment's. A key that may be given more than
 * once (policy-opt, claim, finding) adds to what was there.
 *
 * A manifest is a job, too: manifest.json, which every study leaves in its folder, has the same keys as JSON (job_manifest()),
 * the fingerprints of graphs and results among them, and is read wherever a job file is. */
#ifndef CLI_LAB_STUDY_JOB_H
#define CLI_LAB_STUDY_JOB_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* name, whether a graph's section may say it anew, whether it adds up, the usual value */
#define JOB_KEYS(X)                                                                                \
	X(STUDY, "study", JOB_GLOBAL, JOB_LAST, "study")                                           \
	X(TITLE, "title", JOB_GLOBAL, JOB_LAST, NULL)                                              \
	X(POLICIES, "policies", JOB_GLOBAL, JOB_LAST, NULL)                                        \
	X(ONLY, "only", JOB_GLOBAL, JOB_LAST, NULL)                                                \
	X(IF_MISSING, "if-missing", JOB_GLOBAL, JOB_LAST, "fail")                                  \
	X(IF_IMPOSSIBLE, "if-impossible", JOB_GLOBAL, JOB_LAST, "fail")                            \
	X(VARY, "vary", JOB_GLOBAL, JOB_LAST, NULL)                                                \
	X(AT, "at", JOB_GLOBAL, JOB_LAST, "0.1,0.2,0.3,0.45,0.6,1")                                \
	X(JUDGE, "judge", JOB_GLOBAL, JOB_LAST, "discoverable@0.45")                               \
	X(DROP_SHORT, "drop-short", JOB_GLOBAL, JOB_LAST, "no")                                    \
	X(SMALLEST_EFFECT, "smallest-effect", JOB_GLOBAL, JOB_LAST, "1")                           \
	X(TARGET, "target", JOB_EACH, JOB_LAST, NULL)                                              \
	X(TIES, "ties", JOB_GLOBAL, JOB_LAST, "no")                                                \
	X(TAU, "tau", JOB_GLOBAL, JOB_LAST, "no")                                                  \
	X(GAP, "gap", JOB_GLOBAL, JOB_LAST, NULL)                                                  \
	X(LEAST_GAP, "least-gap", JOB_GLOBAL, JOB_LAST, "2")                                       \
	X(WHEN, "when", JOB_GLOBAL, JOB_LAST, NULL)                                                \
	X(CLAIM, "claim", JOB_GLOBAL, JOB_ADDS, NULL)                                              \
	X(FINDING, "finding", JOB_GLOBAL, JOB_ADDS, NULL)                                          \
	X(NUMBERS, "numbers", JOB_GLOBAL, JOB_LAST, NULL)                                          \
	X(GRAPH, "graph", JOB_EACH, JOB_LAST, NULL)                                                \
	X(URLS, "urls", JOB_EACH, JOB_LAST, NULL)                                                  \
	X(HOSTS, "hosts", JOB_EACH, JOB_LAST, NULL)                                                \
	X(FINGERPRINT, "fingerprint", JOB_EACH, JOB_LAST, NULL)                                    \
	X(FAMILY, "family", JOB_EACH, JOB_LAST, NULL)                                              \
	X(SEEDS, "seeds", JOB_EACH, JOB_LAST, "random:0.001")                                      \
	X(DRAWS, "draws", JOB_EACH, JOB_LAST, "10")                                                \
	X(BATCH, "batch", JOB_EACH, JOB_LAST, "N/40")                                              \
	X(TOTAL, "total", JOB_EACH, JOB_LAST, NULL)                                                \
	X(MAX_PAGES, "max-pages", JOB_EACH, JOB_LAST, "0")                                         \
	X(POLITENESS, "politeness", JOB_EACH, JOB_LAST, NULL)                                      \
	X(MAX_TIME, "max-time", JOB_EACH, JOB_LAST, NULL)                                          \
	X(AGENTS, "agents", JOB_EACH, JOB_LAST, NULL)                                              \
	X(RNG_SEED, "rng-seed", JOB_EACH, JOB_LAST, "1")                                           \
	X(TOL, "tol", JOB_EACH, JOB_LAST, NULL)                                                    \
	X(POLICY_OPT, "policy-opt", JOB_EACH, JOB_ADDS, NULL)                                      \
	X(DRAWN, "drawn", JOB_EACH, JOB_ADDS, NULL)                                                \
	/* evaluations of seeds: the flags of `lycosa seeds` and `lycosa coverage` */              \
	X(METHOD, "method", JOB_GLOBAL, JOB_LAST, NULL)                                            \
	X(COUNT, "count", JOB_GLOBAL, JOB_LAST, NULL)                                              \
	X(METHOD_OPT, "method-opt", JOB_GLOBAL, JOB_ADDS, NULL)                                    \
	X(PER_SITE, "per-site", JOB_GLOBAL, JOB_LAST, NULL)                                        \
	X(INTO, "into", JOB_GLOBAL, JOB_LAST, NULL)                                                \
	X(LOST, "lost", JOB_GLOBAL, JOB_LAST, NULL)                                                \
	X(VALUES, "values", JOB_GLOBAL, JOB_LAST, NULL)                                            \
	X(PAGE_ATTRS, "page-attrs", JOB_GLOBAL, JOB_LAST, NULL)                                    \
	X(P_UNIQUE, "p-unique", JOB_GLOBAL, JOB_LAST, NULL)                                        \
	X(MADE_SITES, "made-sites", JOB_GLOBAL, JOB_LAST, NULL)

enum job_key {
#define JOB_KEY(key, name, where, how, usual) JOB_##key,
	JOB_KEYS(JOB_KEY)
#undef JOB_KEY
	JOB_KEY_COUNT
};

struct job_section {
	char *name;
	struct {
		char **text; /* the values, in order */
		uint64_t *line;
		size_t n;
	} value[JOB_KEY_COUNT];
};

struct job {
	char *path; /* of the last file; NULL: flags said it */
	struct job_section global, *graph;
	size_t graphs, room;
};

/* A job without keys and graphs. */
void job_init(struct job *j);

/* Reads n >= 1 files as if they were one; a graph's section may go on in another. Graphs that `only`
 * leaves out, and with `if-missing = leave-out` those whose file is not there, are dropped, the latter
 * with a word on stderr. ERR_FILE; ERR_USAGE with file, line and the nearest key where a line is none;
 * ERR_FORMAT where a manifest is none, ERR_NEWER where a later lycosa wrote it.
 * Follow with job_release() in any case. */
int job_read(struct job *j, const char *const *paths, size_t n, struct err_note *why) MUST_USE;

/* Reads a job file or a manifest from bytes, which are changed; `name` is for messages. */
int job_parse(
	struct job *j, const char *name, char *bytes, size_t n, struct err_note *why) MUST_USE;

void job_release(struct job *j);

/* The text of a key for a graph (NULL: for all), [global]'s and the usual one included; NULL for none. */
const char *job_text(const struct job *j, const struct job_section *graph, enum job_key key);

/* All texts of a key that adds up: [global]'s, then the graph's, into *texts, to be freed. */
size_t job_texts(
	const struct job *j, const struct job_section *graph, enum job_key key, const char ***texts);

/* As it is typed. Static memory. */
const char *job_key_name(enum job_key key);

/* The section of a graph, made where there is none. Valid until the next one is made. */
struct job_section *job_graph(struct job *j, const char *name);

/* Gives a key of a section a value: in place of the one it has, or beside it where the key adds up. */
void job_set(struct job_section *s, enum job_key key, const char *text);

/* ERR_USAGE that names file, section and key: "jobs.ini: [cnr] draws = x: a number is wanted". */
int job_wrong(const struct job *j, const struct job_section *graph, enum job_key key,
	const char *wanted, struct err_note *why);

/* Takes the values of a key away. */
void job_clear(struct job_section *s, enum job_key key);

/* Whether the name of a key is one, and which. */
int job_key_named(const char *name, enum job_key *key);

/* Whether a key is one of [global] alone, and whether it adds up. */
int job_key_is_global(enum job_key key);
int job_key_adds(enum job_key key);

/* Appends the job as manifest.json:
 *
 *   {"manifest": 3, "lycosa": VERSION, "compiler": TEXT, "global": {KEY: VALUE, ...},
 *    "graphs": [{"name": NAME, KEY: VALUE, ...}, ...]}
 *
 * where a VALUE is a text, or a list of texts for a key that adds up. */
void job_manifest(const struct job *j, struct buf *out);

/* Reads a manifest into an empty job. */
int job_from_manifest(struct job *j, const char *bytes, size_t n, struct err_note *why) MUST_USE;

#endif
