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
#include "cli/verb.h"

#include <stddef.h>
#include <stdint.h>

/* Each row: the key's symbol, its name, whether a graph's section may override [global], whether a further value replaces the
 * last one or is added to the list, and the default */
#define JOB_KEYS(X) \
	X(STUDY, "study", JOB_GLOBAL, JOB_LAST, "study") \
	X(TITLE, "title", JOB_GLOBAL, JOB_LAST, NULL) \
	X(POLICIES, "policies", JOB_GLOBAL, JOB_LAST, NULL) \
	X(ONLY, "only", JOB_GLOBAL, JOB_LAST, NULL) \
	X(IF_MISSING, "if-missing", JOB_GLOBAL, JOB_LAST, "fail") \
	X(IF_IMPOSSIBLE, "if-impossible", JOB_GLOBAL, JOB_LAST, "fail") \
	X(VARY, "vary", JOB_GLOBAL, JOB_LAST, NULL) \
	X(AT, "at", JOB_GLOBAL, JOB_LAST, "0.1,0.2,0.3,0.45,0.6,1") \
	X(JUDGE, "judge", JOB_GLOBAL, JOB_LAST, "discoverable@0.45") \
	X(DROP_SHORT, "drop-short", JOB_GLOBAL, JOB_LAST, "no") \
	X(SMALLEST_EFFECT, "smallest-effect", JOB_GLOBAL, JOB_LAST, "1") \
	X(TARGET, "target", JOB_EACH, JOB_LAST, NULL) \
	X(RULES, "rules", JOB_EACH, JOB_LAST, NULL) \
	X(TIES, "ties", JOB_GLOBAL, JOB_LAST, "no") \
	X(TAU, "tau", JOB_GLOBAL, JOB_LAST, "no") \
	X(GAP, "gap", JOB_GLOBAL, JOB_LAST, NULL) \
	X(LEAST_GAP, "least-gap", JOB_GLOBAL, JOB_LAST, "2") \
	X(WHEN, "when", JOB_GLOBAL, JOB_LAST, NULL) \
	X(CLAIM, "claim", JOB_GLOBAL, JOB_ADDS, NULL) \
	X(FINDING, "finding", JOB_GLOBAL, JOB_ADDS, NULL) \
	X(NUMBERS, "numbers", JOB_GLOBAL, JOB_LAST, NULL) \
	X(GRAPH, "graph", JOB_EACH, JOB_LAST, NULL) \
	X(URLS, "urls", JOB_EACH, JOB_LAST, NULL) \
	X(HOSTS, "hosts", JOB_EACH, JOB_LAST, NULL) \
	X(DAMAGED, "damaged", JOB_EACH, JOB_LAST, "fail") \
	X(FINGERPRINT, "fingerprint", JOB_EACH, JOB_LAST, NULL) \
	X(FAMILY, "family", JOB_EACH, JOB_LAST, NULL) \
	X(SEEDS, "seeds", JOB_EACH, JOB_LAST, "random:0.001") \
	X(DRAWS, "draws", JOB_EACH, JOB_LAST, "10") \
	X(BATCH, "batch", JOB_EACH, JOB_LAST, "growth") \
	X(TOTAL, "total", JOB_EACH, JOB_LAST, NULL) \
	X(MAX_PAGES, "max-pages", JOB_EACH, JOB_LAST, "0") \
	X(HOST_SHARE, "host-share", JOB_EACH, JOB_LAST, NULL) \
	X(POLITENESS, "politeness", JOB_EACH, JOB_LAST, NULL) \
	X(MAX_TIME, "max-time", JOB_EACH, JOB_LAST, NULL) \
	X(AGENTS, "agents", JOB_EACH, JOB_LAST, NULL) \
	X(RNG_SEED, "rng-seed", JOB_EACH, JOB_LAST, "1") \
	X(TOL, "tol", JOB_EACH, JOB_LAST, NULL) \
	X(POLICY_OPT, "policy-opt", JOB_EACH, JOB_ADDS, NULL) \
	X(ORDER, "order", JOB_EACH, JOB_ADDS, NULL) \
	X(FORMAT, "format", JOB_EACH, JOB_LAST, NULL) \
	X(DRAWN, "drawn", JOB_EACH, JOB_ADDS, NULL) \
	/* evaluations of seeds: the flags of `lycosa seeds` and `lycosa coverage` */ \
	X(METHOD, "method", JOB_GLOBAL, JOB_LAST, NULL) \
	X(COUNT, "count", JOB_GLOBAL, JOB_LAST, NULL) \
	X(METHOD_OPT, "method-opt", JOB_GLOBAL, JOB_ADDS, NULL) \
	X(PER_SITE, "per-site", JOB_GLOBAL, JOB_LAST, NULL) \
	X(INTO, "into", JOB_GLOBAL, JOB_LAST, NULL) \
	X(LOST, "lost", JOB_GLOBAL, JOB_LAST, NULL) \
	X(VALUES, "values", JOB_GLOBAL, JOB_LAST, NULL) \
	X(PAGE_ATTRS, "page-attrs", JOB_GLOBAL, JOB_LAST, NULL) \
	X(P_UNIQUE, "p-unique", JOB_GLOBAL, JOB_LAST, NULL) \
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

/* Makes a job without keys and graphs. */
void job_init(struct job *j);

/* Reads n >= 1 files as if they were one; the section of a graph may be continued in another file. Graphs that `only` leaves out
 * are dropped, and with `if-missing = leave-out` also, with a message on stderr, those whose file does not exist. Returns 0;
 * ERR_FILE; ERR_USAGE with file, line and the nearest key for a malformed line; ERR_FORMAT for a malformed manifest; or
 * ERR_NEWER for a manifest of a later lycosa. The caller calls job_release() in each case. */
int job_read(struct job *j, const char *const *paths, size_t n, struct err_note *why) MUST_USE;

/* Reads a job file or a manifest from bytes, which are changed; `name` is for messages. */
int job_parse(struct job *j, const char *name, char *bytes, size_t n, struct err_note *why) MUST_USE;

void job_release(struct job *j);

/* Returns the text of a key for a graph (NULL: for all): of the graph's section, else of [global], else the default; NULL if there
 * is none. */
const char *job_text(const struct job *j, const struct job_section *graph, enum job_key key);

/* Makes an array of all values of a key that is a list: those of [global], then those of the graph. Returns their number. The
 * caller frees *texts; the texts belong to the job. */
size_t job_texts(const struct job *j, const struct job_section *graph, enum job_key key, const char ***texts);

/* Gives the job each flag of a command that was given, or has a usual value, and whose name is a key: a key of [global], and the
 * draws, in [global]; any other in the section of the graph (NULL: in [global], too). The graph itself is the caller's. */
void job_take_flags(struct job *j, struct job_section *graph, const struct command *c);

/* Checks that no output of a command overwrites what its job names. Returns 0 or ERR_USAGE. */
int job_check_files(const struct job *j, const struct command *c, struct err_note *why) MUST_USE;

/* Returns the name of a key as it is written in a job file, in static memory. */
const char *job_key_name(enum job_key key);

/* Returns the section of a graph, a new one if there is none. It is valid until the next section is made. */
struct job_section *job_graph(struct job *j, const char *name);

/* Gives a key of a section a value: in place of the one it has, or beside it where the key adds up. */
void job_set(struct job_section *s, enum job_key key, const char *text);

/* The same with a text that is taken over. */
void job_take(struct job_section *s, enum job_key key, char *take_text);

/* Sets and returns ERR_USAGE, with the file, the section, the key and its value in the note: "jobs.ini: [cnr-2000] draws = x: a
 * number is wanted". */
int job_wrong(const struct job *j, const struct job_section *graph, enum job_key key, const char *wanted, struct err_note *why);

/* Takes the values of a key away. */
void job_clear(struct job_section *s, enum job_key key);

/* Finds the key with a name. Returns 1 with *key, or 0. */
int job_key_named(const char *name, enum job_key *key);

/* Say whether a key may stand in [global] only, and whether its values are collected in a list. */
int job_key_is_global(enum job_key key);
/* Appends the job as manifest.json:
 *
 *   {"manifest": 3, "lycosa": VERSION, "compiler": TEXT, "global": {KEY: VALUE, ...},
 *    "graphs": [{"name": NAME, KEY: VALUE, ...}, ...]}
 *
 * where a VALUE is a text, or a list of texts for a key that adds up. */
void job_manifest(const struct job *j, struct buf *out);

#endif
