#include "tests/storage/made_crawl.h"
#include "base/input.h"
#include "storage/store.h"
#include "tests/storage/raw_links.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__)
#define ROUNDS 3
#else
#define ROUNDS 10
#endif
#define STEPS   250
#define A_CHILD 20 /* damaged files */
#define PAGE    4096u

static struct made_crawl *made;
static char *sound; /* a store's data.mdb: one of the following */
static size_t sound_n;
static int modes; /* in which it can be opened: format 1 is only read */
static struct {
	char *bytes;
	size_t n;
} of_format[3];

/* Memory, where there is some to write files to: nothing here must outlive a crash. */
static const char *place(void)
{
	static char dir[64];

	strcpy(dir, "/dev/shm/lycosa-test-XXXXXX");
	return mkdtemp(dir) ? dir : strcpy(dir, scratch());
}

/* Many small commits, so that the file has free pages, and settings for a tree of two levels. */
static int make_sound(unsigned format)
{
	static char text[1000];
	char dir[64], path[96];
	struct store *s;

	strcpy(dir, place());
	assert_int_equal(store_open(&s, dir, STORE_WRITE, NULL), 0);
	for (size_t at = 0; at < STEPS; at += 10) {
		char name[16];
		snprintf(name, sizeof name, "name%zu", at);
		memset(text, 'a' + (int)(at / 10 % 26), sizeof text - 1);
		assert_int_equal(made_write(s, made, at, at + 10, NULL), 0);
		assert_int_equal(store_set(s, name, text, NULL), 0);
		assert_int_equal(store_commit(s, NULL), 0);
	}
	store_drop(s);
	if (format == 1) {
		raw_links_of_4(dir);
		raw_format_1(dir);
	}
	snprintf(path, sizeof path, "%s/data.mdb", dir);
	int status = input_all(path, 1u << 28, &of_format[format].bytes, &of_format[format].n, NULL);
	made_forget(dir);
	return status;
}

static int make_both(void **state)
{
	(void)state;
	made = made_crawl(3, STEPS);
	return make_sound(1) || make_sound(2);
}

static int drop_both(void **state)
{
	(void)state;
	free(of_format[1].bytes);
	free(of_format[2].bytes);
	made_free(made);
	return 0;
}

static int use(unsigned format)
{
	sound = of_format[format].bytes;
	sound_n = of_format[format].n;
	modes = format == 1 ? 1 : 2;
	return 0;
}

static int use_1(void **state)
{
	(void)state;
	return use(1);
}

static int use_2(void **state)
{
	(void)state;
	return use(2);
}

static void write_file(const char *dir, const char *bytes, size_t n)
{
	char path[128];

	snprintf(path, sizeof path, "%s/data.mdb", dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		_exit(90);
	close(fd);
}

static void hear(void *ctx, const char *line)
{
	(void)line;
	++*(int *)ctx;
}

/* All that a reader can ask. */
static void read_all(struct store *s)
{
	struct store_page page;
	struct result result;
	struct log_entry e;
	const uint32_t *links;
	const uint8_t *kinds;
	struct err_note why;
	FILE *null = fopen("/dev/null", "w");
	int lines = 0;

	for (uint32_t id = 0; id < store_pages(s); id++) {
		uint32_t found;
		if (store_page(s, id, &page)) {
			(void)!store_find(s, page.url, page.url_length, &found);
			store_host_name(s, page.host);
		}
		(void)!store_result(s, id, &result);
		(void)!store_links(s, id, &links, &kinds);
	}
	struct store_log_cursor *c = store_log_start(s);
	while (store_log_next(c, &e, NULL) == 1)
		;
	store_log_stop(c);
	store_get(s, "policy");
	if (store_verify(s, hear, &lines, &why) < 0)
		lines = -1;
	if (store_dump(s, null, &why))
		lines = -2;
	fclose(null);
}

/* What a crawl would do next. */
static void write_on(struct store *s)
{
	struct store_page page = {.url = "http://new.test/", .url_length = 16};
	struct result result = {.state = PAGE_FAILED, .target = STORE_NO_PAGE};
	struct log_entry e = {.kind = LOG_SEED};
	uint32_t id;

	if (store_host(s, "new.test", 8, &page.host, NULL))
		return;
	for (int i = 0; i < 5; i++) {
		if (!store_find(s, page.url, page.url_length, &id) && store_add(s, &page, &id, NULL))
			return;
		e.id = id;
		if (store_put_result(s, id, &result, NULL) || store_put_links(s, id, &id, NULL, NULL, 1, NULL) ||
			store_log(s, &e, NULL) || store_commit(s, NULL))
			return;
	}
}

/* Whether the file was refused; a file that is read may say anything. */
static int try_file(const char *dir, const char *bytes, size_t n)
{
	struct store *s;
	struct err_note why = {""};
	int refused = 0;

	for (int mode = 0; mode < modes; mode++) {
		write_file(dir, bytes, n);
		int status = store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why);
		if (status) {
			refused = 1;
			if (!*why.text)
				_exit(91);
			continue;
		}
		read_all(s);
		if (mode)
			write_on(s);
		store_drop(s);
	}
	return refused;
}

typedef size_t damage(struct rng *, char *bytes, size_t n);

static size_t any_bytes(struct rng *r, char *bytes, size_t n)
{
	for (uint64_t i = rng_below(r, 8) + 1; i > 0; i--)
		bytes[rng_below(r, n)] = (char)rng_next(r);
	return n;
}

/* Pages of trees, told by their flags; a page holds few bytes that matter, the first most. */
static size_t bytes_of_trees(struct rng *r, char *bytes, size_t n)
{
	for (int tries = 0; tries < 2000; tries++) {
		char *page = bytes + rng_below(r, n / PAGE) * PAGE;
		if (page[10] != 1 && page[10] != 2)
			continue;
		size_t at = rng_below(r, 4) ? rng_below(r, 64) : rng_below(r, PAGE);
		unsigned flipped = (unsigned char)page[at] ^ 1u << rng_below(r, 8);
		page[at] = (char)(rng_below(r, 2) ? flipped : rng_next(r));
		return n;
	}
	return n;
}

static size_t heads(struct rng *r, char *bytes, size_t n)
{
	for (uint64_t i = rng_below(r, 3) + 1; i > 0; i--)
		bytes[rng_below(r, 2) * PAGE + rng_below(r, 160)] = (char)rng_next(r);
	return n;
}

static size_t cut(struct rng *r, char *bytes, size_t n)
{
	(void)bytes;
	return rng_below(r, 2) ? rng_below(r, n) : rng_below(r, n / PAGE) * PAGE;
}

static size_t swap_pages(struct rng *r, char *bytes, size_t n)
{
	char page[PAGE], *a = bytes + rng_below(r, n / PAGE) * PAGE;
	char *b = bytes + rng_below(r, n / PAGE) * PAGE;

	memcpy(page, a, PAGE);
	memcpy(a, b, PAGE);
	memcpy(b, page, PAGE);
	return n;
}

static size_t wipe_a_page(struct rng *r, char *bytes, size_t n)
{
	memset(bytes + rng_below(r, n / PAGE) * PAGE, (int)rng_below(r, 2) * 255, PAGE);
	return n;
}

/* Tries A_CHILD damaged files in a child, which must end by itself. Returns how many were
 * refused. */
static int in_a_child(const char *dir, damage *how, uint64_t seed)
{
	int status;

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		char *bytes = malloc(sound_n);
		struct rng r = {seed};
		int refused = 0;
		for (int i = 0; i < A_CHILD; i++) {
			memcpy(bytes, sound, sound_n);
			refused += try_file(dir, bytes, how(&r, bytes, sound_n));
		}
		free(bytes);
		_exit(refused);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > A_CHILD)
		fail_msg("a child with seed %llu ended with %x", (unsigned long long)seed, status);
	return WEXITSTATUS(status);
}

/* At least `least` percent of the files must be refused: the damage is one that shows. */
static void try_many(damage *how, uint64_t seed, int least)
{
	char dir[64];
	int refused = 0;

	strcpy(dir, place());
	for (int i = 0; i < ROUNDS; i++)
		refused += in_a_child(dir, how, seed + (uint64_t)i);
	made_forget(dir);
	print_message("# %d of %d refused\n", refused, ROUNDS * A_CHILD);
	assert_true(refused * 100 >= ROUNDS * A_CHILD * least);
}

static void what_is_sound_is_read(void **state)
{
	char dir[64];
	int breaches = 0;
	struct store *s;

	(void)state;
	strcpy(dir, place());
	write_file(dir, sound, sound_n);
	assert_int_equal(store_open(&s, dir, STORE_READ, NULL), 0);
	made_check(s, made, made->steps);
	assert_int_equal(store_verify(s, hear, &breaches, NULL), 0);
	store_drop(s);
	assert_int_equal(try_file(dir, sound, sound_n), 0);
	made_forget(dir);
}

static void any_bytes_do_no_harm(void **state)
{
	(void)state;
	try_many(any_bytes, 1000, 1);
}

static void damaged_trees_do_no_harm(void **state)
{
	(void)state;
	try_many(bytes_of_trees, 2000, 5);
}

static void damaged_heads_do_no_harm(void **state)
{
	(void)state;
	try_many(heads, 3000, 15);
}

static void a_file_cut_short_does_no_harm(void **state)
{
	(void)state;
	try_many(cut, 4000, 90);
}

static void pages_out_of_place_do_no_harm(void **state)
{
	(void)state;
	try_many(swap_pages, 5000, 5);
	try_many(wipe_a_page, 6000, 5);
}

static void keep_first(void *ctx, const char *line)
{
	char *first = ctx;

	if (!*first)
		snprintf(first, 512, "%s", line);
}

/* Writes the store with one record changed, wherever the file has it: its page's id becomes one
 * that no page has. */
static void write_with_damaged_record(const char *dir, const uint8_t *at, size_t n)
{
	char *bytes = mem_copy(sound, sound_n);

	for (char *p = bytes; (p = memmem(p, sound_n - (size_t)(p - bytes), at, n)); p++)
		memcpy(p, "\xff\xff\xff\xff\x0f", 5);
	write_file(dir, bytes, sound_n);
	free(bytes);
}

static void verify_names_the_record(void **state)
{
	char dir[64], line[512], want[64];
	struct store *s, *damaged;
	const uint8_t *at = NULL;
	size_t n = 0;

	(void)state;
	strcpy(dir, place());
	write_file(dir, sound, sound_n);
	assert_int_equal(store_open(&s, dir, STORE_READ, NULL), 0);
	for (uint64_t i = 0; i < 40; i++) {
		char other[64];
		assert_int_equal(records_get(&s->links, i, &at, &n), 1);
		if (n < 12) /* too short to be found for sure */
			continue;
		strcpy(other, place());
		write_with_damaged_record(other, at, n);
		assert_int_equal(store_open(&damaged, other, STORE_READ, NULL), ERR_DAMAGED);
		damaged = open_suspect(other);
		*line = 0;
		assert_true(store_verify(damaged, keep_first, line, NULL) > 0);
		snprintf(want, sizeof want, "S7: links %llu cannot be read", (unsigned long long)i);
		assert_string_equal(line, want);
		store_drop(damaged);
		made_forget(other);
	}
	store_drop(s);
	made_forget(dir);
}

#define OF_FORMAT(n, test) \
	{ \
		"format_" #n "_" #test, test, use_##n, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OF_FORMAT(1, what_is_sound_is_read),
		OF_FORMAT(1, any_bytes_do_no_harm),
		OF_FORMAT(1, pages_out_of_place_do_no_harm),
		OF_FORMAT(1, verify_names_the_record),
		OF_FORMAT(2, what_is_sound_is_read),
		OF_FORMAT(2, any_bytes_do_no_harm),
		OF_FORMAT(2, damaged_trees_do_no_harm),
		OF_FORMAT(2, damaged_heads_do_no_harm),
		OF_FORMAT(2, a_file_cut_short_does_no_harm),
		OF_FORMAT(2, pages_out_of_place_do_no_harm),
	};

	return cmocka_run_group_tests_name("store_damage", tests, make_both, drop_both);
}
