/* Stores are damaged, and every verb that reads a store is run on them, in a child of this process: with the damage that a verb meets it
 * gives the answer that it gives of the sound store, or ends with a status other than 0 and a sentence. Then the store is salvaged.
 *
 *	test_verb_bits [FLIPS [CUTS]]    bits turned, and files cut short, of each of three stores */
#include "tests/storage/made_crawl.h"

#include "base/log.h"
#include "base/rng.h"
#include "cli/verb.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <xxhash.h>

#define ARGS 16

static const char *const verbs[][ARGS] = {
	{"store", "info", "s"}, {"store", "dump", "s"}, {"store", "dump", "s", "--failed"}, {"store", "explain", "s", "URL"},
	{"store", "diff", "s", "other"}, {"graph", "info", "--graph", "s"},
	{"graph", "convert", "-q", "--graph", "s", "--to", "edges", "converted"},
	{"rank", "--graph", "s", "--by", "pagerank", "-q"},
	{"replay", "--graph", "s", "--seeds", "random:2", "--policy", "opic", "-q", "--order", "-"},
	{"compare", "--graph", "s", "--seeds", "random:2", "--policies", "bfs,opic", "-q"},
	{"seeds", "--graph", "s", "--method", "hits", "--count", "3", "-q"},
	{"coverage", "--graph", "s", "--seeds", "random:2", "--hops", "1"},
	{"export", "--store", "s", "--pages", "--to", "csv", "-"}, {"export", "--store", "s", "--links", "--to", "jsonl", "-"},
	{"crawl", "--store", "s", "--print-config"}, {"crawl", "--store", "s", "--dry-run"},
	{"store", "merge", "-q", "s", "other", "--into", "both"}, {"store", "compact", "s"},
	{"crawl", "--store", "s", "--max-pages", "1", "--connect-to", "::127.0.0.1:1", "--tries", "1", "-q"},
	{"store", "verify", "s", "-q"}, /* says more of a damaged store than of a sound one */
};
#define VERBS (sizeof verbs / sizeof *verbs)

/* What became of a run. */
enum fate { FATE_SAME, FATE_REFUSED, FATE_SILENT, FATE_SPEECHLESS, FATE_WROTE, FATE_CRASH, FATES };
static const char *const fate_name[FATES] = {"same answer", "refused", "silent", "no sentence",
	"refused after something was written", "crash or hang"};

static char *sound;
static size_t sound_n;
static unsigned fates[FATES], lost, unsound;
static uint64_t answer[VERBS];
static char *url; /* of a page of the store */

static char *slurp(const char *path, size_t *n)
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

static uint64_t hash_of(const char *path)
{
	size_t n;
	char *bytes = slurp(path, &n);
	const uint64_t hash = XXH3_64bits(bytes, n);

	free(bytes);
	return hash;
}

static void put(const char *bytes, size_t n)
{
	const int fd = open("s/data.mdb", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	close(fd);
}

static void clear(void)
{
	made_forget("both");
	rmdir("both");
	made_forget("new");
	unlink("converted");
	unlink("s/frontier");
}

/* Runs a verb. Returns its status; what it says is in the files `out` and `err`. */
static int run(const char *const *verb)
{
	const char *args[ARGS + 1] = {"lycosa"};
	struct err_note why = {""};
	int argc = 1, status;

	for (; verb[argc - 1]; argc++)
		args[argc] = strcmp(verb[argc - 1], "URL") == 0 ? url : verb[argc - 1];
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr))
			_exit(99);
		alarm(60);
		int failed = verb_main(argc, args, &why);
		failed = fflush(stdout) ? ERR_RESULTS : failed;
		if (failed)
			log_error("%s", *why.text ? why.text : err_text(failed));
		fflush(stderr);
		_exit(err_status(failed));
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static uint64_t answer_now(void)
{
	return hash_of("out") ^ hash_of("converted") ^ (uint64_t)(access("both/data.mdb", F_OK) == 0);
}

static void learn(void)
{
	for (size_t i = 0; i < VERBS; i++) {
		clear();
		put(sound, sound_n);
		const int status = run(verbs[i]);
		if (status)
			fail_msg("'%s %s' of the sound store ends with %d", verbs[i][0], verbs[i][1], status);
		answer[i] = answer_now();
	}
	clear();
	put(sound, sound_n);
}

/* Says whether nothing was written: to stdout, into the store or beside it. */
static int is_untouched(const char *bytes, size_t n)
{
	size_t now, out;
	char *store = slurp("s/data.mdb", &now);
	const int is_same = now == n && memcmp(store, bytes, n) == 0;

	free(store);
	free(slurp("out", &out));
	return is_same && out == 0 && access("both", F_OK) != 0 && access("converted", F_OK) != 0;
}

static enum fate judge(size_t verb, int status, const char *bytes, size_t bytes_n)
{
	const int is_verify = strcmp(verbs[verb][1], "verify") == 0;
	size_t n;
	char *said = slurp("err", &n);
	const int is_said = n > 10 && strstr(said, "lycosa: ") == said;

	free(said);
	if (status >= 128)
		return FATE_CRASH;
	if (status && !is_said)
		return FATE_SPEECHLESS;
	if (status)
		return is_verify || is_untouched(bytes, bytes_n) ? FATE_REFUSED : FATE_WROTE;
	return answer_now() == answer[verb] ? FATE_SAME : FATE_SILENT;
}

/* Runs all verbs on a damaged store, and salvages it. */
static void try_damage(const char *bytes, size_t n, const char *what, int is_flip)
{
	static const char *const salvage[] = {"store", "salvage", "s", "--to", "new", "-q", NULL};
	static const char *const verify[] = {"store", "verify", "new", "-q", NULL};
	static const char *const dump[] = {"store", "dump", "new", NULL};

	for (size_t i = 0; i < VERBS; i++) {
		clear();
		put(bytes, n);
		const int status = run(verbs[i]);
		const enum fate fate = judge(i, status, bytes, n);
		fates[fate]++;
		if (fate > FATE_REFUSED)
			print_message("# %s: %s %s: status %d, %s\n", what, verbs[i][0], verbs[i][1], status, fate_name[fate]);
	}
	clear();
	put(bytes, n);
	if (run(salvage)) {
		size_t said_n;
		char *said = slurp("err", &said_n);
		if (is_flip || !strstr(said, "nothing of a store is found")) { /* the beginning of a file has no page yet */
			unsound++;
			print_message("# %s: salvage fails: %s", what, said);
		}
		free(said);
		return;
	}
	if (run(verify)) {
		unsound++;
		print_message("# %s: what is salvaged is not sound\n", what);
	}
	if (is_flip && (run(dump) || answer_now() != answer[1])) {
		lost++;
		print_message("# %s: salvage has lost something\n", what);
	}
}

static void try_store(uint64_t seed, unsigned flips, unsigned cuts)
{
	struct rng rng = {seed};
	char *bytes = mem_copy(sound, sound_n), what[64];

	for (unsigned i = 0; i < flips; i++) {
		const size_t at = (size_t)rng_below(&rng, sound_n), bit = (size_t)rng_below(&rng, 8);
		snprintf(what, sizeof what, "bit %zu of byte %zu of page %zu", bit, at % 4096, at / 4096);
		bytes[at] ^= (char)(1 << bit);
		try_damage(bytes, sound_n, what, 1);
		bytes[at] = sound[at];
	}
	for (unsigned i = 0; i < cuts; i++) {
		const size_t n = (size_t)rng_below(&rng, sound_n);
		snprintf(what, sizeof what, "cut to %zu of %zu bytes", n, sound_n);
		try_damage(bytes, n, what, 0);
	}
	free(bytes);
}

/* Makes a store of so many steps, with the settings of a crawl. */
static void make_store(uint64_t seed, size_t steps)
{
	struct made_crawl *made = made_crawl(seed, steps);
	struct store *s = open_store("s", STORE_WRITE), *settings = open_store("settings", STORE_READ);

	for (size_t i = 0; i < settings->settings; i++)
		assert_int_equal(store_set(s, settings->setting[i].name, settings->setting[i].text, NULL), 0);
	store_drop(settings);
	for (size_t at = 0; at < steps; at += steps / 3 + 1) {
		const size_t to = at + steps / 3 + 1;
		assert_int_equal(made_write(s, made, at, to < steps ? to : steps, NULL), 0);
		commit(s);
	}
	free(url);
	struct store_page page;
	assert_int_equal(store_page(s, 1, &page), 1);
	url = mem_text(page.url);
	store_drop(s);
	made_free(made);
	free(sound);
	sound = slurp("s/data.mdb", &sound_n);
}

static unsigned flips = 5, cuts = 3;

static void no_damage_changes_an_answer_in_silence(void **state)
{
	static const size_t steps[] = {12, 60, 240};
	static const char *const begin[] = {"crawl", "http://127.0.0.1:1/", "--store", "settings", "--policy", "bfs", "--delay",
		"0", "--tries", "1", "-q", NULL};

	(void)state;
	const char *dir = scratch();
	assert_int_equal(chdir(dir), 0);
	(void)run(begin); /* its only seed is refused; the settings stay */
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		make_store(3 + i, steps[i]);
		made_forget("other");
		assert_true(mkdir("other", 0777) == 0 && rename("s/data.mdb", "other/data.mdb") == 0);
		put(sound, sound_n);
		learn();
		try_store(11 + i, flips, cuts);
		made_forget("s");
	}
	for (int i = 0; i < FATES; i++)
		print_message("# %s: %u\n", fate_name[i], fates[i]);
	print_message("# salvage: %u failed or not sound, %u of turned bits lost something\n", unsound, lost);
	assert_int_equal(fates[FATE_SILENT] + fates[FATE_SPEECHLESS] + fates[FATE_WROTE] + fates[FATE_CRASH] + unsound + lost, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_damage_changes_an_answer_in_silence)};

	flips = argc > 1 ? (unsigned)atoi(argv[1]) : flips;
	cuts = argc > 2 ? (unsigned)atoi(argv[2]) : cuts;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
