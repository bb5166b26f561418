#include "fetch/page_jail.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/sandbox.h"
#include "fetch/robots_cache.h"
#include "fetch/user_command.h"
#include "parser/decode.h"
#include "parser/usage.h"

#include <errno.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOK_MS    100        /* how often a thread that waits looks whether the process is still there */
#define AGAIN_MS   10000      /* after which a page is fetched again for which there was no process */
#define MOST_HEADS (1u << 20) /* bytes of a question beside the body: the URL and the headers */
#define KEPT       (4u << 20) /* bytes of the shared memory that stay in use after more of it was used */
#define SLOTS      32         /* pages that are passed on together, if they fit */
#define NO_SLOT    (-1)
#define ROOM_MORE  (4u << 20) /* bytes for the replies of several pages, beside those of the largest page that there can be */

struct question {
	struct fetch_page head;
	struct url url;
	struct answer answer;
	struct buf body;
	const regex_t *topic;
	int is_announced;
};

struct reply {
	int is_left; /* 1: there is no room for it; the page is to be passed on again, before others */
	uint64_t fingerprint, simhash;
	int is_shell, is_off_topic;
	uint16_t usage;
	enum fetch_listing listing;
	struct page_about about;
	struct page_cargo links, requisites;
	size_t at; /* of the bytes for replies: where links and requisites begin */
};

/* The shared memory, which has the same address in both processes. The thread believes nothing that it reads here. */
struct desk {
	_Alignas(64) _Atomic uint32_t asked;    /* the number of the batch of questions */
	_Alignas(64) _Atomic uint32_t answered; /* the number of the last batch that has all its replies */
	_Atomic uint32_t n;                     /* questions in the batch */
	_Atomic uint32_t done;                  /* of these have a reply */
	struct fetch_settings set;
	struct question question[SLOTS];
	struct reply reply[SLOTS];
	_Alignas(64) char bytes[]; /* the texts of the questions, and behind them those of the replies */
};

struct page_cell {
	struct user_command process;
	struct desk *desk;
	size_t size, asked_most; /* bytes: of the desk; for the texts of questions */
	uint32_t asked, n, done; /* the number of the batch; its questions; how many of them have a reply */
	size_t used, replied;    /* bytes of the texts of its questions, and of the replies that were taken */
};

struct page_jail {
	_Atomic unsigned taken;
	unsigned n;
	struct page_cell cell[];
};

static char *reply_bytes(const struct page_cell *c)
{
	return c->desk->bytes + c->asked_most;
}

/* --- waiting at a number in the shared memory */

/* Waits until a number is no longer this one, at most for some ms (0: for ever), or until nothing in particular has happened. */
static void futex_wait(_Atomic uint32_t *number, uint32_t is, int ms)
{
	const struct {
		long s, ns;
	} time = {ms / 1000, ms % 1000 * 1000000L}; /* as this system call has it on every machine */

	(void)syscall(SYS_futex, number, FUTEX_WAIT, is, ms ? &time : NULL, NULL, 0);
}

static void set_number(_Atomic uint32_t *number, uint32_t to)
{
	atomic_store(number, to);
	(void)syscall(SYS_futex, number, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* --- the process of a cell */

/* Reads the page of question i, and writes its reply behind `used` bytes of other replies. Returns how many bytes are used then. */
static size_t reply(const struct page_cell *c, uint32_t i, struct page_reader *reader, size_t used)
{
	struct question *q = &c->desk->question[i];
	struct reply *r = &c->desk->reply[i];
	struct origin origin = {.standing = ORIGIN_KNOWN};
	const struct transfer_options options = {.set = c->desk->set};
	const struct transfer t = {.options = &options,
		.url = q->url,
		.answer = q->answer,
		.body = q->body,
		.origin = &origin,
		.is_announced = q->is_announced};
	const struct result *result = &q->head.result;

	r->is_left = used > ROOM_MORE;
	if (r->is_left)
		return used;
	reader->build->max_links = options.set.max_links;
	reader->build->rules = reader->requisites->rules = options.set.rules;
	page_read(reader->build, reader->requisites, &q->head, &t, q->topic);
	r->fingerprint = result->fingerprint;
	r->simhash = result->simhash;
	r->is_shell = result->is_shell;
	r->is_off_topic = result->is_off_topic;
	r->usage = result->usage;
	r->about = q->head.about;
	r->listing = q->head.listing;
	r->at = used;
	char *end = page_build_put(reader->build, &r->links, reply_bytes(c) + used);
	end = page_build_put(reader->requisites, &r->requisites, end);
	page_build_reset(reader->build);
	return (size_t)(end - reply_bytes(c));
}

static void run(void *cell)
{
	struct page_cell *c = cell;
	struct desk *d = c->desk;
	struct page_build build, requisites;
	struct page_reader reader = {.build = &build, .requisites = &requisites};

	prctl(PR_SET_NAME, "lycosa-reader");
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL); /* a process that has a fault ends */
	/* memory of large pages is kept for the next ones: to give it back each time costs more than to read a page */
	mallopt(M_MMAP_THRESHOLD, KEPT);
	mallopt(M_TRIM_THRESHOLD, KEPT);
	page_build_init(&build, 0, (uint64_t)(uintptr_t)&build ^ (uint64_t)getpid());
	page_build_init(&requisites, FETCH_MAX_REQUISITES, build.key);
	decode_prepare();
	(void)!sandbox_jail(); /* page_jail_new() has said so if there is none */
	for (uint32_t batch = 1;; batch++) {
		while (atomic_load(&d->asked) != batch)
			futex_wait(&d->asked, batch - 1, 0);
		size_t used = 0;
		for (uint32_t i = 0, n = atomic_load(&d->n); i < n; i++) {
			used = reply(c, i, &reader, used);
			atomic_store(&d->done, i + 1);
		}
		set_number(&d->answered, batch);
	}
}

/* --- the thread */

static char *put(char *to, struct buf *out, const struct buf *from)
{
	*out = (struct buf){to, from->used, from->used + 1};
	if (from->used)
		memcpy(to, from->at, from->used);
	to[from->used] = 0;
	return to + from->used + 1;
}

/* Says whether a page has a body that is to be read in the cell. */
static int has_body(const struct page_unread *u)
{
	const struct result *r = &u->head.result;

	return r->state == PAGE_CRAWLED && r->status != 304 && u->transfer->body.used;
}

/* Adds the question of a page to the batch. Returns 0 if it does not fit. */
static int ask(struct page_cell *c, struct page_unread *u)
{
	struct desk *d = c->desk;
	const struct transfer *t = u->transfer;
	const struct answer *a = &t->answer;
	const uint32_t n = c->n;
	const size_t need = t->url.text.used + a->links.used + a->refresh.used + t->body.used + 4;
	char *to = d->bytes + c->used;

	if (n == SLOTS || need > c->asked_most - c->used)
		return 0;
	struct question *q = &d->question[n];
	page_hash(&u->head, t); /* here, since the next to read the body is the copy */
	q->head = u->head;
	q->url = t->url;
	q->answer = *a;
	q->topic = u->topic;
	q->is_announced = d->set.kinds & 1u << LINK_SITEMAP ? page_is_announced(t) : 0;
	to = put(to, &q->url.text, &t->url.text);
	to = put(to, &q->answer.links, &a->links);
	to = put(to, &q->answer.refresh, &a->refresh);
	put(to, &q->body, &t->body);
	c->used += need;
	u->slot = (int)n;
	c->n = n + 1;
	return 1;
}

/* Waits for the replies of the batch, or as many as there will be. */
static void await(struct page_cell *c)
{
	struct pollfd end = {.fd = c->process.from, .events = POLLIN};
	struct desk *d = c->desk;

	for (int i = 0; i < PAGE_JAIL_PATIENCE / LOOK_MS; i++) {
		const uint32_t answered = atomic_load(&d->answered), done = atomic_load(&d->done);
		if (answered == c->asked)
			break;
		if (done != c->done)
			i = 0;
		c->done = done;
		futex_wait(&d->answered, answered, LOOK_MS);
		if (atomic_load(&d->answered) != c->asked && poll(&end, 1, 0) > 0)
			break;
	}
	c->done = atomic_load(&d->done);
}

/* Says whether an array has a clean text. */
static int is_clean(const char *array, size_t size)
{
	const size_t n = strnlen(array, size);

	return n < size && page_text_is_clean(array, n);
}

/* Takes the reply of a page. Returns 1, or 0 if it is none that page_read() can give. */
static int take(struct page_cell *c, const struct reply *r, struct page_unread *u, struct page_reader *reader)
{
	struct result *result = &u->head.result;
	const char *from = r->at > ROOM_MORE ? NULL : page_build_load(reader->build, &r->links, reply_bytes(c) + r->at);

	c->replied += reader->build->text.used;
	if (!from || !page_build_load(reader->requisites, &r->requisites, from) || !is_clean(r->about.type, sizeof r->about.type) ||
		!is_clean(r->about.language, sizeof r->about.language) || !is_clean(r->about.title, sizeof r->about.title))
		return 0;
	u->head.about = r->about;
	u->head.listing = r->listing;
	result->fingerprint = r->fingerprint;
	result->simhash = r->simhash;
	result->is_shell = r->is_shell != 0;
	result->is_off_topic = r->is_off_topic != 0;
	result->usage = r->usage & USAGE_ALL;
	result->requisites = reader->requisites->text.at;
	result->requisites_n = reader->requisites->text.used;
	page_complete(reader->build, &u->head, u->transfer);
	return 1;
}

static int open_starter(struct page_cell *c, struct err_note *why)
{
	return user_command_open_function(&c->process, "process that reads pages", run, c, why);
}

/* Starts the process, if none runs, and its starter, if somebody has killed it. Returns 0, or an error. */
static int begin(struct page_cell *c, struct err_note *why)
{
	struct pollfd end = {.fd = c->process.from, .events = POLLIN};

	if (c->process.runs && poll(&end, 1, 0) <= 0)
		return 0;
	user_command_stop(&c->process, (char[USER_COMMAND_HOW]){""});
	c->asked = c->done = 0;
	atomic_store(&c->desk->asked, 0);
	atomic_store(&c->desk->answered, 0);
	if (user_command_start(&c->process, NULL, why) == 0)
		return 0;
	user_command_close(&c->process);
	const int err = open_starter(c, why);
	return err ? err : user_command_start(&c->process, NULL, why);
}

/* Ends a process that has given no sound reply, and tells the user of the page. */
static void fail(struct page_cell *c, struct page_unread *u)
{
	char how[USER_COMMAND_HOW] = "is gone";

	user_command_stop(&c->process, how);
	log_say("the process that read %s %s: the page has failed, and a new process reads the next one", u->transfer->url.text.at,
		how);
	u->head.result.state = PAGE_FAILED;
	u->head.result.outcome = OUTCOME_PARSER;
}

/* Gives back the memory of a large batch, whose replies have been taken. */
static void give_back(struct page_cell *c)
{
	if (c->used > KEPT || c->replied > KEPT)
		madvise((char *)c->desk + KEPT, c->size - KEPT, MADV_REMOVE);
	c->used = c->replied = 0;
}

/* Passes on a batch: the first of n pages, and further ones that have bodies and fit. Returns 0, or an error if there is no process. */
static int pass_on(struct page_cell *c, struct page_unread *u, size_t n, struct err_note *why)
{
	struct desk *d = c->desk;
	const int err = begin(c, why);

	give_back(c);
	c->n = c->done = 0;
	atomic_store(&d->done, 0);
	d->set = u->transfer->options->set;
	for (size_t i = 0; !err && i < n; i++)
		if (has_body(&u[i]) && !ask(c, &u[i]))
			break;
	if (err || u->slot == NO_SLOT)
		return err;
	atomic_store(&d->n, c->n);
	set_number(&d->asked, ++c->asked);
	await(c);
	return 0;
}

/* Reads the first of n pages, which has a body: takes its reply, and passes it on before, unless it was passed on with pages before. */
static void read_first(struct page_reader *reader, struct page_unread *u, size_t n)
{
	struct page_cell *c = reader->cell;
	struct err_note why;

	if (u->slot == NO_SLOT && pass_on(c, u, n, &why)) {
		log_say("%s", why.text);
		u->head.result.not_before += AGAIN_MS;
		u->head.result.state = PAGE_QUEUED;
		u->head.result.outcome = OUTCOME_NO_DESCRIPTORS;
		return;
	}
	int is_left = 0;
	if (u->slot >= 0 && (uint32_t)u->slot < c->done) {
		const struct reply r = c->desk->reply[u->slot]; /* the process cannot change what has been copied */
		is_left = r.is_left && u->slot;
		if (!r.is_left && take(c, &r, u, reader))
			return;
	}
	for (size_t i = 0; i < n; i++)
		u[i].slot = NO_SLOT;
	if (is_left) {
		read_first(reader, u, n);
		return;
	}
	page_build_reset(reader->build);
	page_build_reset(reader->requisites);
	fail(c, u);
}

void page_jail_read(struct page_reader *reader, struct page_unread *u, size_t n)
{
	struct page_cell *c = reader->cell;

	for (size_t i = 0; i < n; i++)
		u[i].slot = NO_SLOT;
	for (size_t i = 0; i < n; i++) {
		if (c && has_body(&u[i]))
			read_first(reader, &u[i], n - i);
		else
			page_fill(reader->build, reader->requisites, &u[i].head, u[i].transfer, u[i].topic);
		reader->done(reader->ctx, &u[i]);
	}
	if (c)
		give_back(c);
}

/* --- the jail */

static int open_cell(struct page_cell *c, const struct fetch_settings *set, struct err_note *why)
{
	c->asked_most = MOST_HEADS + (size_t)set->max_unpacked;
	c->size = sizeof *c->desk + c->asked_most + ROOM_MORE + page_build_most(set->max_links) +
		page_build_most(FETCH_MAX_REQUISITES);
	c->desk = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->desk == MAP_FAILED)
		return err_set(why, ERR_OTHER,
			"cannot have memory for the processes that read pages: %s; --no-sandbox goes without", ascii_error(errno));
	return open_starter(c, why);
}

int page_jail_new(struct page_jail **out, unsigned n, const struct fetch_settings *set, struct err_note *why)
{
	struct page_jail *jail = mem_zero(1, sizeof *jail + n * sizeof *jail->cell);
	int err = 0;

	if (!sandbox_has_jail())
		log_say("this kernel has no filters of system calls: the processes that read pages are not confined");
	while (!err && jail->n < n)
		err = open_cell(&jail->cell[jail->n++], set, why);
	if (err)
		page_jail_free(jail);
	*out = err ? NULL : jail;
	return err;
}

void page_jail_free(struct page_jail *jail)
{
	for (unsigned i = 0; jail && i < jail->n; i++) {
		struct page_cell *c = &jail->cell[i];
		if (c->desk == MAP_FAILED)
			continue;
		user_command_close(&c->process);
		munmap(c->desk, c->size);
	}
	free(jail);
}

struct page_cell *page_jail_cell(struct page_jail *jail)
{
	if (!jail)
		return NULL;
	const unsigned i = atomic_fetch_add(&jail->taken, 1);
	if (i >= jail->n)
		abort();
	return &jail->cell[i];
}
