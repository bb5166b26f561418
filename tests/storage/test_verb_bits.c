/* Stores are damaged, and every verb that reads a store is run on them, in a child of this process: with the damage that a verb meets it
 * gives the answer that it gives of the sound store, or ends with a status other than 0 and a sentence. Then the store is salvaged.
 *
 *	test_verb_bits [FLIPS [CUTS]]    bits turned, and files cut short, of each of three stores */
#include "tests/storage/store_verbs.h"

#include "base/rng.h"

/* What became of a run. */
enum fate { FATE_SAME, FATE_REFUSED, FATE_SILENT, FATE_SPEECHLESS, FATE_WROTE, FATE_CRASH, FATES };
static const char *const fate_name[FATES] = {"same answer", "refused", "silent", "no sentence",
	"refused after something was written", "crash or hang"};

static char *sound;
static size_t sound_n;
static unsigned fates[FATES], lost, unsound;
static uint64_t answer[STORE_VERBS];
static int ended[STORE_VERBS]; /* the statuses of the verbs on the sound store */
static char *url;              /* of a page of the store */

static uint64_t answer_now(void)
{
	return store_verbs_hash("out") ^ store_verbs_hash("converted") ^ (uint64_t)(access("both/data.mdb", F_OK) == 0);
}

static void learn(void)
{
	for (size_t i = 0; i < STORE_VERBS; i++) {
		store_verbs_clear();
		store_verbs_put(sound, sound_n);
		ended[i] = store_verb_run(store_verbs[i].args, url);
		if (ended[i] && ended[i] != err_status(ERR_ALL_SEEDS_FAILED)) /* the seed of the crawl with --previous is refused */
			fail_msg("'%s %s' of the sound store ends with %d", store_verbs[i].args[0], store_verbs[i].args[1],
				ended[i]);
		answer[i] = answer_now();
	}
	store_verbs_clear();
	store_verbs_put(sound, sound_n);
}

/* Says whether nothing was written: to stdout, into the store or beside it. */
static int is_untouched(const char *bytes, size_t n)
{
	size_t now, out;
	char *store = store_verbs_slurp("s/data.mdb", &now);
	const int is_same = now == n && memcmp(store, bytes, n) == 0;

	free(store);
	free(store_verbs_slurp("out", &out));
	return is_same && out == 0 && access("both", F_OK) != 0 && access("converted", F_OK) != 0 &&
		access("new/data.mdb", F_OK) != 0;
}

static enum fate judge(size_t verb, int status, const char *bytes, size_t bytes_n)
{
	size_t n;
	char *said = store_verbs_slurp("err", &n);
	const int is_said = n > 10 && strstr(said, "lycosa: ") == said;

	free(said);
	if (status >= 128)
		return FATE_CRASH;
	if (status == ended[verb])
		return answer_now() == answer[verb] ? FATE_SAME : FATE_SILENT;
	if (!status || !is_said)
		return status ? FATE_SPEECHLESS : FATE_SILENT;
	return store_verbs[verb].kind == VERB_TELLS || is_untouched(bytes, bytes_n) ? FATE_REFUSED : FATE_WROTE;
}

/* Runs all verbs on a damaged store, and salvages it. */
static void try_damage(const char *bytes, size_t n, const char *what, int is_flip)
{
	static const char *const salvage[] = {"store", "salvage", "s", "--to", "new", "-q", NULL};
	static const char *const verify[] = {"store", "verify", "new", "-q", NULL};
	static const char *const dump[] = {"store", "dump", "new", NULL};

	for (size_t i = 0; i < STORE_VERBS; i++) {
		store_verbs_clear();
		store_verbs_put(bytes, n);
		const char *const *args = store_verbs[i].args;
		const int status = store_verb_run(args, url);
		const enum fate fate = judge(i, status, bytes, n);
		fates[fate]++;
		if (fate > FATE_REFUSED)
			print_message("# %s: %s %s: status %d, %s\n", what, args[0], args[1] ? args[1] : "", status,
				fate_name[fate]);
	}
	store_verbs_clear();
	store_verbs_put(bytes, n);
	if (store_verb_run(salvage, NULL)) {
		size_t said_n;
		char *said = store_verbs_slurp("err", &said_n);
		if (is_flip || !strstr(said, "nothing of a store is found")) { /* the beginning of a file has no page yet */
			unsound++;
			print_message("# %s: salvage fails: %s", what, said);
		}
		free(said);
		return;
	}
	if (store_verb_run(verify, NULL)) {
		unsound++;
		print_message("# %s: what is salvaged is not sound\n", what);
	}
	if (is_flip && (store_verb_run(dump, NULL) || answer_now() != answer[1])) {
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

static unsigned flips = 5, cuts = 3;

static void no_damage_changes_an_answer_in_silence(void **state)
{
	static const size_t steps[] = {12, 60, 240};

	(void)state;
	store_verbs_enter();
	store_verbs_settings();
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		free(url);
		free(sound);
		url = store_verbs_make(3 + i, steps[i]);
		sound = store_verbs_slurp("s/data.mdb", &sound_n);
		made_forget("other");
		assert_true(mkdir("other", 0777) == 0 && rename("s/data.mdb", "other/data.mdb") == 0);
		store_verbs_put(sound, sound_n);
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
