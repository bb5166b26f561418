#include "fetch/page_jail.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/sandbox.h"
#include "fetch/robots_cache.h"
#include "fetch/user_command.h"
#include "parser/decode.h"
#include "parser/match.h"
#include "parser/usage.h"

#include <errno.h>
#include <sched.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

#define LOOK_MS    100        /* how often a thread that waits looks whether the process is still there */
#define AGAIN_MS   10000      /* after which a page is fetched again for which there was no process */
#define MOST_HEADS (1u << 20) /* bytes of a question beside the body: the URL and the headers */
#define KEPT       (4u << 20) /* bytes of replies, and of a process's own memory, that stay in use after more were used */
#define SLOTS      32         /* pages that are passed on together */
#define TOGETHER   (2u << 20) /* bytes of their texts, and of bodies that are not in windows, unless one page has more */
#define NO_SLOT    (-1)
#define ROOM_MORE  (4u << 20) /* bytes for the replies of several pages, beside those of the largest page that there can be */

/* A page as the process is asked for it: what page_read() looks at, in few bytes, since another processor reads them. Places count
 * from the start of the desk. */
struct question {
	size_t texts; /* the place of the URL, the values of Link and Refresh, the media type and the language, each with its NUL */
	size_t body, body_n;
	struct url url; /* without its text */
	size_t links_n, refresh_n;
	uint16_t status, usage;
	uint8_t has_type, nofollow, is_rendered, has_topic, is_announced;
};

struct reply {
	int is_left; /* 1: there is no room for it; the page is to be passed on again, before others */
	uint64_t fingerprint, simhash;
	int is_shell, is_off_topic;
	uint16_t usage, type_n, language_n, title_n;
	enum fetch_listing listing;
	struct page_cargo links, requisites;
	size_t at; /* of the bytes for replies: the media type, the language, the title, the links, and the requisites */
};

/* The memory with the questions, which the process can only read. Behind it are the text of the topic, the windows of bodies that
 * have come (fetch/body_memory.h), and the texts of the questions, with the bodies that lie elsewhere. */
struct desk {
	_Atomic uint32_t asked; /* the number of the batch of questions */
	_Atomic uint32_t n;     /* questions in the batch */
	struct fetch_settings set;
	size_t windows; /* their place */
	size_t topic_n; /* 0: no page has a topic */
	struct question question[SLOTS];
	char topic[];
};

/* The memory with the replies. The thread believes nothing that it reads here. */
struct tray {
	_Alignas(64) _Atomic uint32_t answered; /* the number of the last batch that has all its replies */
	_Atomic uint32_t done;                  /* of the questions of this batch have a reply */
	struct reply reply[SLOTS];
	_Alignas(64) char bytes[];
};

/* The processes are forked by this one, at the request of any thread. */
struct page_nursery {
	struct user_command starter;
	pthread_mutex_t lock; /* held by who asks it for something */
};

struct page_cell {
	struct page_nursery *nursery;
	struct user_command process;
	struct desk *desk;
	struct tray *tray;
	int given[2]; /* descriptors of desk and tray; -1: there is none */
	size_t desk_size, tray_size;
	char *texts;             /* of the questions, in the desk */
	uint32_t asked, n, done; /* the number of the batch; its questions; how many of them have a reply */
	int processor;           /* on which the process runs; -1: on any */
	size_t used, replied;    /* bytes of the texts of its questions, and of the replies that were taken */
	struct body_windows windows;
	struct body_memory *counted; /* counts `used`, too; NULL: nothing does */
};

struct page_jail {
	_Atomic unsigned taken;
	unsigned n;
	struct page_cell cell[];
};

/* --- waiting at a number in the shared memory */

/* Waits until a number is no longer this one, at most for some ms (0: for ever), or until nothing in particular has happened. */
static void futex_wait(const _Atomic uint32_t *number, uint32_t is, int ms)
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

/* What a process has. */
struct reader {
	const struct desk *desk;
	struct tray *tray;
	struct page_build build, requisites;
	regex_t *topic;
	size_t seen[BODY_WINDOWS]; /* bytes of each window that are in memory */
};

/* Returns the text at *at, of n bytes, and moves *at behind it. */
static struct buf next_text(const char **at, size_t n)
{
	const char *text = *at;

	*at += n + 1;
	return (struct buf){(char *)(uintptr_t)text, n, n + 1};
}

/* Asks the system at once for the memory of a body in a window. */
static void see(struct reader *reader, const struct question *q)
{
	const size_t at = q->body - reader->desk->windows, end = at % BODY_WINDOW + q->body_n, i = at / BODY_WINDOW;

	if (q->body < reader->desk->windows || i >= BODY_WINDOWS || end <= reader->seen[i])
		return;
	const size_t more = (end - reader->seen[i] + BODY_WINDOW_STEP - 1) / BODY_WINDOW_STEP * BODY_WINDOW_STEP;
	(void)madvise((char *)(uintptr_t)reader->desk + q->body + reader->seen[i], more, MADV_POPULATE_READ);
	reader->seen[i] += more;
}

/* Fills in a transfer and a page from a question. */
static void read_question(const struct desk *d, const struct question *q, struct transfer *t, struct fetch_page *head)
{
	const char *at = (const char *)d + q->texts;

	head->result = (struct result){.state = PAGE_CRAWLED, .status = q->status, .is_rendered = q->is_rendered};
	t->is_announced = q->is_announced;
	t->body = (struct buf){(char *)(uintptr_t)d + q->body, q->body_n, 0};
	t->url = q->url;
	t->url.text = next_text(&at, q->url.text.used);
	t->answer.usage = q->usage;
	t->answer.nofollow = q->nofollow;
	t->answer.has_type = q->has_type;
	t->answer.links = next_text(&at, q->links_n);
	t->answer.refresh = next_text(&at, q->refresh_n);
	strcpy(t->answer.type, at);
	strcpy(t->answer.language, at + strlen(at) + 1);
}

/* Writes a text without its NUL, and its length. Returns its end. */
static char *put_text(char *to, uint16_t *n, const char *text)
{
	*n = (uint16_t)strlen(text);
	memcpy(to, text, *n);
	return to + *n;
}

/* Reads the page of question i, and writes its reply behind `used` bytes of other replies. Returns how many bytes are used then. */
static size_t reply(struct reader *reader, uint32_t i, size_t used)
{
	const struct desk *d = reader->desk;
	struct reply *r = &reader->tray->reply[i];
	const struct question *q = &d->question[i];
	struct origin origin = {.standing = ORIGIN_KNOWN};
	const struct transfer_options options = {.set = d->set};
	struct transfer t = {.options = &options, .origin = &origin};
	struct fetch_page head = {.n = 0};
	struct page_build *build = &reader->build, *requisites = &reader->requisites;

	r->is_left = used > ROOM_MORE;
	if (r->is_left)
		return used;
	see(reader, q);
	read_question(d, q, &t, &head);
	build->max_links = options.set.max_links;
	build->rules = requisites->rules = options.set.rules;
	page_read(build, requisites, &head, &t, q->has_topic ? reader->topic : NULL);
	r->fingerprint = head.result.fingerprint;
	r->simhash = head.result.simhash;
	r->is_shell = head.result.is_shell;
	r->is_off_topic = head.result.is_off_topic;
	r->usage = head.result.usage;
	r->listing = head.listing;
	r->at = used;
	char *end = put_text(reader->tray->bytes + used, &r->type_n, head.about.type);
	end = put_text(end, &r->language_n, head.about.language);
	end = put_text(end, &r->title_n, head.about.title);
	end = page_build_put(build, &r->links, end);
	end = page_build_put(requisites, &r->requisites, end);
	page_build_reset(build);
	return (size_t)(end - reader->tray->bytes);
}

/* Maps the memory of a descriptor, which is closed. Returns NULL if it cannot be had. */
static void *map(int fd, int protection)
{
	struct stat s;
	void *at = fstat(fd, &s) ? MAP_FAILED : mmap(NULL, (size_t)s.st_size, protection, MAP_SHARED, fd, 0);

	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

/* Prepares a process before it is in the jail. Returns 0, or -1. */
static int prepare(struct reader *reader)
{
	struct err_note why;

	prctl(PR_SET_NAME, "lycosa-reader");
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL); /* a process that has a fault ends */
	reader->desk = map(STDIN_FILENO, PROT_READ);
	reader->tray = map(USER_COMMAND_FURTHER, PROT_READ | PROT_WRITE);
	if (!reader->desk || !reader->tray)
		return -1;
	/* memory of large pages is kept for the next ones: to give it back each time costs more than to read a page */
	mallopt(M_MMAP_THRESHOLD, KEPT);
	mallopt(M_TRIM_THRESHOLD, KEPT);
	page_build_init(&reader->build, 0, (uint64_t)(uintptr_t)&reader->build ^ (uint64_t)getpid());
	page_build_init(&reader->requisites, FETCH_MAX_REQUISITES, reader->build.key);
	return reader->desk->topic_n ? match_regex_new(&reader->topic, reader->desk->topic, &why) : 0;
}

static void run(void)
{
	struct reader reader = {.topic = NULL};

	if (prepare(&reader))
		return;
	const struct desk *d = reader.desk;
	struct tray *tray = reader.tray;
	(void)!sandbox_jail(); /* page_jail_new() has said so if there is none */
	for (uint32_t batch = 1;; batch++) {
		while (atomic_load(&d->asked) != batch)
			futex_wait(&d->asked, batch - 1, 0);
		size_t used = 0;
		for (uint32_t i = 0, n = atomic_load(&d->n); i < n; i++) {
			used = reply(&reader, i, used);
			atomic_store(&tray->done, i + 1);
		}
		set_number(&tray->answered, batch);
	}
}

/* --- the thread */

/* Copies a text with its NUL. Returns its end. */
static char *put(char *to, const char *text, size_t n)
{
	if (n)
		memcpy(to, text, n);
	to[n] = 0;
	return to + n + 1;
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
	const int is_here = body_windows_have(&c->windows, t->body.at);
	const char *type = a->has_type ? a->type : "";
	const size_t need = t->url.text.used + a->links.used + a->refresh.used + strlen(type) + strlen(a->language) +
		(is_here ? 0 : t->body.used) + 6;
	char *end = c->texts + c->used;

	if (n == SLOTS || (n && c->used + need > TOGETHER) || need > c->desk_size - (size_t)(end - (char *)d))
		return 0;
	page_hash(&u->head, t);
	struct question *q = &d->question[n];
	*q = (struct question){.texts = (size_t)(end - (char *)d),
		.body_n = t->body.used,
		.url = t->url,
		.links_n = a->links.used,
		.refresh_n = a->refresh.used,
		.status = u->head.result.status,
		.usage = a->usage,
		.has_type = a->has_type != 0,
		.nofollow = a->nofollow != 0,
		.is_rendered = u->head.result.is_rendered != 0,
		.has_topic = u->topic != NULL};
	q->url.text.at = NULL;
	q->is_announced = d->set.kinds & 1u << LINK_SITEMAP ? page_is_announced(t) != 0 : 0;
	end = put(end, t->url.text.at, t->url.text.used);
	end = put(end, a->links.at, a->links.used);
	end = put(end, a->refresh.at, a->refresh.used);
	end = put(end, type, strlen(type));
	end = put(end, a->language, strlen(a->language));
	q->body = (size_t)((is_here ? t->body.at : end) - (char *)d);
	if (!is_here)
		put(end, t->body.at, t->body.used);
	c->used += need;
	if (c->counted)
		body_memory_add(c->counted, need);
	u->slot = (int)n;
	c->n = n + 1;
	return 1;
}

/* Waits for the replies of the batch, or as many as there will be. */
static void await(struct page_cell *c)
{
	struct pollfd end = {.fd = c->process.from, .events = POLLIN};
	struct tray *tray = c->tray;

	for (int i = 0; i < PAGE_JAIL_PATIENCE / LOOK_MS; i++) {
		const uint32_t answered = atomic_load(&tray->answered), done = atomic_load(&tray->done);
		if (answered == c->asked)
			break;
		if (done > c->done && done <= c->n) { /* a process that says otherwise gains no time */
			c->done = done;
			i = 0;
		}
		futex_wait(&tray->answered, answered, LOOK_MS);
		if (atomic_load(&tray->answered) != c->asked && poll(&end, 1, 0) > 0)
			break;
	}
	c->done = atomic_load(&tray->done);
}

/* Takes a text of n bytes at *from, which moves behind it, into an array. Returns 0 if it is not clean, or too long. */
static int take_text(char *array, size_t size, const char **from, size_t n)
{
	if (n >= size)
		return 0;
	memcpy(array, *from, n);
	array[n] = 0;
	*from += n;
	return page_text_is_clean(array, n);
}

/* Takes the reply of a page. Returns 1, or 0 if it is none that page_read() can give. */
static int take(struct page_cell *c, const struct reply *r, struct page_unread *u, struct page_reader *reader)
{
	struct result *result = &u->head.result;
	struct page_about *about = &u->head.about;
	const char *from = c->tray->bytes + r->at;

	if (r->at > ROOM_MORE || !take_text(about->type, sizeof about->type, &from, r->type_n) ||
		!take_text(about->language, sizeof about->language, &from, r->language_n) ||
		!take_text(about->title, sizeof about->title, &from, r->title_n) ||
		!(from = page_build_load(reader->build, &r->links, from)))
		return 0;
	c->replied += reader->build->text.used;
	if (!page_build_load(reader->requisites, &r->requisites, from))
		return 0;
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

static int open_starter(struct page_nursery *n, struct err_note *why)
{
	return user_command_open_function(&n->starter, "process that reads pages", decode_prepare, run, why);
}

/* Starts the process of a cell. */
static int start(struct page_cell *c, struct err_note *why)
{
	c->process.control = c->nursery->starter.control;
	return user_command_start_function(&c->process, c->given, why);
}

/* Ends the process of a cell. */
static void stop(struct page_cell *c, char how[USER_COMMAND_HOW])
{
	pthread_mutex_lock(&c->nursery->lock);
	c->process.control = c->nursery->starter.control;
	user_command_stop(&c->process, how);
	pthread_mutex_unlock(&c->nursery->lock);
}

/* Starts the process, if none runs, and the nursery, if somebody has killed it. Returns 0, or an error. */
static int begin(struct page_cell *c, struct err_note *why)
{
	struct pollfd end = {.fd = c->process.from, .events = POLLIN};

	if (c->process.runs && poll(&end, 1, 0) <= 0)
		return 0;
	stop(c, (char[USER_COMMAND_HOW]){""});
	c->asked = c->done = 0;
	c->processor = -1;
	atomic_store(&c->desk->asked, 0);
	atomic_store(&c->tray->answered, 0);
	pthread_mutex_lock(&c->nursery->lock);
	int err = start(c, why);
	if (err && user_command_is_gone(&c->nursery->starter)) {
		user_command_close(&c->nursery->starter);
		err = open_starter(c->nursery, why);
		err = err ? err : start(c, why);
	}
	pthread_mutex_unlock(&c->nursery->lock);
	return err;
}

/* Ends a process that has given no sound reply, and tells the user of the page. */
static void fail(struct page_cell *c, struct page_unread *u)
{
	char how[USER_COMMAND_HOW] = "is gone";

	stop(c, how);
	log_say("the process that read %s %s: the page has failed, and a new process reads the next one", u->transfer->url.text.at,
		how);
	memset(&u->head.about, 0, sizeof u->head.about);
	u->head.result.state = PAGE_FAILED;
	u->head.result.outcome = OUTCOME_PARSER;
}

/* Gives back the memory of a large batch, whose replies have been taken. */
static void give_back(struct page_cell *c)
{
	if (c->used > TOGETHER)
		madvise(c->texts + TOGETHER, c->desk_size - TOGETHER - (size_t)(c->texts - (char *)c->desk), MADV_REMOVE);
	if (c->replied > KEPT)
		madvise((char *)c->tray + KEPT, c->tray_size - KEPT, MADV_REMOVE);
	if (c->counted)
		body_memory_give(c->counted, c->used);
	c->used = c->replied = 0;
}

/* What the process needs of the settings, in which there is no address. */
static struct fetch_settings settings_of(const struct fetch_settings *s)
{
	return (struct fetch_settings){.kinds = s->kinds,
		.heed = s->heed,
		.rules = s->rules,
		.max_links = s->max_links,
		.keep_anchors = s->keep_anchors,
		.requisites = s->requisites,
		.fingerprints = s->fingerprints,
		.simhash = s->simhash};
}

/* Has the process read on the processor of the thread, which waits meanwhile: what the thread has written is in the cache there,
 * and no other processor needs to be woken. */
static void stay_near(struct page_cell *c)
{
	const int here = sched_getcpu();
	cpu_set_t set;

	if (here == c->processor || here < 0 || here >= CPU_SETSIZE)
		return;
	c->processor = here;
	CPU_ZERO(&set);
	CPU_SET((size_t)here, &set);
	(void)sched_setaffinity(c->process.pid, sizeof set, &set);
}

/* Passes on a batch: the first of n pages, and further ones that have bodies and fit. Returns 0, or an error if there is no
 * process. */
static int pass_on(struct page_cell *c, struct page_unread *u, size_t n, struct err_note *why)
{
	struct desk *d = c->desk;
	const int err = begin(c, why);

	give_back(c);
	c->counted = u->transfer->options->memory;
	c->n = c->done = 0;
	atomic_store(&c->tray->done, 0);
	d->set = settings_of(&u->transfer->options->set);
	for (size_t i = 0; !err && i < n; i++)
		if (has_body(&u[i]) && !ask(c, &u[i]))
			break;
	if (err || u->slot == NO_SLOT)
		return err;
	atomic_store(&d->n, c->n);
	stay_near(c);
	set_number(&d->asked, ++c->asked);
	await(c);
	return 0;
}

/* Reads the first of n pages, which has a body: takes its reply, and passes it on before, unless it was passed on with pages
 * before. */
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
		const struct reply r = c->tray->reply[u->slot]; /* the process cannot change what has been copied */
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

int page_nursery_new(struct page_nursery **out, struct err_note *why)
{
	struct page_nursery *n = mem_zero(1, sizeof *n);
	const int err = open_starter(n, why);

	pthread_mutex_init(&n->lock, NULL);
	*out = n;
	if (err) {
		page_nursery_free(n);
		*out = NULL;
	}
	return err;
}

void page_nursery_free(struct page_nursery *n)
{
	if (!n)
		return;
	user_command_close(&n->starter);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

/* Makes memory without a name, whose size nobody can change. Returns its descriptor, or -1. */
static int make_memory(size_t size)
{
	int fd = memfd_create("lycosa", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
		fd = memfd_create("lycosa", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || (!ftruncate(fd, (off_t)size) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW)))
		return fd;
	close(fd);
	return -1;
}

/* Maps memory, of which a later nursery has no copy. *given becomes a descriptor for a process that may write there, too, or may
 * not. Returns NULL, with an errno, if there is none. */
static void *share(size_t size, int is_writable, int *given)
{
	const int fd = make_memory(size);
	void *at = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	char path[32];

	*given = fd;
	if (at == MAP_FAILED)
		return NULL;
	(void)!madvise(at, size, MADV_DONTFORK);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	const int read_only = is_writable ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (read_only >= 0) {
		close(fd);
		*given = read_only;
	} else if (!is_writable && fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE)) /* without /proc */
		return NULL;
	return at;
}

static int open_cell(struct page_cell *c, const struct fetch_settings *set, struct err_note *why)
{
	const size_t topic_n = set->topic ? strlen(set->topic_text) + 1 : 0, page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t windows = (sizeof *c->desk + topic_n + page - 1) / page * page, texts = windows + BODY_WINDOWS * BODY_WINDOW;

	c->given[0] = c->given[1] = -1;
	c->desk_size = texts + TOGETHER + MOST_HEADS + (size_t)set->max_unpacked;
	c->tray_size = sizeof *c->tray + ROOM_MORE + sizeof(struct page_about) + page_build_most(set->max_links) +
		page_build_most(FETCH_MAX_REQUISITES);
	c->desk = share(c->desk_size, 0, &c->given[0]);
	c->tray = c->desk ? share(c->tray_size, 1, &c->given[1]) : NULL;
	if (!c->tray)
		return err_set(why, ERR_OTHER,
			"cannot have memory for the processes that read pages: %s (limits of open files and of file sizes bound it); "
			"--no-sandbox goes without",
			ascii_error(errno));
	c->windows.at = (char *)c->desk + windows;
	c->texts = (char *)c->desk + texts;
	c->desk->windows = windows;
	c->desk->topic_n = topic_n;
	if (topic_n)
		memcpy(c->desk->topic, set->topic_text, topic_n);
	return 0;
}

int page_jail_new(struct page_jail **out, struct page_nursery *nursery, unsigned n, const struct fetch_settings *set,
	struct err_note *why)
{
	struct page_jail *jail = mem_zero(1, sizeof *jail + n * sizeof *jail->cell);
	int err = 0;

	assert(n <= USER_COMMAND_CHILDREN);
	if (!sandbox_has_jail())
		log_say("this kernel has no filters of system calls: the processes that read pages are not confined");
	for (; !err && jail->n < n; jail->n++) {
		struct page_cell *c = &jail->cell[jail->n];
		c->nursery = nursery;
		user_command_open_child(&c->process, &nursery->starter, jail->n);
		err = open_cell(c, set, why);
	}
	if (err)
		page_jail_free(jail);
	*out = err ? NULL : jail;
	return err;
}

void page_jail_free(struct page_jail *jail)
{
	for (unsigned i = 0; jail && i < jail->n; i++) {
		struct page_cell *c = &jail->cell[i];
		stop(c, (char[USER_COMMAND_HOW]){""});
		if (c->desk)
			munmap(c->desk, c->desk_size);
		if (c->tray)
			munmap(c->tray, c->tray_size);
		for (size_t k = 0; k < 2; k++)
			if (c->given[k] >= 0)
				close(c->given[k]);
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

struct body_windows *page_cell_windows(struct page_cell *c)
{
	return c ? &c->windows : NULL;
}
