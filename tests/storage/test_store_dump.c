#include "tests/storage/made_crawl.h"

#include "base/buf.h"
#include "storage/store.h"

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The page at the end of a page's redirects. */
static uint32_t end_of(const struct made_crawl *m, uint32_t id)
{
	for (int step = 0; step < 32; step++) {
		uint32_t next = id;
		for (size_t i = 0; i < m->ops; i++)
			if (m->op[i].kind == MADE_RESULT && m->op[i].id == id && m->op[i].result.state == PAGE_REDIRECTED)
				next = m->op[i].result.target;
		if (next == id)
			break;
		id = next;
	}
	return id;
}

/* Each line by itself, all sorted, none twice: the slow way. */
static char *slow_dump(const struct made_crawl *m)
{
	const char **url = mem_new(m->pages + 1, sizeof *url);
	uint32_t *end = mem_new(m->pages + 1, sizeof *end);
	char **line = NULL;
	size_t lines = 0, room = 0;
	struct buf b = BUF_EMPTY, all = BUF_EMPTY;

	for (size_t i = 0; i < m->ops; i++)
		if (m->op[i].kind == MADE_PAGE)
			url[m->op[i].id] = m->op[i].page.url;
	for (uint32_t id = 0; id < m->pages; id++)
		end[id] = end_of(m, id);
	for (size_t i = 0; i < m->ops; i++) {
		const struct made_op *op = &m->op[i];
		const unsigned life = op->kind == MADE_RESULT ? op->result.state : 0;
		/* a made-up address is no link */
		const int is_cut = op->kind == MADE_LINKS && op->n && op->kinds && op->kinds[op->n - 1] == STORE_MADE_UP;
		size_t n = op->kind == MADE_LINKS ? op->n - (size_t)is_cut
						  : life == PAGE_CRAWLED || life == PAGE_FAILED || life == PAGE_REDIRECTED;
		for (size_t k = 0; k < n; k++) {
			const uint64_t *d = op->result.digest;
			buf_format(&b, "%s\t", url[op->id]);
			if (op->kind == MADE_LINKS)
				buf_format(&b, "%s", url[end[op->links[k]]]);
			else if (d[0] || d[1])
				buf_format(&b, "%u\t%016llx%016llx", op->result.status, (unsigned long long)d[1],
					(unsigned long long)d[0]);
			else
				buf_format(&b, "%u\t-", op->result.status);
			line = mem_grow(line, &room, lines + 1, sizeof *line);
			line[lines++] = buf_take(&b);
		}
	}
	if (lines)
		qsort(line, lines, sizeof *line, compare_lines);
	for (size_t i = 0; i < lines; i++) {
		if (!i || strcmp(line[i], line[i - 1]) != 0)
			buf_format(&all, "%s\n", line[i]);
	}
	for (size_t i = 0; i < lines; i++)
		free(line[i]);
	free(end);
	free(line);
	free(url);
	return buf_take(&all);
}

static void a_dump_is_every_line_in_order(void **state)
{
	(void)state;
	for (uint64_t seed = 20; seed < 24; seed++) {
		struct made_crawl *m = made_crawl(seed, 250);
		struct store *s = open_store(scratch(), STORE_WRITE);
		char *want = slow_dump(m), *got = NULL;
		size_t n;

		assert_int_equal(made_write(s, m, 0, m->steps, NULL), 0);
		FILE *out = open_memstream(&got, &n);
		assert_int_equal(store_dump(s, out, NULL), 0);
		fclose(out);
		assert_true(n > 1000);
		assert_string_equal(got, want);
		free(got);
		free(want);
		store_drop(s);
		made_free(m);
	}
}

static void a_dump_that_cannot_be_written_is_an_error(void **state)
{
	struct made_crawl *m = made_crawl(20, 250);
	struct store *s = open_store(scratch(), STORE_WRITE);
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_int_equal(made_write(s, m, 0, m->steps, NULL), 0);
	assert_int_equal(store_dump(s, out, NULL), ERR_RESULTS);
	fclose(out);
	store_drop(s);
	made_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dump_is_every_line_in_order),
		cmocka_unit_test(a_dump_that_cannot_be_written_is_an_error),
	};

	return cmocka_run_group_tests_name("store_dump", tests, NULL, NULL);
}
