/* Bits of a small store are flipped one by one, at places that are the same in each run: all that lead to something in both heads,
 * and some of each page. A damaged store that can be opened gives the answers of the sound store. A store that is refused stays as
 * it is: a writer and a compaction change no byte of it. */
#include "tests/storage/made_crawl.h"
#include "base/buf.h"
#include "storage/store.h"
#include "storage/visits.h"

#include <dirent.h>
#include <fcntl.h>
#include <xxhash.h>

#define PAGE  4096u
#define STEPS 60

static char *sound; /* the bytes of data.mdb */
static size_t sound_n;
static uint64_t sound_words;
static char dir[64], path[96];
static struct made_crawl *made;

/* --- a store with a record of each kind */

static void put_beside(struct store *s, uint32_t id)
{
	static const char anchors[] = "one\0\0three";
	const struct store_visited visited = {.visits = 2,
		.changes = 1,
		.first = 1000,
		.last = 5000,
		.status = 200,
		.digest = {1, 2},
		.etag = "\"x\"",
		.etag_length = 3};
	const struct store_change change =
		{.before = 1000, .at = 4000, .status = 200, .digest = {1, 2}, .bytes = 9, .target = STORE_NO_PAGE};
	const uint32_t links[] = {0, 1, 2};

	assert_int_equal(store_put_links(s, id, links, NULL, anchors, 3, NULL), 0);
	assert_int_equal(store_put_visited(s, id, &visited, NULL), 0);
	assert_int_equal(store_put_change(s, id, 0, &change, NULL), 0);
	assert_int_equal(store_put_robots(s, "http://h0.test", 14, "Disallow: /a\n", 13, INT64_MAX / 2, NULL), 0);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_POSTED, .agent = 1, .letter = "a letter", .letter_n = 8},
				 NULL),
		0);
	assert_int_equal(store_set(s, "policy", "bfs", NULL), 0);
	assert_int_equal(store_set(s, "rules", "accept *\nreject /x\n", NULL), 0);
}

static void hash_page(struct store *s, uint32_t id, struct buf *b)
{
	struct result r = {.state = 99};
	struct store_change c = {.at = 0};
	struct store_visited v = {.visits = 0};
	struct store_page page;
	const uint32_t *links;
	const uint8_t *kinds;
	size_t anchor_n;

	if (store_page(s, id, &page))
		buf_format(b, "%s %s %u %u", page.url, store_host_name(s, page.host), page.depth, page.refusal);
	if (store_result(s, id, &r))
		buf_format(b, "%.*s %s %s %s", (int)r.validators.etag_length, r.validators.etag, r.type, r.language, r.title);
	buf_format(b, " %u %u %u %u %u %llu %lld ", r.state, r.outcome, r.status, r.target, r.tries, (unsigned long long)r.bytes,
		(long long)r.ended);
	const uint64_t hashes[] = {r.digest[0], r.digest[1], r.fingerprint, r.simhash, (uint64_t)r.validators.modified};
	buf_add(b, hashes, sizeof hashes);
	const size_t n = store_links(s, id, &links, &kinds);
	buf_add(b, links, n * sizeof *links);
	buf_add(b, kinds, kinds ? n : 0);
	for (size_t i = 0; i < n; i++)
		buf_text(b, store_anchor(s, id, i, &anchor_n));
	if (store_visited(s, id, &v))
		buf_format(b, "%u %u %lld %lld %llu %.*s", v.visits, v.changes, (long long)v.first, (long long)v.last,
			(unsigned long long)v.digest[0], (int)v.etag_length, v.etag);
	for (uint32_t i = 0; i < v.changes && store_change(s, id, i, &c); i++)
		buf_format(b, "%lld %lld %llu", (long long)c.before, (long long)c.at, (unsigned long long)c.bytes);
}

/* Returns a hash of all that a store says. */
static uint64_t words_of(struct store *s)
{
	static const char *const settings[] = {"policy", "rules", "name0", "name20", "name40"};
	struct store_robots robots = {.n = 0};
	struct buf b = BUF_EMPTY;
	struct log_entry e;
	uint32_t id;
	int more;

	for (id = 0; id < store_pages(s); id++) {
		struct store_page page;
		hash_page(s, id, &b);
		if (store_page(s, id, &page) && store_find(s, page.url, page.url_length, &id))
			buf_format(&b, "%u", id);
	}
	struct store_log_cursor *c = store_log_start(s);
	while ((more = store_log_next(c, &e, NULL)) == 1) {
		buf_format(&b, "%d %u %u %u %u %lld %s", (int)e.kind, e.outcome, e.status, e.id, e.target, (long long)e.time,
			e.text ? e.text : "");
		buf_add(&b, e.letter, e.letter ? e.letter_n : 0);
	}
	store_log_stop(c);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		buf_format(&b, "%s", store_get(s, settings[i]) ? store_get(s, settings[i]) : "-");
	if (store_robots(s, "http://h0.test", 14, 0, &robots))
		buf_add(&b, robots.text, robots.n);
	buf_format(&b, "%d", more);
	const uint64_t hash = XXH3_64bits(b.at, b.used);
	buf_release(&b);
	return hash;
}

/* Reads the file. The caller frees the bytes. */
static char *bytes_of_file(size_t *n)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	char *bytes = mem_new((size_t)st.st_size, 1);
	*n = (size_t)st.st_size;
	assert_true(read(fd, bytes, *n) == st.st_size);
	close(fd);
	return bytes;
}

static int set_up(void **state)
{
	char name[16];

	(void)state;
	strcpy(dir, "/dev/shm/lycosa-test-XXXXXX");
	if (!mkdtemp(dir))
		strcpy(dir, scratch());
	snprintf(path, sizeof path, "%s/data.mdb", dir);
	made = made_crawl(3, STEPS);
	struct store *s = open_store(dir, STORE_WRITE);
	for (size_t at = 0; at < STEPS; at += 20) {
		assert_int_equal(made_write(s, made, at, at + 20, NULL), 0);
		snprintf(name, sizeof name, "name%zu", at);
		assert_int_equal(store_set(s, name, "text", NULL), 0);
		if (at == 20)
			put_beside(s, 0);
		commit(s);
	}
	sound_words = words_of(s);
	store_drop(s);
	sound = bytes_of_file(&sound_n);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	made_forget(dir);
	free(sound);
	made_free(made);
	return 0;
}

/* --- what is tried */

static void put(size_t at, const char *bytes, size_t n)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	assert_true(fd >= 0 && pwrite(fd, bytes, n, (off_t)at) == (ssize_t)n);
	close(fd);
}

/* Fails unless the folder has what it had, but for the byte that was changed. */
static void assert_untouched(size_t at, char changed)
{
	size_t n, files = 0;
	const struct dirent *e;
	DIR *all = opendir(dir);

	while ((e = readdir(all)) != NULL)
		files += *e->d_name != '.';
	closedir(all);
	assert_int_equal(files, 3); /* data.mdb and the two locks */
	char *now = bytes_of_file(&n);
	assert_int_equal(n, sound_n);
	assert_true(now[at] == changed && memcmp(now, sound, at) == 0 && memcmp(now + at + 1, sound + at + 1, n - at - 1) == 0);
	free(now);
}

/* Opens the store. Returns 1 if it is refused as damaged, with a note of one line; 0 if it says what the sound one says. */
static int is_refused(enum store_mode mode, size_t at, unsigned bit)
{
	struct err_note why = {""};
	struct store *s;
	const int err = store_open(&s, dir, mode, &why);

	if (err && (err_status(err) != 18 || !*why.text || strchr(why.text, '\n')))
		fail_msg("bit %u of byte %zu of page %zu: %s: %s", bit, at % PAGE, at / PAGE, err_text(err), why.text);
	if (!err && words_of(s) != sound_words)
		fail_msg("bit %u of byte %zu of page %zu says something else", bit, at % PAGE, at / PAGE);
	store_drop(s);
	return err != 0;
}

static int try_bit(size_t at, unsigned bit, int compacts)
{
	const char changed = (char)(sound[at] ^ 1 << bit);
	struct err_note why = {""};
	uint64_t before, after;

	put(at, &changed, 1);
	const int refused = is_refused(STORE_READ, at, bit);
	assert_true(is_refused(STORE_WRITE, at, bit) || !refused); /* a writer looks at the free pages as well */
	assert_untouched(at, changed);
	if (compacts) {
		const int err = store_compact(dir, &before, &after, &why);
		if (refused)
			assert_int_equal(err_status(err), 18);
		if (err)
			assert_untouched(at, changed);
		else
			assert_int_equal(is_refused(STORE_READ, at, bit), 0);
		unlink(path);
		put(0, sound, sound_n);
	}
	put(at, &sound[at], 1);
	return refused;
}

/* Says which bits of a byte are tried, as a mask: all of what the heads say of the file; two of each of the first bytes of any
 * other page, which say what the page is; elsewhere one bit of every 127th byte. */
static unsigned bits_of(size_t at)
{
	const size_t page = at / PAGE, in_page = at % PAGE;

	if (page < 2)
		return in_page < 168 ? 255 : 0;
	if (in_page < 24)
		return 1u << at % 8 | 1u << (at / 3 + page) % 8;
	return at % 127 == 0 ? 1u << at / 127 % 8 : 0;
}

static void no_flipped_bit_changes_what_a_store_says(void **state)
{
	unsigned tried = 0, refused = 0;

	(void)state;
	for (size_t at = 0; at < sound_n; at++)
		for (unsigned bit = 0; bit < 8; bit++)
			if (bits_of(at) >> bit & 1) {
				tried++;
				refused += (unsigned)try_bit(at, bit, tried % 64 == 0);
			}
	print_message("# of %u bits of %zu pages %u were found\n", tried, sound_n / PAGE, refused);
	assert_true(refused > tried / 10);
}

/* The disk damages what a writer has committed and let go of. The page cannot be found any more, and no commit makes that last. */
static void nothing_is_committed_after_a_value_could_not_be_read(void **state)
{
	static const char mark[] = "/page-number-7.";
	struct err_note why = {""};
	struct store_page page;
	char url[64], *bytes, *at;
	size_t n, found = 0;

	(void)state;
	unlink(path);
	struct store *s = open_store(dir, STORE_WRITE);
	for (int i = 0; i < 5000; i++) {
		snprintf(url, sizeof url, "http://h.test/%d/page-number-%d.html", i % 10, i);
		add(s, url);
	}
	commit(s);
	bytes = bytes_of_file(&n);
	for (at = bytes; (at = memmem(at, n - (size_t)(at - bytes), mark, strlen(mark))); at++, found++)
		put((size_t)(at - bytes), "\\", 1);
	free(bytes);
	assert_true(found > 0);
	assert_int_equal(store_page(s, 7, &page), 0);
	add(s, "http://h.test/new");
	assert_int_equal(store_commit(s, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "of 5000 URLs of pages"));
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_flipped_bit_changes_what_a_store_says),
		cmocka_unit_test(nothing_is_committed_after_a_value_could_not_be_read),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
