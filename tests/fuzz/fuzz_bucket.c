/* Bytes that may be the settings of a crawl in the bucket of its agents, and lines that may be keys of addresses and their values:
 * settings that are read are read the same when they are written again; whatever the keys say, an agent asks only at an address
 * that the last value gives it, none rests for longer than a day, and what the agent writes is read again. */
#include "agents/address_book.h"
#include "agents/charter.h"

#include <stdlib.h>
#include <string.h>

#define SELF    1
#define REST    50
#define DAY_MS  ((int64_t)24 * 3600 * 1000)
#define CHANGES 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

/* --- settings */

static int write_entry(void *ctx, const char *name, const char *value, struct err_note *why)
{
	(void)why;
	check(*name && !strpbrk(name, " \n"));
	charter_add(ctx, name, value);
	return 0;
}

static void read_charter(const void *text, size_t n)
{
	struct buf bytes = BUF_EMPTY, once = BUF_EMPTY, twice = BUF_EMPTY;
	struct err_note why;

	buf_add(&bytes, text, n);
	charter_begin(&once);
	if (charter_each(&bytes, write_entry, &once, &why) == 0) {
		charter_begin(&twice);
		check(charter_each(&once, write_entry, &twice, &why) == 0);
		check(once.used == twice.used && memcmp(once.at, twice.at, once.used) == 0);
	}
	buf_release(&bytes);
	buf_release(&once);
	buf_release(&twice);
}

/* --- addresses */

struct world {
	struct leases *leases;
	struct address_book *book;
	uint64_t revision;
	int64_t now;
	unsigned char ip[16];
};

/* Lets the agent write what it wants; the bucket takes all, or every second writing. */
static void write_all(struct world *w, int takes_all)
{
	struct address_book *other = book_new(SELF + 1, REST);
	struct book_write write;
	int n = 0;

	for (; book_next(w->book, w->now, w->leases, &write); n++) {
		check(n < 2 * CHANGES); /* no key is written without end */
		check(strlen(write.key) == strlen(BOOK_KEY) + 32);
		book_learn(other, write.key, write.text, strlen(write.text), 1, w->now);
		check(write.holder == SELF || book_held(other) == 0);
		write.revision = ++w->revision;
		(void)book_wrote(w->book, &write, takes_all || w->revision % 2, w->now);
	}
	book_free(other);
}

/* A line: "=KEY VALUE" is a change of a key, and a line of another first byte the passing of time. The byte is a number of ms. */
static void live(struct world *w, const char *line, size_t n)
{
	char key[64];

	w->revision++;
	if (n && *line == '=') {
		const char *blank = memchr(line, ' ', n), *value = blank ? blank + 1 : line + n;
		const size_t length = (size_t)((blank ? blank : line + n) - line - 1);
		if (length >= sizeof key)
			return;
		memcpy(key, line + 1, length);
		key[length] = 0;
		book_learn(w->book, key, value, (size_t)(line + n - value), w->revision, w->now);
	} else {
		w->now += n ? (unsigned char)*line * 100 : 1;
		leases_wrote(w->leases, w->revision, w->now);
		leases_heard(w->leases, SELF, w->revision, 0, w->now);
		leases_heard(w->leases, n > 1 ? (unsigned char)line[1] : NEWS_AGENTS, w->revision, n > 2, w->now);
		if (n > 3)
			book_lapse(w->book, w->revision);
	}
	if (book_ask(w->book, w->ip, w->now)) {
		check(book_held(w->book) > 0);
		book_ended(w->book, w->ip, w->now, REST);
	}
	write_all(w, 0);
}

static void read_addresses(const char *text, size_t n)
{
	struct world w = {.leases = leases_new(SELF, 1000), .book = book_new(SELF, REST), .now = 1000, .ip = {[15] = 7}};
	const char *end = text + n;

	for (int i = 0; i < CHANGES && text < end; i++) {
		const char *line = text, *feed = memchr(text, '\n', (size_t)(end - text));
		text = feed ? feed + 1 : end;
		live(&w, line, (size_t)((feed ? feed : end) - line));
	}
	/* when nothing is heard of the others any more, and every rest is over, the agent asks there */
	int has_asked = 0;
	w.now += 2 * DAY_MS;
	for (int i = 0; i < 20 && !has_asked; i++, w.now += 1000) {
		leases_wrote(w.leases, ++w.revision, w.now);
		leases_heard(w.leases, SELF, w.revision, 0, w.now);
		has_asked = book_ask(w.book, w.ip, w.now);
		write_all(&w, 1);
	}
	check(has_asked);
	book_free(w.book);
	free(w.leases);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_charter(data, size);
	read_addresses((const char *)data, size);
	return 0;
}
