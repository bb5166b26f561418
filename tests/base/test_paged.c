/* Paged memory: what lies in it is the same in the file as out of it, a full disk changes nothing, and every policy gives the same
 * order with all of its memory in the file. */
#include "tests/seeds/ends.h"
#include "tests/agents/made_sights.h"
#include "tests/policies/policy_run.h"

#include "base/map.h"
#include "base/paged.h"
#include "base/rng.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define MB    ((size_t)1 << 20)
#define LEAST 1 /* a bound that no process keeps: all paged memory goes to the file */

static void settle(void)
{
	struct err_note why;

	/* more calls than the function lets pass between two looks */
	for (int i = 0; i < 100; i++)
		assert_int_equal(paged_settle(&why), 0);
}

static void open_here(uint64_t most)
{
	struct err_note why;

	if (paged_open(".", most, &why))
		fail_msg("%s", why.text);
}

/* --- arrays */

/* One assertion speaks for a whole array, since a call of cmocka for each of its numbers takes a hundred times as long. */
static void check_numbers(const uint64_t *array, size_t n, size_t room, uint64_t salt)
{
	size_t i = 0;

	while (i < n && array[i] == i * salt)
		i++;
	if (i < n)
		fail_msg("number %zu of %zu is %" PRIu64 ", not %" PRIu64, i, n, array[i], i * salt);
	for (i = n; i < room; i += 97)
		if (array[i])
			fail_msg("number %zu behind the last of %zu is %" PRIu64 ", not 0", i, n, array[i]);
}

static void arrays_keep_their_numbers_and_grow_by_zeros(void **state)
{
	enum { ARRAYS = 5 };
	uint64_t *array[ARRAYS] = {NULL};
	size_t room[ARRAYS] = {0};

	(void)state;
	open_here(LEAST);
	/* they grow by turns, so that each has a neighbour in its way */
	for (size_t want = 1000; want < 3000000; want *= 3)
		for (size_t a = 0; a < ARRAYS; a++) {
			array[a] = paged_grow(array[a], room[a], want, sizeof *array[a]);
			check_numbers(array[a], room[a], want, a + 1);
			for (size_t i = room[a]; i < want; i++)
				array[a][i] = i * (a + 1);
			room[a] = want;
			settle();
		}
	assert_true(paged_use().in_file > ARRAYS * 4 * MB);
	for (size_t a = 0; a < ARRAYS; a += 2) {
		paged_free(array[a], room[a], sizeof *array[a]);
		array[a] = paged_new(room[a], sizeof *array[a]);
		check_numbers(array[a], 0, room[a], 1); /* used again, they are zeros */
	}
	for (size_t a = 0; a < ARRAYS; a++) {
		if (a % 2)
			check_numbers(array[a], room[a], room[a], a + 1);
		paged_free(array[a], room[a], sizeof *array[a]);
	}
	assert_int_equal(paged_use().in_file, 0);
	paged_close();
}

static void memory_below_its_bound_stays_out_of_the_file(void **state)
{
	(void)state;
	open_here((uint64_t)1 << 50);
	char *array = paged_new(64 * MB, 1);
	memset(array, 1, 64 * MB);
	settle();
	assert_int_equal(paged_use().in_file, 0);
	paged_free(array, 64 * MB, 1);
	paged_close();
	assert_int_equal(paged_use().most, 0);
}

static uint64_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long long n = 0;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%*u %llu", &n), 1);
	fclose(f);
	return n * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* No thread is waited for: the owner's own calls keep the bound. */
static void the_process_stays_below_its_bound(void **state)
{
	const size_t size = 256 * MB;
	const uint64_t most = resident() + 64 * MB;

	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip_because("the sanitizer's own memory counts as the process's");
#endif
	open_here(most);
	char *array = paged_new(size, 1);
	for (size_t at = 0; at < size; at += MB) {
		memset(array + at, (int)(at / MB), MB);
		settle();
		assert_true(resident() <= most);
	}
	assert_true(paged_use().in_file >= size / 2);
	for (size_t at = 0; at < size; at += 4096) {
		assert_int_equal((unsigned char)array[at], at / MB % 256);
		if (at % PAGED_PIECE == 0) {
			paged_trim();
			assert_true(resident() <= most);
		}
	}
	paged_free(array, size, 1);
	paged_close();
}

/* The map is told before the file of the memory is open, as that of a store is. */
static void maps_of_other_files_count(void **state)
{
	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip_because("the sanitizer's own memory counts as the process's");
#endif
	const size_t size = 256 * MB;
	const uint64_t most = resident() + 64 * MB;
	const int fd = open("map", O_RDWR | O_CREAT | O_TRUNC, 0600);
	volatile unsigned char sum = 0;

	assert_int_equal(posix_fallocate(fd, 0, (off_t)size), 0);
	unsigned char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	assert_true(map != MAP_FAILED);
	paged_map_begins(map, size, PAGED_AT_RANDOM);
	open_here(most);
	for (size_t at = 0; at < size; at += 4096) {
		sum = (unsigned char)(sum + map[at]);
		if (at % PAGED_PIECE == 0) {
			paged_trim();
			assert_true(resident() <= most);
		}
	}
	paged_close();
	paged_map_ends(map);
	munmap(map, size);
	close(fd);
	unlink("map");
}

/* --- blocks and maps */

static void check_bytes(const unsigned char *block, size_t length, size_t byte)
{
	size_t k = 0;

	while (k < length && block[k] == byte)
		k++;
	if (k < length)
		fail_msg("byte %zu of a block of %zu is %d, not %zu", k, length, block[k], byte);
}

static void blocks_keep_their_bytes(void **state)
{
	enum { BLOCKS = 4000, STEPS = 12000 };
	static unsigned char *block[BLOCKS];
	static size_t length[BLOCKS];
	struct rng r = {3};

	(void)state;
	open_here(LEAST);
	for (int step = 0; step < STEPS; step++) {
		const size_t i = rng_below(&r, BLOCKS);
		check_bytes(block[i], length[i], i % 256);
		paged_block_free(block[i], length[i]);
		length[i] = 1 + rng_below(&r, step % 1000 ? 700 : 3 * MB);
		block[i] = paged_block(length[i]);
		assert_true(length[i] < 256 || (uintptr_t)block[i] % 64 == 0);
		memset(block[i], (int)(i % 256), length[i]);
		/* to write out little takes as long as to write out much */
		if (step % 16 == 0)
			settle();
	}
	assert_true(paged_use().in_file > 0);
	for (size_t i = 0; i < BLOCKS; i++)
		paged_block_free(block[i], length[i]);
	paged_close();
}

static void lists_and_tables_of_paged_memory_keep_what_they_have(void **state)
{
	enum { N = 300000 };
	uint32_t *list = NULL;
	size_t room = 0;
	struct map m;

	(void)state;
	open_here(LEAST);
	map_init_paged(&m, 3 * sizeof(uint64_t));
	for (uint32_t i = 0; i < N; i++) {
		list = paged_block_grow(list, &room, i + 1, sizeof *list);
		list[i] = i;
		((uint64_t *)map_at(&m, i))[2] = i;
		if (i % 1024 == 0)
			settle();
	}
	for (uint32_t i = 0; i < N; i++) {
		assert_int_equal(list[i], i);
		assert_int_equal(((uint64_t *)map_find(&m, i))[2], i);
	}
	assert_true(paged_use().in_file > 4 * MB);
	paged_block_free(list, room * sizeof *list);
	map_release(&m);
	paged_close();
}

/* --- what goes wrong */

static void on_a_full_disk_the_memory_stays(void **state)
{
	struct rlimit was, small;
	struct err_note why;
	int err = 0;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = 10 * MB;
	open_here(LEAST);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	unsigned char *array = paged_new(32 * MB, 1);
	for (size_t i = 0; i < 32 * MB; i++)
		array[i] = (unsigned char)(i % 251);
	for (int i = 0; i < 100 && !err; i++)
		err = paged_settle(&why);
	assert_int_equal(err, ERR_FILE);
	assert_non_null(strstr(why.text, "--max-memory"));
	assert_non_null(strstr(why.text, strerror(EFBIG)));
	assert_int_equal(paged_settle(&why), ERR_FILE); /* until it is closed */
	size_t kept = 0;
	while (kept < 32 * MB && array[kept] == kept % 251)
		kept++;
	assert_int_equal(kept, 32 * MB);
	array = paged_grow(array, 32 * MB, 40 * MB, 1);
	assert_int_equal(array[7], 7);
	assert_int_equal(array[39 * MB], 0);
	setrlimit(RLIMIT_FSIZE, &was);
	paged_free(array, 40 * MB, 1);
	paged_close();
}

static void a_folder_that_takes_no_file_is_named(void **state)
{
	struct err_note why;

	(void)state;
	assert_int_equal(paged_open("no/such", 1 << 20, &why), ERR_FILE);
	assert_non_null(strstr(why.text, "'no/such'"));
	open_here(LEAST);
	assert_int_equal(paged_open(".", 1 << 20, &why), ERR_BUSY);
	paged_close();
	paged_close();
}

static void *use_elsewhere(void *in_file)
{
	char *array = paged_new(8 * MB, 1), *block = paged_block(100);

	memset(array, 1, 8 * MB);
	assert_int_equal(paged_settle(NULL), 0);
	assert_int_equal(paged_use().most, 0);
	paged_block_free(block, 100);
	paged_free(array, 8 * MB, 1);
	return in_file;
}

static void other_threads_have_ordinary_memory(void **state)
{
	pthread_t t;

	(void)state;
	open_here(LEAST);
	assert_int_equal(pthread_create(&t, NULL, use_elsewhere, NULL), 0);
	pthread_join(t, NULL);
	settle();
	assert_int_equal(paged_use().in_file, 0);
	paged_close();
}

/* --- policies */

#define NODES 6000
#define PAGES 500
#define IDS   700000 /* room for so many, so that arrays by id are paged memory */

static uint32_t hosts[NODES];
static double scores[NODES];

/* Crawls PAGES pages into order[] and key[]. */
static void crawl(const struct graph *g, const struct policy *policy, uint32_t *order, double *key)
{
	static const uint8_t kinds[NODES];
	const uint32_t seeds[] = {3, 50, 7};
	struct source *source = graph_source_new(&(struct graph_world){.g = g, .host = hosts});
	struct frontier_world world;
	struct err_note why;
	struct opt_set opts;
	struct frontier *f;
	size_t n = 0;

	source->ops->world(source, &world);
	made_sights(&world, hosts);
	opt_init(&opts, policy->opts, policy->name);
	const struct frontier_settings s = {.policy = policy,
		.opts = &opts,
		.oracle = scores,
		.batch = 200,
		.total = g->nodes,
		.rng_seed = 5,
		.ids = IDS,
		.per_host = 1};
	assert_int_equal(frontier_new(&f, &s, &world, &why), 0);
	frontier_seed(f, seeds, 3);
	for (; n < PAGES && frontier_take(f, (int64_t)n, &order[n]); n++) {
		const uint32_t id = order[n];
		key[n] = frontier_key(f, id);
		assert_int_equal(frontier_ended(f, id,
					 &(struct frontier_end){.state = PAGE_CRAWLED,
						 .at = (int64_t)n,
						 .links = graph_row(g, id),
						 .kinds = kinds,
						 .n_links = graph_outdegree(g, id)}),
			0);
		assert_int_equal(paged_settle(&why), 0);
	}
	assert_int_equal(n, PAGES);
	frontier_free(f);
	source->ops->close(source);
	opt_release(&opts);
}

static void make_graph(struct graph *g)
{
	static uint32_t from[NODES * 6], to[NODES * 6];
	struct rng r = {4};

	for (uint32_t i = 0; i < NODES * 6; i++) {
		from[i] = (uint32_t)rng_below(&r, NODES);
		to[i] = (uint32_t)(rng_below(&r, NODES) * rng_below(&r, NODES) / NODES);
	}
	graph_from_arcs(g, NODES, from, to, NODES * 6);
	for (uint32_t i = 0; i < NODES; i++) {
		hosts[i] = i * 7 % 300;
		scores[i] = (double)(i * 37 % 101);
	}
}

static void every_policy_gives_the_same_order_in_the_file(void **state)
{
	static uint32_t order[PAGES], order_in_file[PAGES];
	static double key[PAGES], key_in_file[PAGES];
	struct graph g;

	(void)state;
	make_graph(&g);
	for (size_t i = 0; policies[i]; i++) {
		crawl(&g, policies[i], order, key);
		open_here(LEAST);
		crawl(&g, policies[i], order_in_file, key_in_file);
		paged_close();
		if (memcmp(order, order_in_file, sizeof order) || memcmp(key, key_in_file, sizeof key))
			fail_msg("%s: another order", policies[i]->name);
	}
	graph_release(&g);
}

static void a_frontier_lies_in_the_file(void **state)
{
	struct graph g;

	(void)state;
	make_graph(&g);
	open_here(LEAST);
	struct source *source = graph_source_new(&(struct graph_world){.g = &g, .host = hosts});
	struct frontier_world world;
	struct frontier *f;
	struct opt_set opts;

	source->ops->world(source, &world);
	opt_init(&opts, policy_opic.opts, policy_opic.name);
	const struct frontier_settings s =
		{.policy = &policy_opic, .opts = &opts, .batch = 200, .rng_seed = 5, .ids = IDS, .per_host = 1};
	assert_int_equal(frontier_new(&f, &s, &world, NULL), 0);
	frontier_seed(f, (uint32_t[]){3}, 1);
	settle();
	assert_true(paged_use().in_file >= IDS * 16);
	frontier_free(f);
	source->ops->close(source);
	opt_release(&opts);
	paged_close();
	graph_release(&g);
}

/* The folder has no file of the crawl's memory, so that a kill leaves none behind. */
static void the_file_has_no_name(void **state)
{
	const struct dirent *e;

	(void)state;
	assert_int_equal(mkdir("alone", 0777), 0);
	struct err_note why;
	assert_int_equal(paged_open("alone", LEAST, &why), 0);
	char *array = paged_new(16 * MB, 1);
	memset(array, 1, 16 * MB);
	settle();
	assert_true(paged_use().in_file > 0);
	DIR *d = opendir("alone");
	while ((e = readdir(d)) != NULL)
		assert_int_equal(e->d_name[0], '.');
	closedir(d);
	paged_free(array, 16 * MB, 1);
	paged_close();
	assert_int_equal(rmdir("alone"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_keep_their_numbers_and_grow_by_zeros),
		cmocka_unit_test(memory_below_its_bound_stays_out_of_the_file),
		cmocka_unit_test(the_process_stays_below_its_bound),
		cmocka_unit_test(maps_of_other_files_count),
		cmocka_unit_test(blocks_keep_their_bytes),
		cmocka_unit_test(lists_and_tables_of_paged_memory_keep_what_they_have),
		cmocka_unit_test(on_a_full_disk_the_memory_stays),
		cmocka_unit_test(a_folder_that_takes_no_file_is_named),
		cmocka_unit_test(other_threads_have_ordinary_memory),
		cmocka_unit_test(every_policy_gives_the_same_order_in_the_file),
		cmocka_unit_test(a_frontier_lies_in_the_file),
		cmocka_unit_test(the_file_has_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
