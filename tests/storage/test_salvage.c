/* Stores are damaged in many ways, and salvaged. The new store is sound, says nothing that the old one did not say, and lacks only
 * what was in the chunk that was hit. */
#include "tests/storage/made_crawl.h"
#include "base/buf.h"
#include "storage/lmdb_check.h"
#include "storage/salvage.h"
#include "storage/visits.h"

#include <fcntl.h>

#define PAGE 4096u

static char root[64], dir[96], path[112], into[96];
static char *sound; /* the bytes of data.mdb */
static size_t sound_n;
static struct buf told; /* what the sound store says */
static char **line;     /* its lines, which are sorted */
static size_t lines;

/* --- a store, and what it tells */

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds all that a store says of a page, without its id: what the page is, how it ended, each link, each change. */
static void tell_page(struct store *s, uint32_t id, struct buf *b)
{
	struct store_page page, to;
	struct store_visited v = {.visits = 0};
	struct store_change c;
	struct result r;
	const uint32_t *links;

	assert_int_equal(store_page(s, id, &page), 1);
	const char *url = mem_text(page.url);
	buf_format(b, "page %s %s %u\n", url, store_host_name(s, page.host), page.depth);
	if (store_result(s, id, &r) && (r.state == PAGE_CRAWLED || r.state == PAGE_FAILED || r.state == PAGE_REDIRECTED))
		buf_format(b, "end %s %u %u %u %llx %llx %s %s\n", url, r.state, r.status, r.outcome,
			(unsigned long long)r.digest[0], (unsigned long long)r.ended, r.title,
			r.target < store_pages(s) && store_page(s, r.target, &to) ? to.url : "");
	const size_t n = store_links(s, id, &links, NULL);
	for (size_t i = 0; i < n; i++)
		if (store_page(s, links[i], &to))
			buf_format(b, "link %s %s\n", url, to.url);
	if (store_visited(s, id, &v))
		buf_format(b, "visits %s %u\n", url, v.visits);
	for (uint32_t i = 0; i < v.changes && store_change(s, id, i, &c); i++)
		buf_format(b, "change %s %lld\n", url, (long long)c.at);
	free((void *)(uintptr_t)url);
}

/* Returns the lines of all pages, sorted; *text has their bytes. */
static char **lines_of(struct store *s, struct buf *text, size_t *n)
{
	char **all = NULL;
	size_t room = 0;

	*text = (struct buf)BUF_EMPTY;
	for (uint32_t id = 0; id < store_pages(s); id++)
		tell_page(s, id, text);
	*n = 0;
	for (char *at = strtok(text->at, "\n"); at; at = strtok(NULL, "\n")) {
		all = mem_grow(all, &room, *n + 1, sizeof *all);
		all[(*n)++] = at;
	}
	if (*n)
		qsort(all, *n, sizeof *all, compare_lines);
	return all;
}

static void put(const char *bytes, size_t n)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	close(fd);
}

/* Visits every third crawled page again; it has changed once. */
static void visit_again(struct store *s)
{
	const struct store_visited visited = {.visits = 2, .changes = 1, .first = 1000, .last = 5000, .status = 200};
	const struct store_change change = {.before = 1000, .at = 4000, .status = 200, .digest = {1, 2}, .target = STORE_NO_PAGE};
	struct result r;

	for (uint32_t id = 0; id < store_pages(s); id += 3)
		if (store_result(s, id, &r) && r.state == PAGE_CRAWLED) {
			assert_int_equal(store_put_visited(s, id, &visited, NULL), 0);
			assert_int_equal(store_put_change(s, id, 0, &change, NULL), 0);
		}
	assert_int_equal(store_put_robots(s, "http://h0.test", 14, "Disallow: /a\n", 13, INT64_MAX / 2, NULL), 0);
}

static void make_store(uint64_t seed, size_t steps, size_t step)
{
	struct made_crawl *made = made_crawl(seed, steps);
	struct store *s = open_store(dir, STORE_WRITE);
	struct stat st;
	int fd;

	for (size_t at = 0; at < steps; at += step) {
		assert_int_equal(made_write(s, made, at, at + step < steps ? at + step : steps, NULL), 0);
		assert_int_equal(store_set(s, "policy", at ? "opic" : "bfs", NULL), 0);
		commit(s);
	}
	visit_again(s);
	commit(s);
	buf_release(&told);
	free(line);
	line = lines_of(s, &told, &lines);
	store_drop(s);
	made_free(made);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	free(sound);
	sound_n = (size_t)st.st_size;
	sound = mem_new(sound_n, 1);
	assert_true(read(fd, sound, sound_n) == st.st_size);
	close(fd);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/dev/shm/lycosa-test-XXXXXX");
	if (!mkdtemp(root))
		strcpy(root, scratch());
	snprintf(dir, sizeof dir, "%s/old", root);
	snprintf(path, sizeof path, "%s/data.mdb", dir);
	snprintf(into, sizeof into, "%s/new", root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	made_forget(dir);
	made_forget(into);
	rmdir(root);
	free(sound);
	buf_release(&told);
	free(line);
	return 0;
}

/* Returns how many of the lines of the sound store another store lacks. Fails if that says anything else, but for results that were
 * made anew from the log. */
static size_t missing(struct store *s, const struct salvage_report *report, const char *what)
{
	struct buf text;
	size_t n, got = 0;
	char **has = lines_of(s, &text, &n);

	for (size_t i = 0; i < n; i++) {
		if (bsearch(&has[i], line, lines, sizeof *line, compare_lines))
			got++;
		else if (!report->rebuilt.results || strncmp(has[i], "end ", 4) != 0)
			fail_msg("%s: it says '%s'", what, has[i]);
	}
	free(has);
	buf_release(&text);
	return lines - got;
}

/* Salvages the store. Returns how many lines of its dump are lost. */
static size_t salvage(struct salvage_report *report, const char *what)
{
	struct err_note why = {""};
	struct store *s;

	made_forget(into);
	if (store_salvage(dir, into, report, &why))
		fail_msg("%s: %s", what, why.text);
	s = open_store(into, STORE_READ);
	if (store_verify(s, made_tell, NULL, &why))
		fail_msg("%s: the new store is not sound", what);
	const size_t lost = missing(s, report, what);
	store_drop(s);
	return lost;
}

/* --- a bit */

static void try_flips(size_t step, size_t first)
{
	struct salvage_report report;
	char what[64];

	for (size_t at = first; at < sound_n; at += step) {
		snprintf(what, sizeof what, "bit %zu of byte %zu of page %zu", at % 8, at % PAGE, at / PAGE);
		sound[at] ^= (char)(1 << at % 8);
		put(sound, sound_n);
		sound[at] ^= (char)(1 << at % 8);
		if (salvage(&report, what))
			fail_msg("%s: something is lost", what);
	}
}

static void nothing_is_lost_by_a_flipped_bit(void **state)
{
	(void)state;
	make_store(5, 12, 4);
	try_flips(1499, 24);
	for (size_t page = 0; page < sound_n / PAGE; page++) /* where the page says what it is, and its first places */
		for (size_t at = 0; at < 24; at += 5)
			try_flips(sound_n, page * PAGE + at + page % 5);
}

/* --- more than a bit */

static int many_pages(void **state)
{
	(void)state;
	made_forget(dir);
	make_store(7, 600, 100);
	return 0;
}

/* Damages n bytes so that no single bit mends them. */
static void spoil(char *bytes, size_t at, size_t n)
{
	for (size_t i = at; i < at + n && i < sound_n; i++)
		bytes[i] ^= (char)(0x5a + (int)(i - at) * 7);
}

/* Says whether the page is one of a tree, or the head of the file. */
static int is_of_tree(size_t page)
{
	struct page_head head;

	memcpy(&head, sound + page * PAGE, sizeof head);
	return head.number == page && (head.flags == PAGE_BRANCH || head.flags == PAGE_LEAF || head.flags == PAGE_HEAD);
}

static void a_page_that_is_gone_takes_only_its_own_chunk(void **state)
{
	const size_t pages = sound_n / PAGE;
	struct salvage_report report;
	char *bytes = mem_new(sound_n, 1), what[64];
	size_t trees = 0;

	(void)state;
	for (size_t page = 0; page < pages; page++) {
		if (!is_of_tree(page) && page % 67)
			continue;
		memcpy(bytes, sound, sound_n);
		spoil(bytes, page * PAGE, PAGE);
		put(bytes, sound_n);
		snprintf(what, sizeof what, "page %zu", page);
		(void)salvage(&report, what);
		uint64_t ranges = 0;
		for (int i = 0; i < SALVAGE_PARTS; i++)
			ranges += report.part[i].lost;
		if (ranges > 1)
			fail_msg("%s: %llu ranges of records are lost", what, (unsigned long long)ranges);
		trees += is_of_tree(page) != 0;
	}
	free(bytes);
	assert_true(trees > 8);
}

static void a_file_that_was_cut_short_gives_what_it_has(void **state)
{
	struct salvage_report report;
	struct err_note why;
	char what[64];
	size_t before = SIZE_MAX;

	(void)state;
	for (size_t part = 1; part <= 8; part++) {
		put(sound, sound_n * part / 8 - 100);
		snprintf(what, sizeof what, "%zu eighths", part);
		const size_t lost = salvage(&report, what);
		print_message("# of %zu of 8 parts of the file: %u pages, %zu of %zu lines are lost\n", part, report.pages, lost,
			lines);
		assert_true(part == 1 || lost <= before + lines / 10);
		before = lost;
	}
	put(sound, 100);
	made_forget(into);
	assert_int_equal(store_salvage(dir, into, &report, &why), ERR_DAMAGED);
	put("", 0);
	assert_int_equal(store_salvage(dir, into, &report, &why), ERR_DAMAGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_by_a_flipped_bit),
		cmocka_unit_test_setup(a_page_that_is_gone_takes_only_its_own_chunk, many_pages),
		cmocka_unit_test_setup(a_file_that_was_cut_short_gives_what_it_has, many_pages),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
