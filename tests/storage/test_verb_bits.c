/* Stores are damaged, and every verb that reads a store is run on them, in a child of this process: with the damage that a verb
 * meets it gives the answer that it gives of the sound store, or ends with a status other than 0 and a sentence. With
 * --damaged=skip it gives that answer, or says what is missing, and prints no record that the sound store does not have. Then the
 * store is salvaged.
 *
 *	test_verb_bits [FLIPS [CUTS [HOLES]]]    bits turned, files cut short, and holes of zeros, of each of three stores */
#include "tests/storage/store_verbs.h"

#include "base/rng.h"

/* What became of a run. */
enum fate { FATE_SAME, FATE_REFUSED, FATE_REST, FATE_SILENT, FATE_SPEECHLESS, FATE_WROTE, FATE_UNTRUE, FATE_CRASH, FATES };
static const char *const fate_name[FATES] = {"same answer", "refused", "answered from the rest", "silent", "no sentence",
	"refused after something was written", "a record that is not in the sound store", "crash or hang"};

static char *sound;
static size_t sound_n;
static unsigned fates[FATES], lost, unsound;
static uint64_t answer[STORE_VERBS];
static int ended[STORE_VERBS];  /* the statuses of the verbs on the sound store */
static char *rows[STORE_VERBS]; /* what a verb with rows prints of the sound store, with a line feed before it */
static char *url;               /* of a page of the store */
static size_t turn;             /* the verb that is run next with --damaged=skip */

static uint64_t answer_now(void)
{
	return store_verbs_hash("out") ^ store_verbs_hash("converted") ^ (uint64_t)(access("both/data.mdb", F_OK) == 0);
}

/* Adds the lines of a dump for each link as it stands on its page, and for each page that its redirects lead to: a link whose
 * redirect is lost is printed as it stands. */
static void add_links(struct buf *out)
{
	struct store *s = open_store("s", STORE_READ);
	const uint32_t *links;
	struct store_page page;
	struct result r;

	for (uint32_t id = 0; id < store_pages(s); id++) {
		const size_t n = store_links(s, id, &links, NULL);
		assert_int_equal(store_page(s, id, &page), 1);
		char *from = mem_text(page.url);
		for (size_t i = 0; i < n; i++) {
			uint32_t to = links[i];
			for (int step = 0; step < 32; step++) {
				assert_int_equal(store_page(s, to, &page), 1);
				buf_format(out, "%s\t%s\n", from, page.url);
				if (!store_result(s, to, &r) || r.state != PAGE_REDIRECTED)
					break;
				to = r.target;
			}
		}
		free(from);
	}
	store_drop(s);
}

/* Removes the numbers behind a name, which count what there is, and are others in the rest of a store. */
static void drop_numbers(char *text, const char *name)
{
	char *to = text;

	for (const char *from = text; *from;) {
		const size_t n = strncmp(from, name, strlen(name)) == 0 ? strlen(name) : 1;
		memmove(to, from, n);
		to += n;
		from += n + (n > 1 ? strspn(from + n, "0123456789") : 0);
	}
	*to = 0;
}

/* Returns the lines that a verb has printed, with a line feed before the first. */
static char *rows_now(int is_sound)
{
	static const char *const counted[] = {"\"from_id\":", "\"to_id\":", "\"position\":"};
	struct buf all = BUF_EMPTY;
	size_t n;
	char *out = store_verbs_slurp("out", &n);

	buf_format(&all, "\n%s", out);
	if (is_sound)
		add_links(&all);
	free(out);
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		drop_numbers(all.at, counted[i]);
	return buf_take(&all);
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
		free(rows[i]);
		rows[i] = store_verb_has_rows(&store_verbs[i]) ? rows_now(1) : NULL;
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

static int is_said(void)
{
	size_t n;
	char *said = store_verbs_slurp("err", &n);
	const int is = n > 10 && strstr(said, "lycosa: ") == said;

	free(said);
	return is;
}

static enum fate judge(size_t verb, int status, const char *bytes, size_t bytes_n)
{
	if (status >= 128)
		return FATE_CRASH;
	if (status == ended[verb])
		return answer_now() == answer[verb] ? FATE_SAME : FATE_SILENT;
	if (!status || !is_said())
		return status ? FATE_SPEECHLESS : FATE_SILENT;
	return store_verbs[verb].kind == VERB_TELLS || is_untouched(bytes, bytes_n) ? FATE_REFUSED : FATE_WROTE;
}

/* Says whether each line that was printed is one of the sound store's. */
static int is_true(const char *sound_rows)
{
	char *out = rows_now(0);
	int is = 1;

	for (char *line = out + 1, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *wanted = buf_made("\n%.*s", (int)(end + 1 - line), line);
		const int is_row = strstr(sound_rows, wanted) != NULL;
		if (is && !is_row)
			print_message("# not in the sound store: %s", wanted + 1);
		is &= is_row;
		free(wanted);
	}
	free(out);
	return is;
}

static enum fate judge_rest(size_t verb, int status)
{
	if (status >= 128)
		return FATE_CRASH;
	if (status == ended[verb])
		return answer_now() == answer[verb] ? FATE_SAME : FATE_SILENT;
	if (!is_said())
		return status ? FATE_SPEECHLESS : FATE_SILENT;
	if (status != err_status(ERR_PARTIAL))
		return FATE_REFUSED;
	return rows[verb] && !is_true(rows[verb]) ? FATE_UNTRUE : FATE_REST;
}

static void count(enum fate fate, const char *what, size_t verb, const char *more, int status)
{
	const char *const *args = store_verbs[verb].args;

	fates[fate]++;
	if (fate > FATE_REST)
		print_message("# %s: %s %s%s: status %d, %s\n", what, args[0], args[1] ? args[1] : "", more, status,
			fate_name[fate]);
}

/* Runs the dump and another verb with --damaged=skip: each takes the time of a salvage. */
static void try_rest(const char *bytes, size_t n, const char *what)
{
	for (int i = 0; i < 2; i++) {
		size_t verb = i ? turn++ % STORE_VERBS : 1;
		while (!store_verb_skips(&store_verbs[verb]))
			verb = turn++ % STORE_VERBS;
		store_verbs_clear();
		store_verbs_put(bytes, n);
		const int status = store_verb_run_with(store_verbs[verb].args, url, "--damaged=skip");
		count(judge_rest(verb, status), what, verb, " --damaged=skip", status);
	}
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
		count(judge(i, status, bytes, n), what, i, "", status);
	}
	try_rest(bytes, n, what);
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

#define HOLE 96 /* bytes */

static unsigned flips = 5, cuts = 3, holes = 2;

static void try_store(uint64_t seed)
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
	for (unsigned i = 0; i < holes; i++) {
		const size_t at = (size_t)rng_below(&rng, sound_n - HOLE);
		snprintf(what, sizeof what, "a hole from byte %zu of page %zu", at % 4096, at / 4096);
		memset(bytes + at, 0, HOLE);
		try_damage(bytes, sound_n, what, 0);
		memcpy(bytes + at, sound + at, HOLE);
	}
	free(bytes);
}

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
		try_store(11 + i);
		made_forget("s");
	}
	for (int i = 0; i < FATES; i++)
		print_message("# %s: %u\n", fate_name[i], fates[i]);
	print_message("# salvage: %u failed or not sound, %u of turned bits lost something\n", unsound, lost);
	for (int i = FATE_SILENT; i < FATES; i++)
		assert_int_equal(fates[i], 0);
	assert_int_equal(unsound + lost, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_damage_changes_an_answer_in_silence)};

	flips = argc > 1 ? (unsigned)atoi(argv[1]) : flips;
	cuts = argc > 2 ? (unsigned)atoi(argv[2]) : cuts;
	holes = argc > 3 ? (unsigned)atoi(argv[3]) : holes;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
