/* Each bit of a store's file that says where a record is, and some of all others, is changed in turn. */
#include "tests/storage/made_crawl.h"
#include "tests/storage/told_store.h"

#include <fcntl.h>

#define STEPS 30
#define PAGE  4096u
#define HEAD  16u /* bytes of a page's head, and behind it two bytes for each node */

static char dir[64], file[96];
static struct buf sound; /* what the store says */
static uint8_t *bytes;   /* of its file */
static size_t n_bytes;

static void hear(void *ctx, const char *line)
{
	(void)ctx, (void)line;
}

/* Many small commits, so that the file has free pages, and values that do not fit in a page. */
static int make(void **state)
{
	struct made_crawl *m = made_crawl(3, STEPS);
	struct err_note why;
	static char text[6000];

	(void)state;
	strcpy(dir, "/dev/shm/lycosa-test-XXXXXX");
	if (!mkdtemp(dir))
		strcpy(dir, scratch());
	snprintf(file, sizeof file, "%s/data.mdb", dir);
	struct store *s = open_store(dir, STORE_WRITE);
	for (size_t at = 0; at < STEPS; at += 3) {
		memset(text, 'a' + (int)at % 26, sizeof text - 1);
		assert_int_equal(made_write(s, m, at, at + 3, NULL), 0);
		assert_int_equal(store_set(s, at % 2 ? "odd" : "even", text, NULL), 0);
		commit(s);
	}
	store_drop(s);
	made_free(m);
	s = open_store(dir, STORE_READ);
	assert_int_equal(told_lists(s, &sound, &why), 0);
	told_records(s, &sound);
	store_drop(s);
	int fd = open(file, O_RDONLY);
	n_bytes = (size_t)lseek(fd, 0, SEEK_END);
	bytes = mem_new(n_bytes, 1);
	assert_int_equal(pread(fd, bytes, n_bytes, 0), n_bytes);
	close(fd);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	buf_release(&sound);
	free(bytes);
	made_forget(dir);
	return 0;
}

/* Whether the opening or store_verify() finds damage; if neither does, the store must say what it said. */
static int is_found(void)
{
	struct store *s;
	struct err_note why = {""};
	struct buf text = BUF_EMPTY;

	if (store_open(&s, dir, STORE_READ, &why)) {
		assert_true(*why.text);
		return 1;
	}
	int found = store_verify(s, hear, NULL, &why) != 0;
	if (!found) {
		assert_int_equal(told_lists(s, &text, &why), 0);
		told_records(s, &text);
		if (text.used != sound.used || memcmp(text.at, sound.at, sound.used) != 0)
			found = -1;
		buf_release(&text);
	}
	store_drop(s);
	return found;
}

/* Whether a changed bit is found. */
static int try_bit(int fd, size_t at, unsigned bit)
{
	const uint8_t changed = (uint8_t)(bytes[at] ^ 1u << bit);

	assert_int_equal(pwrite(fd, &changed, 1, (off_t)at), 1);
	const int found = is_found();
	assert_int_equal(pwrite(fd, bytes + at, 1, (off_t)at), 1);
	if (found < 0)
		fail_msg("bit %u of byte %zu is changed, and the store says something else", bit, at);
	return found;
}

/* A byte of a tree's page that says what the page is, where a node is, or how long it is. */
static size_t byte_of_a_tree(struct rng *r)
{
	for (;;) {
		const size_t page = 2 + rng_below(r, n_bytes / PAGE - 2);
		const uint8_t *p = bytes + page * PAGE;
		const unsigned nodes = (p[12] + 256u * p[13] - HEAD) / 2;
		if ((p[10] != 1 && p[10] != 2) || p[11] || nodes == 0 || nodes > 200)
			continue;
		const unsigned node = (unsigned)rng_below(r, nodes);
		switch (rng_below(r, 3)) {
		case 0:
			return page * PAGE + rng_below(r, HEAD);
		case 1:
			return page * PAGE + HEAD + 2 * node + rng_below(r, 2);
		default:
			return page * PAGE + p[HEAD + 2 * node] + 256u * p[HEAD + 2 * node + 1] + rng_below(r, 8);
		}
	}
}

static size_t byte_of_a_head(struct rng *r)
{
	return rng_below(r, 2) * PAGE + rng_below(r, 152);
}

static size_t any_byte(struct rng *r)
{
	return rng_below(r, n_bytes);
}

static void try_bits(size_t (*byte)(struct rng *), int tries)
{
	struct rng r = {1};
	const int fd = open(file, O_WRONLY);
	int found = 0;

	for (int i = 0; i < tries; i++) {
		const size_t at = byte(&r);
		found += try_bit(fd, at, (unsigned)rng_below(&r, 8));
	}
	assert_int_equal(is_found(), 0); /* as it was */
	close(fd);
	print_message("# %d of %d found\n", found, tries);
}

static void a_changed_bit_in_a_tree_is_found_or_changes_nothing(void **state)
{
	(void)state;
	try_bits(byte_of_a_tree, 1500);
}

static void a_changed_bit_in_a_head_is_found_or_changes_nothing(void **state)
{
	(void)state;
	try_bits(byte_of_a_head, 600);
}

static void a_changed_bit_anywhere_is_found_or_changes_nothing(void **state)
{
	(void)state;
	try_bits(any_byte, 600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_changed_bit_in_a_tree_is_found_or_changes_nothing),
		cmocka_unit_test(a_changed_bit_in_a_head_is_found_or_changes_nothing),
		cmocka_unit_test(a_changed_bit_anywhere_is_found_or_changes_nothing),
	};

	return cmocka_run_group_tests_name("lmdb_check", tests, make, drop);
}
