/* A crawl that was never made: a list of what a crawl would write to its store, drawn from a seed,
 * which keeps every invariant; and what the store must then say. */
#ifndef TESTS_MADE_CRAWL_H
#define TESTS_MADE_CRAWL_H

#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "storage/handle.h"

/* --- a store, or a test that failed */

static inline struct store *open_store(const char *dir, enum store_mode mode)
{
	struct store *s;
	struct err_note why = {""};

	if (store_open(&s, dir, mode, &why))
		fail_msg("store_open: %s", why.text);
	return s;
}

/* Opens a store without a check, for tests of what its functions do with damage. */
static inline struct store *open_suspect(const char *dir)
{
	struct suspect *s;
	struct err_note why = {""};

	if (suspect_open(&s, dir, &why))
		fail_msg("suspect_open: %s", why.text);
	return &s->store;
}

static inline void commit(struct store *s)
{
	struct err_note why = {""};

	if (store_commit(s, &why))
		fail_msg("store_commit: %s", why.text);
}

static inline uint32_t add(struct store *s, const char *url)
{
	struct store_page page = {.url = url, .url_length = strlen(url)};
	uint32_t id;

	assert_int_equal(store_host(s, "h.test", 6, &page.host, NULL), 0);
	assert_int_equal(store_add(s, &page, &id, NULL), 0);
	return id;
}

/* --- the crawl */

enum made_kind { MADE_PAGE, MADE_RESULT, MADE_LINKS, MADE_LOG };

struct made_op {
	enum made_kind kind;
	uint32_t id;
	struct store_page page;
	struct result result;
	struct log_entry entry;
	uint32_t *links;
	uint8_t *kinds;
	size_t n;
};

struct made_crawl {
	struct rng rng;
	struct made_op *op;
	size_t ops, op_room;
	size_t *step; /* ops before each step, and after the last */
	size_t steps, step_room;
	uint8_t *life; /* enum page_state, by page */
	size_t life_room;
	uint32_t pages, hosts;
};

static inline struct made_op *made_add(struct made_crawl *m, enum made_kind kind, uint32_t id)
{
	m->op = mem_grow(m->op, &m->op_room, m->ops + 1, sizeof *m->op);
	m->op[m->ops] = (struct made_op){.kind = kind, .id = id};
	return &m->op[m->ops++];
}

static inline uint32_t made_page(struct made_crawl *m)
{
	struct made_op *op = made_add(m, MADE_PAGE, m->pages);
	char url[9000];
	uint32_t host = (uint32_t)rng_below(&m->rng, m->hosts + 1);
	int n = snprintf(url, sizeof url, "http://h%u.test/%u/", host, m->pages);
	/* mostly short, now and then as long as can be */
	size_t more = rng_below(&m->rng, 100) == 0 ? rng_below(&m->rng, 8000) : rng_below(&m->rng, 90);

	memset(url + n, 'a' + (int)(m->pages % 26), more);
	url[(size_t)n + more] = 0;
	if (host == m->hosts)
		m->hosts++;
	op->page = (struct store_page){mem_text(url), strlen(url), host, (uint16_t)rng_below(&m->rng, 70),
		rng_below(&m->rng, 10) ? OUTCOME_NONE : OUTCOME_HOST};
	m->life = mem_grow(m->life, &m->life_room, m->pages + 1, 1);
	m->life[m->pages] = op->page.refusal ? PAGE_REFUSED : PAGE_QUEUED;
	return m->pages++;
}

static inline void made_entry(struct made_crawl *m, enum log_kind kind, uint32_t id, uint32_t target)
{
	struct made_op *op = made_add(m, MADE_LOG, id);

	op->entry = (struct log_entry){.kind = kind, .id = id, .target = target};
	if (kind == LOG_FAILED || kind == LOG_REQUEUED) {
		op->entry.status = (uint16_t)rng_below(&m->rng, 65536);
		op->entry.outcome = (uint8_t)(32 + rng_below(&m->rng, 224));
	}
	if (kind == LOG_CRAWLED)
		op->entry.outcome = OUTCOME_CRAWLED;
	if (kind == LOG_REDIRECTED)
		op->entry.outcome = OUTCOME_REDIRECTED;
	if (kind == LOG_REFUSED)
		op->entry.outcome = OUTCOME_ROBOTS;
	if (kind == LOG_REQUEUED || kind == LOG_SITTING)
		op->entry.time = (int64_t)rng_next(&m->rng) >> rng_below(&m->rng, 64);
	if (kind == LOG_POLICY)
		op->entry.text = "opic damping=0.85";
}

static inline void made_result(struct made_crawl *m, uint32_t id, uint8_t state, uint32_t target)
{
	struct made_op *op = made_add(m, MADE_RESULT, id);
	struct result *r = &op->result;

	*r = (struct result){.state = state, .target = target};
	r->outcome = (uint8_t)(OUTCOME_DNS + rng_below(&m->rng, 7));
	r->status = (uint16_t)rng_below(&m->rng, 600);
	r->tries = (uint32_t)(rng_next(&m->rng) >> (32 + rng_below(&m->rng, 32)));
	r->bytes = rng_next(&m->rng) >> rng_below(&m->rng, 64);
	r->ended = (int64_t)rng_next(&m->rng) >> rng_below(&m->rng, 64);
	if (rng_below(&m->rng, 4)) {
		r->digest[0] = rng_next(&m->rng);
		r->digest[1] = rng_next(&m->rng);
	}
	if (id % 3) {
		r->type = id % 3 == 1 ? "text/html" : "";
		r->language = id % 5 ? "en-GB" : "";
		r->title = id % 7 ? "a title of the page" : "";
	}
	m->life[id] = state;
}

/* Distinct links, old and new, in any order; kinds now and then. */
static inline void made_links(struct made_crawl *m, uint32_t id)
{
	size_t n = rng_below(&m->rng, 30) == 0 ? rng_below(&m->rng, 2000) : rng_below(&m->rng, 12);
	uint32_t *links = mem_new(n + 1, sizeof *links);
	uint8_t *seen = mem_zero(m->pages + n + 1, 1), *kinds = NULL;
	size_t got = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t to = (uint32_t)rng_below(&m->rng, m->pages);
		if (rng_below(&m->rng, 2) || seen[to])
			to = made_page(m);
		seen[to] = 1;
		links[got++] = to;
	}
	if (rng_below(&m->rng, 3) == 0) {
		kinds = mem_zero(got + 1, 1);
		for (size_t i = 0; i < got; i++)
			kinds[i] = rng_below(&m->rng, 4) ? 0 : (uint8_t)rng_next(&m->rng);
	}
	free(seen);
	struct made_op *op = made_add(m, MADE_LINKS, id);
	op->links = links;
	op->kinds = kinds;
	op->n = got;
}

static inline void made_outcome(struct made_crawl *m, uint32_t id)
{
	made_entry(m, LOG_TAKE, id, 0);
	switch (rng_below(&m->rng, 12)) {
	case 0:
		made_entry(m, LOG_FAILED, id, 0);
		made_result(m, id, PAGE_FAILED, STORE_NO_PAGE);
		break;
	case 1:
		made_entry(m, LOG_REQUEUED, id, 0);
		made_result(m, id, PAGE_QUEUED, STORE_NO_PAGE);
		break;
	case 2:
		made_entry(m, LOG_REFUSED, id, 0);
		made_result(m, id, PAGE_REFUSED, STORE_NO_PAGE);
		break;
	case 3: {
		uint32_t to = rng_below(&m->rng, 2) ? made_page(m) : (uint32_t)rng_below(&m->rng, m->pages);
		made_entry(m, LOG_REDIRECTED, id, to);
		made_result(m, id, PAGE_REDIRECTED, to);
		break;
	}
	default:
		made_links(m, id);
		made_entry(m, LOG_CRAWLED, id, 0);
		made_result(m, id, PAGE_CRAWLED, STORE_NO_PAGE);
	}
}

static inline void made_step(struct made_crawl *m)
{
	uint64_t what = rng_below(&m->rng, 40);
	uint32_t id = m->pages ? (uint32_t)rng_below(&m->rng, m->pages) : 0;

	m->step = mem_grow(m->step, &m->step_room, m->steps + 2, sizeof *m->step);
	m->step[m->steps++] = m->ops;
	if (m->pages == 0)
		made_entry(m, LOG_SITTING, 0, 0);
	for (uint32_t i = 0; i < 20 && m->pages && m->life[id] != PAGE_QUEUED; i++)
		id = (id + 1) % m->pages;
	if (m->pages == 0 || m->life[id] != PAGE_QUEUED || what == 0)
		made_entry(m, LOG_SEED, made_page(m), 0);
	else if (what == 1)
		made_entry(m, LOG_POLICY, 0, 0);
	else
		made_outcome(m, id);
	m->step[m->steps] = m->ops;
}

static inline struct made_crawl *made_crawl(uint64_t seed, size_t steps)
{
	struct made_crawl *m = mem_zero(1, sizeof *m);

	m->rng.state = seed;
	while (m->steps < steps)
		made_step(m);
	return m;
}

static inline void made_free(struct made_crawl *m)
{
	for (size_t i = 0; i < m->ops; i++) {
		free((void *)(uintptr_t)m->op[i].page.url);
		free(m->op[i].links);
		free(m->op[i].kinds);
	}
	free(m->op);
	free(m->step);
	free(m->life);
	free(m);
}

/* The host first: a page has its number. */
static inline int made_write_page(struct store *s, const struct made_op *op, struct err_note *why)
{
	char name[32];
	uint32_t got;
	int n = snprintf(name, sizeof name, "h%u.test", op->page.host);
	int status = store_host(s, name, (size_t)n, &got, why);

	assert_true(status || got == op->page.host);
	if (status == 0)
		status = store_add(s, &op->page, &got, why);
	assert_true(status || got == op->id);
	return status;
}

/* Writes the steps [from, to). */
static inline int made_write(struct store *s, const struct made_crawl *m, size_t from, size_t to, struct err_note *why)
{
	int status = 0;

	for (size_t i = m->step[from]; i < m->step[to] && status == 0; i++) {
		const struct made_op *op = &m->op[i];
		switch (op->kind) {
		case MADE_PAGE:
			status = made_write_page(s, op, why);
			break;
		case MADE_RESULT:
			status = store_put_result(s, op->id, &op->result, why);
			break;
		case MADE_LINKS:
			status = store_put_links(s, op->id, op->links, op->kinds, NULL, op->n, why);
			break;
		case MADE_LOG:
			status = store_log(s, &op->entry, why);
		}
	}
	return status;
}

static inline void made_check_page(struct store *s, const struct made_op *op)
{
	struct store_page page;
	uint32_t id;
	char name[32];

	assert_int_equal(store_page(s, op->id, &page), 1);
	assert_string_equal(page.url, op->page.url);
	assert_int_equal(page.url_length, op->page.url_length);
	assert_int_equal(page.host, op->page.host);
	assert_int_equal(page.depth, op->page.depth);
	assert_int_equal(page.refusal, op->page.refusal);
	assert_int_equal(store_find(s, op->page.url, op->page.url_length, &id), 1);
	assert_int_equal(id, op->id);
	assert_int_equal(store_find(s, op->page.url, op->page.url_length - 1, &id), 0);
	snprintf(name, sizeof name, "h%u.test", op->page.host);
	assert_string_equal(store_host_name(s, op->page.host), name);
}

static inline void made_check_links(struct store *s, uint32_t id, const struct made_op *op)
{
	const uint32_t *links;
	const uint8_t *kinds;
	size_t n = store_links(s, id, &links, &kinds);

	assert_int_equal(n, op ? op->n : 0);
	for (size_t i = 0; op && i < n; i++) {
		assert_int_equal(links[i], op->links[i]);
		assert_int_equal(kinds ? kinds[i] : 0, op->kinds ? op->kinds[i] : 0);
	}
}

static inline void made_check_result(struct store *s, uint32_t id, const struct made_op *op)
{
	struct result r;

	assert_int_equal(store_result(s, id, &r), op != NULL);
	if (!op)
		return;
	assert_int_equal(r.state, op->result.state);
	assert_int_equal(r.outcome, op->result.outcome);
	assert_int_equal(r.status, op->result.status);
	assert_int_equal(r.target, op->result.target);
	assert_int_equal(r.tries, op->result.tries);
	assert_true(r.bytes == op->result.bytes && r.ended == op->result.ended);
	assert_true(r.digest[0] == op->result.digest[0] && r.digest[1] == op->result.digest[1]);
	assert_string_equal(r.type, op->result.type ? op->result.type : "");
	assert_string_equal(r.language, op->result.language ? op->result.language : "");
	assert_string_equal(r.title, op->result.title ? op->result.title : "");
}

static inline void made_check_entry(const struct log_entry *got, const struct log_entry *want)
{
	enum log_kind kind = want->kind;

	assert_int_equal(got->kind, kind);
	if (want->text == NULL && kind != LOG_SITTING)
		assert_int_equal(got->id, want->id);
	assert_int_equal(got->status, want->status);
	assert_int_equal(got->outcome, want->outcome);
	assert_true(got->time == want->time);
	if (kind == LOG_REDIRECTED)
		assert_int_equal(got->target, want->target);
	assert_int_equal(got->text != NULL, want->text != NULL);
	if (want->text)
		assert_string_equal(got->text, want->text);
}

/* The store says what the first `steps` steps wrote, and nothing else. */
static inline void made_check(struct store *s, const struct made_crawl *m, size_t steps)
{
	const struct made_op **result = mem_zero(m->pages + 1, sizeof *result);
	const struct made_op **links = mem_zero(m->pages + 1, sizeof *links);
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	uint32_t pages = 0;
	uint64_t entries = 0;

	for (size_t i = 0; i < m->step[steps]; i++) {
		const struct made_op *op = &m->op[i];
		if (op->kind == MADE_PAGE) {
			made_check_page(s, op);
			pages++;
		} else if (op->kind == MADE_LOG) {
			assert_int_equal(store_log_next(c, &e, NULL), 1);
			made_check_entry(&e, &op->entry);
			entries++;
		} else {
			(op->kind == MADE_RESULT ? result : links)[op->id] = op;
		}
	}
	assert_int_equal(store_log_next(c, &e, NULL), 0);
	store_log_stop(c);
	assert_int_equal(store_pages(s), pages);
	assert_true(store_log_length(s) == entries);
	for (uint32_t id = 0; id < pages; id++) {
		made_check_result(s, id, result[id]);
		made_check_links(s, id, links[id]);
	}
	free(result);
	free(links);
}

/* Removes a store. */
static inline void made_forget(const char *dir)
{
	static const char *const files[] = {"data.mdb", "lock.mdb", "writer"};
	char path[512];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
}

static inline void made_tell(void *ctx, const char *line)
{
	(void)ctx;
	print_message("# %s\n", line);
}

#endif
