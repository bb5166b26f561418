#include "tests/graph/graphs.h"
#include "tests/test.h"

#include "base/buf.h"
#include "graph/formats/arcs.h"
#include "graph/formats/bvgraph.h"
#include "graph/formats/format.h"
#include "graph/memory/rows.h"
#include "graph/memory/runs.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

/* So little that every few thousand arcs are a run, and the runs are merged several times. */
static const struct graph_space tiny = {.memory = 1}, small = {.memory = 400000};

static int compare_keys(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Reads all, twice: both times what sorting says. */
static void assert_sorted(struct runs *r, uint64_t *key, size_t n)
{
	struct err_note why;
	uint64_t from, to;

	qsort(key, n, sizeof *key, compare_keys);
	for (int time = 0; time < 2; time++) {
		assert_int_equal(runs_begin(r, &why), 0);
		for (size_t i = 0; i < n; i++) {
			if (i && key[i] == key[i - 1])
				continue;
			assert_int_equal(runs_next(r, &from, &to, &why), 1);
			assert_true(from << 32 >> 32 == key[i] >> 32);
			assert_true(to << 32 >> 32 == (key[i] & UINT32_MAX));
		}
		assert_int_equal(runs_next(r, &from, &to, &why), 0);
	}
}

static void runs_merge_to_what_sorting_gives(void **state)
{
	struct rng rng = {5};

	(void)state;
	for (int round = 0; round < 12; round++) {
		const struct graph_space *space = round % 3 ? &tiny : &small;
		const uint64_t ids = round % 4 == 0 ? 3 : round % 4 == 1 ? 1000 : UINT32_MAX;
		const size_t most = runs_arcs(space), chunks = (size_t)round;
		uint32_t *from = mem_new(most, 4), *to = mem_new(most, 4);
		uint64_t *key = mem_new(most * chunks, sizeof *key);
		struct err_note why;
		struct runs *r;
		size_t n = 0;
		assert_int_equal(runs_open(&r, space, &why), 0);
		for (size_t c = 0; c < chunks; c++) {
			const size_t here = rng_below(&rng, 5) ? most : rng_below(&rng, 3);
			for (size_t i = 0; i < here; i++) {
				from[i] = (uint32_t)rng_below(&rng, ids);
				to[i] = (uint32_t)(c % 2 ? i : rng_below(&rng, ids));
				key[n++] = (uint64_t)from[i] << 32 | to[i];
			}
			runs_add(r, from, to, here);
		}
		assert_sorted(r, key, n);
		runs_free(r);
		free(key);
		free(from);
		free(to);
	}
}

static void wide_ids_are_sorted_likewise(void **state)
{
	const uint64_t high = (uint64_t)0xabcdef01 << 32;
	struct rng rng = {6};
	const size_t most = runs_arcs(&tiny);
	uint64_t *from = mem_new(most, 8), *to = mem_new(most, 8);
	uint64_t *key = mem_new(7 * most, 8);
	struct err_note why;
	struct runs *r;

	(void)state;
	assert_int_equal(runs_open(&r, &tiny, &why), 0);
	for (size_t c = 0; c < 7; c++) {
		for (size_t i = 0; i < most; i++) {
			from[i] = high | rng_below(&rng, 5000);
			to[i] = high | rng_below(&rng, 5000);
			key[c * most + i] = from[i] << 32 | (to[i] & UINT32_MAX);
		}
		runs_add_wide(r, from, to, most);
	}
	assert_sorted(r, key, 7 * most);
	runs_free(r);
	free(from);
	free(to);
	free(key);
}

static char *slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes = mem_new(1 << 23, 1);

	assert_non_null(f);
	*n = fread(bytes, 1, 1 << 23, f);
	assert_int_equal(fclose(f), 0);
	return bytes;
}

/* Both graphs, written in every format, byte by byte. */
static void assert_written_alike(const struct graph *a, const struct graph *b)
{
	static const char *const tails[] = {"", ".graph", ".offsets", ".properties"};
	char path[2][100], whole[256];

	snprintf(path[0], sizeof path[0], "%s/a", scratch());
	snprintf(path[1], sizeof path[1], "%s/b", scratch());
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		struct err_note why = {""};
		if (!f->save)
			continue;
		if (f->save(a, path[0], &why) || f->save(b, path[1], &why))
			fail_msg("%s", why.text);
		for (size_t t = 0; t < sizeof tails / sizeof *tails; t++) {
			char *bytes[2];
			size_t n[2];
			snprintf(whole, sizeof whole, "%s%s", path[0], tails[t]);
			if (access(whole, F_OK) != 0)
				continue;
			for (int i = 0; i < 2; i++) {
				snprintf(whole, sizeof whole, "%s%s", path[i], tails[t]);
				bytes[i] = slurp(whole, &n[i]);
			}
			assert_int_equal(n[0], n[1]);
			assert_memory_equal(bytes[0], bytes[1], n[0]);
			free(bytes[0]);
			free(bytes[1]);
		}
	}
}

enum text { PLAIN, ANNOUNCED, FROM_ONE, SPARSE, WIDE, LATE_WIDE, SYMMETRIC, LISTS };

static uint64_t id_of(enum text kind, uint64_t i, uint64_t line)
{
	switch (kind) {
	case SPARSE:
		return 70000 + i * 911;
	case WIDE:
		return i * i * 12345678901;
	case LATE_WIDE:
		return line < 9000 ? i : i + ((uint64_t)1 << 40) * (i % 3);
	default:
		return i + (kind == SYMMETRIC || kind == FROM_ONE);
	}
}

/* A text of about so many arcs between so many nodes. */
static void make_text(struct buf *b, enum text kind, struct rng *rng, uint64_t arcs, uint32_t nodes)
{
	const char *between = kind == LISTS ? ": " : "\t";

	buf_clear(b);
	if (kind == ANNOUNCED)
		buf_format(b, "# Nodes: %u Edges: 7\n", nodes + 9);
	if (kind == FROM_ONE)
		buf_format(b, "# Nodes: %u\n", nodes);
	if (kind == SYMMETRIC)
		buf_format(b, "%%%%MatrixMarket matrix coordinate pattern symmetric\n%u %u %llu\n", nodes, nodes,
			(unsigned long long)arcs);
	if (kind == SPARSE)
		buf_text(b, "# Isolated: 5 123456789\n");
	for (uint64_t i = 0; i < arcs; i++) {
		const uint64_t from = id_of(kind, rng_below(rng, nodes), i);
		const uint64_t hub = rng_below(rng, 3) ? rng_below(rng, nodes) : rng_below(rng, 7);
		buf_format(b, "%llu%s%llu%s\n", (unsigned long long)from, between, (unsigned long long)id_of(kind, hub % nodes, i),
			kind == LISTS ? " -1" : "");
	}
}

static void a_tiny_memory_gives_the_same_graph(void **state)
{
	struct buf text = BUF_EMPTY;
	struct rng rng = {77};

	(void)state;
	for (enum text kind = PLAIN; kind <= LISTS; kind++) {
		for (int round = 0; round < 3; round++) {
			static const uint32_t nodes[] = {40, 3000, 60000};
			const struct graph_load roomy = {.threads = 1};
			const struct graph_load bounded = {.threads = 1, .space = round == 1 ? small : tiny};
			struct err_note why = {""};
			struct graph want, got;
			make_text(&text, kind, &rng, 25000, nodes[round]);
			const char *path = scratch_file(text.at, text.used);
			if (graph_open(path, &roomy, &want, NULL, &why) || graph_open(path, &bounded, &got, NULL, &why))
				fail_msg("kind %d: %s", (int)kind, why.text);
			assert_false(want.flags & GRAPH_BOUNDED);
			assert_true(got.flags & GRAPH_BOUNDED);
			assert_int_equal(got.nodes, want.nodes);
			assert_true(graph_fingerprint(&got) == graph_fingerprint(&want));
			assert_int_equal(!got.label, !want.label);
			for (uint32_t u = 0; u < want.nodes; u++)
				assert_true(graph_label(&got, u) == graph_label(&want, u));
			if (round == 1)
				assert_written_alike(&got, &want);
			graph_release(&got);
			graph_release(&want);
		}
	}
	buf_release(&text);
}

static void what_fits_stays_in_memory(void **state)
{
	const struct graph_load bounded = {.threads = 1, .space = {.memory = 1 << 20}};
	struct err_note why;
	struct graph g;

	(void)state;
	assert_int_equal(graph_open(scratch_file("0 1\n1 2\n", 8), &bounded, &g, NULL, &why), 0);
	assert_false(g.flags & GRAPH_BOUNDED);
	graph_release(&g);
}

static void a_bounded_transpose_is_the_transpose(void **state)
{
	struct rng rng = {8};

	(void)state;
	for (uint32_t nodes = 1; nodes < 20000; nodes = nodes * 7 + 1) {
		const struct graph_space spaces[] = {tiny, small, {0}};
		struct graph g, want;
		random_graph(&g, &rng, nodes, 1 + 60000 / nodes);
		graph_transpose(&g, &want, 1);
		for (size_t s = 0; s < 3; s++) {
			struct err_note why = {""};
			struct graph got;
			if (graph_transpose_within(&g, &spaces[s], &got, &why))
				fail_msg("%s", why.text);
			assert_true(graph_fingerprint(&got) == graph_fingerprint(&want));
			graph_release(&got);
		}
		graph_release(&want);
		graph_release(&g);
	}
}

static void a_bvgraph_is_read_within_any_memory(void **state)
{
	struct rng rng = {9};
	char path[100];

	(void)state;
	for (uint32_t nodes = 1; nodes < 20000; nodes = nodes * 9 + 2) {
		const struct graph_load roomy = {.threads = 1}, bounded = {.threads = 3, .space = tiny};
		struct err_note why = {""};
		struct graph g, want, got;
		random_graph(&g, &rng, nodes, 1 + 50000 / nodes);
		snprintf(path, sizeof path, "%s/x", scratch());
		assert_int_equal(bvgraph_save(&g, path, &why), 0);
		if (bvgraph_load(path, &roomy, &want, &why) || bvgraph_load(path, &bounded, &got, &why))
			fail_msg("%s", why.text);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(&want));
		assert_true(graph_fingerprint(&got) == graph_fingerprint(&g));
		graph_release(&got);
		graph_release(&want);
		graph_release(&g);
	}
}

static void rows_on_the_disk_are_those_in_memory(void **state)
{
	struct rng rng = {10};
	struct graph g[2];
	struct rows rows[2];
	struct err_note why;
	uint32_t *row = mem_new(200000, sizeof *row);

	(void)state;
	assert_int_equal(rows_begin(&rows[0], 300000, NULL, &why), 0);
	assert_int_equal(rows_begin(&rows[1], 300000, &tiny, &why), 0);
	for (uint32_t u = 0; u < 299000; u += (uint32_t)rng_below(&rng, 5000)) {
		const size_t n = rng_below(&rng, 20) ? rng_below(&rng, 9) : rng_below(&rng, 200000);
		for (size_t i = 0; i < n; i++)
			row[i] = (uint32_t)i;
		for (int k = 0; k < 2; k++) {
			if (u % 3 == 0)
				rows_add_row(&rows[k], u, row, n);
			for (size_t i = 0; i < n && u % 3; i++)
				rows_add(&rows[k], u, row[i]);
		}
		u++;
	}
	for (int k = 0; k < 2; k++)
		assert_int_equal(rows_end(&rows[k], GRAPH_ORDERED, NULL, &g[k], &why), 0);
	assert_true(graph_fingerprint(&g[0]) == graph_fingerprint(&g[1]));
	assert_true(g[0].arcs > 200000);
	graph_release(&g[0]);
	graph_release(&g[1]);
	free(row);
}

static size_t files_in(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void no_place_for_a_file_is_one_clear_line(void **state)
{
	struct buf text = BUF_EMPTY;
	struct rng rng = {4};
	struct err_note why = {""};
	struct graph g;
	char path[100];

	(void)state;
	make_text(&text, PLAIN, &rng, 20000, 500);
	strcpy(path, scratch_file(text.at, text.used));
	const struct graph_load load = {.threads = 1, .space = {.memory = 1, .folder = "/nowhere/at/all"}};
	assert_int_equal(graph_open(path, &load, &g, NULL, &why), ERR_FILE);
	assert_string_equal(why.text,
		"cannot make a temporary file in '/nowhere/at/all': No such "
		"file or directory");
	assert_null(g.offset);
	buf_release(&text);
}

/* As a full disk does: no file can become longer than that. */
static void limit_files(rlim_t bytes, struct rlimit *old)
{
	struct rlimit now;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, old), 0);
	now = *old;
	now.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
}

static void a_full_disk_is_one_clear_line_and_leaves_nothing(void **state)
{
	struct buf text = BUF_EMPTY;
	struct rng rng = {4};
	struct rlimit old;
	char path[100], folder[100];

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	make_text(&text, PLAIN, &rng, 200000, 5000);
	strcpy(path, scratch_file(text.at, text.used));
	strcpy(folder, scratch());
	const struct graph_load load = {.threads = 1, .space = {.memory = 1, .folder = folder}};
	for (rlim_t bytes = 0; bytes < 600000; bytes = bytes * 3 + 5000) {
		struct err_note why = {""}, reverse_why = {""};
		struct graph g, reverse, again;
		limit_files(bytes, &old);
		const int err = graph_open(path, &load, &g, NULL, &why);
		setrlimit(RLIMIT_FSIZE, &old);
		assert_int_equal(err, ERR_FILE);
		assert_non_null(strstr(why.text, "cannot write a temporary file in '"));
		assert_non_null(strstr(why.text, strerror(EFBIG)));
		assert_null(g.offset);
		random_graph(&again, &rng, 5000, 40);
		limit_files(bytes, &old);
		assert_int_equal(graph_transpose_within(&again, &load.space, &reverse, &reverse_why), ERR_FILE);
		setrlimit(RLIMIT_FSIZE, &old);
		assert_string_equal(reverse_why.text, why.text);
		graph_release(&again);
	}
	assert_int_equal(files_in(folder), 0);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_merge_to_what_sorting_gives),
		cmocka_unit_test(wide_ids_are_sorted_likewise),
		cmocka_unit_test(a_tiny_memory_gives_the_same_graph),
		cmocka_unit_test(what_fits_stays_in_memory),
		cmocka_unit_test(a_bounded_transpose_is_the_transpose),
		cmocka_unit_test(a_bvgraph_is_read_within_any_memory),
		cmocka_unit_test(rows_on_the_disk_are_those_in_memory),
		cmocka_unit_test(no_place_for_a_file_is_one_clear_line),
		cmocka_unit_test(a_full_disk_is_one_clear_line_and_leaves_nothing),
	};

	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
