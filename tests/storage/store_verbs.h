/* Every verb that reads a store, and the library, run on the store `s` of the present folder, each in a child of this process. What
 * a verb prints is in the files `out` and `err` afterwards; what it writes is in `both`, `new` and `converted`. */
#ifndef TESTS_STORE_VERBS_H
#define TESTS_STORE_VERBS_H

#include "tests/storage/made_crawl.h"

#include "base/log.h"
#include "cli/verb.h"
#include "lib/lycosa.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <xxhash.h>

#define STORE_VERB_ARGS 18

struct store_verb {
	enum {
		VERB_READS,   /* writes nothing into the store */
		VERB_WRITES,  /* may write into the store, or make another one of it */
		VERB_TELLS,   /* says more of a damaged store than of a sound one */
		VERB_LIBRARY, /* no verb: what a program can ask of the store through liblycosa */
	} kind;
	const char *args[STORE_VERB_ARGS]; /* "URL" stands for that of a page of the store */
};

/* A crawl that reaches port 1 of this machine alone, where nobody listens. */
#define STORE_CRAWL "--max-pages", "1", "--connect-to", "::127.0.0.1:1", "--delay", "0", "--tries", "1", "-q"

static const struct store_verb store_verbs[] = {
	{VERB_READS, {"store", "info", "s"}},
	{VERB_READS, {"store", "dump", "s"}},
	{VERB_READS, {"store", "dump", "s", "--failed"}},
	{VERB_READS, {"store", "explain", "s", "URL"}},
	{VERB_READS, {"store", "diff", "s", "other"}},
	{VERB_READS, {"store", "diff", "other", "s"}},
	{VERB_READS, {"graph", "info", "--graph", "s"}},
	{VERB_READS, {"graph", "convert", "-q", "--graph", "s", "--to", "edges", "converted"}},
	{VERB_READS, {"graph", "prune", "-q", "--graph", "s", "converted"}},
	{VERB_READS, {"graph", "transpose", "-q", "--graph", "s", "converted"}},
	{VERB_READS, {"rank", "--graph", "s", "--by", "pagerank", "-q"}},
	{VERB_READS, {"replay", "--graph", "s", "--seeds", "random:2", "--policy", "opic", "-q", "--order", "-"}},
	{VERB_READS, {"compare", "--graph", "s", "--seeds", "random:2", "--policies", "bfs,opic", "-q"}},
	{VERB_READS, {"seeds", "--graph", "s", "--method", "hits", "--count", "3", "-q"}},
	{VERB_READS, {"coverage", "--graph", "s", "--seeds", "random:2", "--hops", "1"}},
	{VERB_READS, {"export", "--store", "s", "--pages", "--to", "csv", "-"}},
	{VERB_READS, {"export", "--store", "s", "--links", "--to", "jsonl", "-"}},
	{VERB_READS, {"export", "--store", "s", "--hosts", "--to", "csv", "-"}},
	{VERB_READS, {"export", "--store", "s", "--changes", "--to", "csv", "-"}},
	{VERB_READS, {"crawl", "--store", "s", "--print-config"}},
	{VERB_READS, {"crawl", "--store", "s", "--dry-run"}},
	{VERB_LIBRARY, {"library"}},
	{VERB_WRITES, {"store", "merge", "-q", "s", "other", "--into", "both"}},
	{VERB_WRITES, {"store", "merge", "-q", "other", "s", "--into", "both"}},
	{VERB_WRITES, {"store", "compact", "s"}},
	{VERB_WRITES, {"crawl", "--store", "s", STORE_CRAWL}},
	{VERB_WRITES, {"crawl", "http://127.0.0.1:1/", "--store", "new", "--previous", "s", STORE_CRAWL}},
	{VERB_TELLS, {"store", "verify", "s", "-q"}},
};
#define STORE_VERBS (sizeof store_verbs / sizeof *store_verbs)

/* Says whether a verb has --damaged=skip. */
static inline int store_verb_skips(const struct store_verb *v)
{
	return strcmp(v->args[0], "crawl") != 0 && v->kind != VERB_TELLS && (!v->args[1] || strcmp(v->args[1], "compact") != 0);
}

/* Says whether each line that a verb prints is about one record, so that those of the rest of a store are some of the sound
 * store's. */
static inline int store_verb_has_rows(const struct store_verb *v)
{
	return (strcmp(v->args[0], "store") == 0 && strcmp(v->args[1], "dump") == 0 && !v->args[3]) ||
		(strcmp(v->args[0], "export") == 0 && (strcmp(v->args[3], "--links") == 0 || strcmp(v->args[3], "--changes") == 0));
}

/* Goes into a folder in memory, if there is such a place, since nothing here must outlive a crash. */
static inline void store_verbs_enter(void)
{
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 1);
	assert_int_equal(chdir(scratch()), 0);
}

/* Reads a file; of one that is missing, nothing. */
static inline char *store_verbs_slurp(const char *path, size_t *n)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = {.st_size = 0};

	*n = fd >= 0 && fstat(fd, &st) == 0 ? (size_t)st.st_size : 0;
	char *bytes = mem_zero(*n + 1, 1);
	assert_true(fd < 0 || read(fd, bytes, *n) == (ssize_t)*n);
	if (fd >= 0)
		close(fd);
	return bytes;
}

static inline uint64_t store_verbs_hash(const char *path)
{
	size_t n;
	char *bytes = store_verbs_slurp(path, &n);
	const uint64_t hash = XXH3_64bits(bytes, n);

	free(bytes);
	return hash;
}

/* Makes the file of the store anew. */
static inline void store_verbs_put(const char *bytes, size_t n)
{
	const int fd = open("s/data.mdb", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	close(fd);
}

/* Removes what the verbs write. */
static inline void store_verbs_clear(void)
{
	made_forget("both");
	unlink("new/frontier");
	made_forget("new");
	unlink("converted");
	unlink("s/frontier");
}

/* Prints what a program learns of a store. */
static inline int store_verbs_library(int skip, struct err_note *why)
{
	struct lycosa_note note = {""}, missing = {""}, lacks = {""};
	const struct lycosa_graph_options options = {.missing = skip ? &lacks : NULL};
	struct lycosa_store *s;
	struct lycosa_store_page page;
	struct lycosa_graph *graph = NULL;
	size_t n;
	int err = skip ? lycosa_store_open_rest(&s, "s", &missing, &note) : lycosa_store_open(&s, "s", &note);

	for (uint32_t id = 0; !err && id < lycosa_store_pages(s); id++) {
		uint32_t found = 0;
		err = lycosa_store_page(s, id, &page, &note);
		if (err)
			break;
		const uint32_t *links = lycosa_store_links(s, id, &n);
		printf("%u %s %s %s %s %u %u", id, page.url, page.state, page.outcome, page.digest, page.target,
			lycosa_store_find(s, page.url, strlen(page.url), &found) ? found : LYCOSA_NO_PAGE);
		for (size_t i = 0; i < n; i++)
			printf(" %u", links[i]);
		putchar('\n');
	}
	lycosa_store_close(s);
	if (!err)
		err = lycosa_graph_open(&graph, "s", &options, &note);
	if (!err)
		printf("%u nodes, %llu arcs\n", lycosa_graph_nodes(graph), (unsigned long long)lycosa_graph_arcs(graph));
	lycosa_graph_close(graph);
	if (!err && *missing.text)
		return err_set(why, ERR_PARTIAL, "%s", missing.text);
	return err ? err_set(why, (enum err)err, "%s", note.text) : 0;
}

/* Bounds the memory of a verb: no store of some KB takes as much. Sanitizers need address space without a bound. */
static inline void store_verbs_bound(void)
{
#ifndef __SANITIZE_ADDRESS__
	const struct rlimit most = {(rlim_t)4 << 30, (rlim_t)4 << 30};

	setrlimit(RLIMIT_DATA, &most);
#endif
}

/* Runs a verb, or the library, with `more` behind its arguments unless that is NULL. Returns its status, or 128 and the signal that
 * has ended it. */
static inline int store_verb_run_with(const char *const *verb, const char *url, const char *more)
{
	const char *args[STORE_VERB_ARGS + 2] = {"lycosa"};
	struct err_note why = {""};
	int argc = 1, status;

	for (; verb[argc - 1]; argc++)
		args[argc] = strcmp(verb[argc - 1], "URL") == 0 ? url : verb[argc - 1];
	if (more)
		args[argc++] = more;
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "r", stdin) || !freopen("out", "w", stdout) || !freopen("err", "w", stderr))
			_exit(99);
		store_verbs_bound();
		alarm(600u * (unsigned)slowness()); /* of a verb that hangs */
		int failed =
			strcmp(args[1], "library") == 0 ? store_verbs_library(more != NULL, &why) : verb_main(argc, args, &why);
		failed = fflush(stdout) ? ERR_RESULTS : failed;
		if (failed)
			log_error("%s", *why.text ? why.text : err_text(failed));
		fflush(stderr);
		_exit(err_status(failed));
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline int store_verb_run(const char *const *verb, const char *url)
{
	return store_verb_run_with(verb, url, NULL);
}

/* Makes a store of so many steps in the folder `s`, with the settings of the crawl in the folder `settings`. Returns the URL of a
 * page, which the caller frees. */
static inline char *store_verbs_make(uint64_t seed, size_t steps)
{
	struct made_crawl *made = made_crawl(seed, steps);
	struct store *s = open_store("s", STORE_WRITE), *settings = open_store("settings", STORE_READ);
	struct store_page page;

	for (size_t i = 0; i < settings->settings; i++)
		assert_int_equal(store_set(s, settings->setting[i].name, settings->setting[i].text, NULL), 0);
	store_drop(settings);
	for (size_t at = 0; at < steps; at += steps / 3 + 1) {
		const size_t to = at + steps / 3 + 1;
		assert_int_equal(made_write(s, made, at, to < steps ? to : steps, NULL), 0);
		commit(s);
	}
	assert_int_equal(store_page(s, 1, &page), 1);
	char *url = mem_text(page.url);
	store_drop(s);
	made_free(made);
	return url;
}

/* Makes the folder `settings`: a crawl whose only seed is refused. */
static inline void store_verbs_settings(void)
{
	static const char *const begin[] = {"crawl", "http://127.0.0.1:1/", "--store", "settings", "--policy", "bfs", "--delay",
		"0", "--tries", "1", "-q", NULL};

	(void)store_verb_run(begin, NULL);
}

#endif
