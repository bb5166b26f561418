#include "parser/fingerprint.h"
#include "base/ascii.h"
#include "base/long_hash.h"
#include "parser/words.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PRIME        0x9e3779b97f4a7c15u
#define URL_WORDS    64 /* the words of a URL that are looked at */
#define FILTER       4
#define VALUE_DIGITS 9
#define NO_VALUE     0xffffffffu
#define SMALL        60  /* days, hours, minutes */
#define LISTED       100 /* things that a page of a list has, at most, and at least */
#define LISTED_LEAST 5

struct word {
	enum words_kind kind;
	unsigned value; /* of a number of at most VALUE_DIGITS; else NO_VALUE */
	struct words_text text;
	uint64_t hash;
};

/* The words of the URL. */
struct known {
	/* a filter of these words: bit hash % 64 of element hash / 64 % FILTER is set for the hash of each */
	uint64_t filter[FILTER];
	uint64_t hash[URL_WORDS];
	unsigned value[URL_WORDS];
	size_t words;
	size_t values; /* how many of the words are numbers with a value */
};

/* A number is judged by its neighbours, once the next is known. */
struct reader {
	struct words words;
	uint64_t hash;
	size_t told;                       /* words and tags in it */
	unsigned clocks;                   /* numbers left out as of times of day */
	struct word first, second, third;  /* room for the words that follow */
	struct word *before, *last, *next; /* the last two words, and the one that is read */
	struct known known;
	struct simhash *simhash; /* NULL: not wanted */
};

static unsigned value_of(struct words_text text)
{
	unsigned value = 0;

	if (text.length > VALUE_DIGITS)
		return NO_VALUE;
	for (size_t i = 0; i < text.length; i++)
		value = value * 10 + (unsigned)(text.at[i] - '0');
	return value;
}

/* Returns the byte that is `far` bytes before a word, or NUL if the page begins later. */
static char char_before(const struct reader *r, const struct word *w, size_t far)
{
	return (size_t)(w->text.at - r->words.bytes) >= far ? w->text.at[-(ptrdiff_t)far] : 0;
}

#define LETTER(c) (1u << ((c)&31))

/* Says whether a letter is in a set of letters. For other bytes the answer may be wrong. */
static int is_in(char c, unsigned letters)
{
	return letters >> (c & 31) & 1;
}

/* Says whether the first two letters of a word are in the sets, which excludes most words. */
static inline int may_begin(const struct word *w, unsigned first, unsigned second)
{
	return w->kind == WORDS_LETTERS && w->text.length >= 2 && is_in(w->text.at[0], first) && is_in(w->text.at[1], second);
}

static int begins_as(const struct word *w, const char *const *names)
{
	for (; *names; names++)
		if (**names == (w->text.at[0] | 0x20) && w->text.length >= strlen(*names) &&
			ascii_same(w->text.at, *names, strlen(*names)))
			return 1;
	return 0;
}

/* Says whether a word begins as the name of a month does, in English and in languages with similar names. */
static int is_month(const struct word *w)
{
	static const char *const names[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
		"mai", "okt", "dez", "avr", NULL};

	return may_begin(w,
		       LETTER('a') | LETTER('d') | LETTER('f') | LETTER('j') | LETTER('m') | LETTER('n') | LETTER('o') |
			       LETTER('s'),
		       LETTER('a') | LETTER('c') | LETTER('e') | LETTER('k') | LETTER('o') | LETTER('p') | LETTER('u') |
			       LETTER('v')) &&
		begins_as(w, names);
}

static int is_of_readers(const struct word *w)
{
	static const char *const names[] = {"guest", "hits", "online", "users", "viewed", "views", "visit", NULL};

	return may_begin(w, LETTER('g') | LETTER('h') | LETTER('o') | LETTER('u') | LETTER('v'),
		       LETTER('i') | LETTER('n') | LETTER('s') | LETTER('u')) &&
		begins_as(w, names);
}

static int is_unit_of_time(const struct word *w)
{
	static const char *const names[] = {"day", "hour", "millisec", "minute", "ms", "second", NULL};

	return may_begin(w, LETTER('d') | LETTER('h') | LETTER('m') | LETTER('s'),
		       LETTER('a') | LETTER('e') | LETTER('i') | LETTER('o') | LETTER('s')) &&
		begins_as(w, names);
}

static int is_small(const struct word *w)
{
	return w->value < SMALL;
}

/* Returns the byte between a number and the number before it, if it is the only one; else NUL. */
static char joint_of(const struct reader *r, const struct word *w, const struct word *before)
{
	if (before->value == NO_VALUE || w->kind == WORDS_END)
		return 0;
	return words_is_digit((unsigned char)char_before(r, w, 2)) ? char_before(r, w, 1) : 0;
}

/* Says whether a number and the number before it are joined by '/' or '-' as in a date. If one of them is 0 they are no date, but a
 * result of a match, such as 3-0. */
static int is_joined(const struct reader *r, const struct word *w, const struct word *before)
{
	const char joint = joint_of(r, w, before);

	return (joint == '/' || joint == '-') && before->value && w->value;
}

static int is_of_a_clock(struct reader *r, const struct word *w, const struct word *before, const struct word *after)
{
	return is_small(w) && (joint_of(r, w, before) == ':' || joint_of(r, after, w) == ':') && r->clocks++ < FINGERPRINT_CLOCKS;
}

/* Says whether a number changes from view to view: how many visitors have come, how long something took, is left or is ago, or the
 * time in seconds or milliseconds since 1970. */
static int is_of_the_view(const struct word *w, const struct word *before, const struct word *after)
{
	return is_of_readers(before) || is_of_readers(after) || is_unit_of_time(after) ||
		((w->text.length == 10 || w->text.length == 13) && *w->text.at == '1');
}

/* Says whether two numbers are neighbouring days in the table of a calendar: they differ by 1, or one is at least 28 and the other
 * is 1. */
static int is_next_to(const struct word *a, const struct word *b)
{
	return is_small(a) && is_small(b) &&
		(a->value + 1 == b->value || b->value + 1 == a->value || (a->value >= 28 && b->value == 1) ||
			(b->value >= 28 && a->value == 1));
}

static int is_of_a_date(const struct reader *r, const struct word *w, const struct word *before, const struct word *after)
{
	if (w->value >= 1900 && w->value < 2200 && w->text.length == 4)
		return 1;
	return is_small(w) &&
		(is_month(before) || is_month(after) || is_joined(r, w, before) || is_joined(r, after, w) ||
			is_next_to(before, w) || is_next_to(w, after));
}

static inline int is_known_word(const struct known *k, uint64_t hash)
{
	if (!(k->filter[hash / 64 % FILTER] >> hash % 64 & 1))
		return 0;
	for (size_t i = 0; i < k->words; i++)
		if (k->hash[i] == hash)
			return 1;
	return 0;
}

/* Says whether, in a list with a usual number of items on each page, page n begins or ends with the item `value`, or page `value`
 * with the item n. */
static int is_place_in_list(unsigned n, unsigned value)
{
	static const unsigned sizes[] = {LISTED_LEAST, 10, 12, 20, 24, 25, 30, 50, LISTED};
	const unsigned page = value > n ? n : value, thing = value > n ? value : n;

	if (!page || thing > page * LISTED || thing < (page - 1) * LISTED_LEAST)
		return 0;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (thing == page * sizes[i] || thing - 1 == (page - 1) * sizes[i] || (value < n && thing == (page - 1) * sizes[i]))
			return 1;
	return 0;
}

/* Says whether a number of the page follows from the number n of its URL: it is n - 1, n or n + 1 (up to n + 100 if n is 60 or
 * more), or the first or last item that page n of a list shows. */
static int counts_from(unsigned n, unsigned value)
{
	return value + 1 == n || value == n || (n >= SMALL ? value - n <= LISTED : value == n + 1) || is_place_in_list(n, value);
}

static int is_known_number(const struct known *k, const struct word *w)
{
	for (size_t i = 0; w->value != NO_VALUE && i < k->values; i++)
		if (counts_from(k->value[i], w->value))
			return 1;
	return 0;
}

static int is_drawn(const struct word *w)
{
	return w->kind != WORDS_LETTERS && w->text.length >= FINGERPRINT_DRAWN;
}

/* Says whether a number is a half of a fraction such as 0.0123, the seconds that the page took. */
static int is_of_a_fraction(const struct reader *r, const struct word *w, const struct word *after)
{
	return (w->value == 0 && joint_of(r, after, w) == '.') || (char_before(r, w, 2) == '0' && char_before(r, w, 1) == '.');
}

/* Most words are no numbers: a function of its own, so that the loop over the words stays small. */
__attribute__((noinline)) static int number_tells(struct reader *r, const struct word *w, const struct word *before,
	const struct word *after)
{
	return !is_drawn(w) && !is_of_a_fraction(r, w, after) && !is_of_a_date(r, w, before, after) &&
		!is_of_a_clock(r, w, before, after) && !is_known_word(&r->known, w->hash) && !is_known_number(&r->known, w) &&
		!is_of_the_view(w, before, after);
}

static void add(struct reader *r, uint64_t hash)
{
	r->hash = (r->hash ^ hash) * PRIME;
	r->hash ^= r->hash >> 29;
	r->told++;
}

/* Adds the word in r->next, whose text is set, and judges the number before it, whose neighbours are known now. */
__attribute__((always_inline)) static inline void read_word(struct reader *r, enum words_kind kind)
{
	struct word *before = r->before, *last = r->last, *w = r->next;
	const uint64_t hash = words_hash(&r->words, w->text);

	w->kind = kind;
	w->hash = hash;
	w->value = NO_VALUE;
	if (kind == WORDS_NUMBER)
		w->value = value_of(w->text);
	if (kind == WORDS_LETTERS && r->simhash)
		simhash_add(r->simhash, hash);
	if (last->kind == WORDS_NUMBER && number_tells(r, last, before, w))
		add(r, last->hash);
	if ((kind == WORDS_LETTERS || (kind == WORDS_MIXED && !is_drawn(w))) && !is_known_word(&r->known, hash))
		add(r, hash);
	r->before = last;
	r->last = w;
	r->next = before;
}

/* Says whether the width or height of a picture's tag is 0 or 1: such a picture counts views. */
static int is_unseen(struct words_text tag)
{
	static const char *const sides[] = {"width=", "height="};

	for (size_t i = 0; i < 2; i++) {
		const char *at = memmem(tag.at, tag.length, sides[i], strlen(sides[i]));
		const char *end = tag.at + tag.length - 1;
		at = at ? at + strlen(sides[i]) : end;
		at += at < end && (*at == '"' || *at == '\'');
		if (at < end && (*at == '0' || *at == '1') &&
			(*(at + 1) == '"' || *(at + 1) == '\'' || *(at + 1) == ' ' || *(at + 1) == '>' || *(at + 1) == '/'))
			return 1;
	}
	return 0;
}

static void read_url(struct known *k, const char *url, size_t n)
{
	struct words words;
	struct words_text text;
	enum words_kind kind;

	memset(k->filter, 0, sizeof k->filter);
	k->words = k->values = 0;
	words_init(&words, url, n);
	for (size_t i = 0; i < URL_WORDS && (kind = words_next(&words, &text)) != WORDS_END; i++) {
		const uint64_t hash = words_hash(&words, text);
		const unsigned value = kind == WORDS_NUMBER ? value_of(text) : NO_VALUE;
		k->filter[hash / 64 % FILTER] |= (uint64_t)1 << hash % 64;
		k->hash[k->words++] = hash;
		if (value != NO_VALUE)
			k->value[k->values++] = value;
	}
}

/* Returns how many words of the page at a URL are judged one by one. */
static size_t words_to_judge(const char *url, size_t n)
{
	const char *end = url + n;
	const char *host = n ? memmem(url, n, "://", 3) : NULL;
	const char *path = host ? memchr(host + 3, '/', (size_t)(end - host - 3)) : NULL;

	for (; path && path < end; path++)
		if (*path == '?' || words_is_digit((unsigned char)*path))
			return FINGERPRINT_WORDS;
	return FINGERPRINT_FEWER;
}

struct fingerprint fingerprint_html(const char *bytes, size_t n, const char *url, size_t url_length, struct simhash *simhash)
{
	const size_t most = words_to_judge(url, url_length);
	struct reader r;
	struct words_text *text;
	enum words_kind kind;

	words_init(&r.words, bytes, n);
	if (most == FINGERPRINT_FEWER && n > FINGERPRINT_LONG) {
		if (simhash)
			simhash_rest(simhash, &r.words);
		return (struct fingerprint){0, 0};
	}
	r.simhash = simhash;
	r.hash = r.told = r.clocks = 0;
	r.first = r.second = (struct word){.kind = WORDS_END, .value = NO_VALUE};
	r.before = &r.first;
	r.last = &r.second;
	r.next = &r.third;
	read_url(&r.known, url, url_length);
	do {
		text = &r.next->text;
		kind = words_next(&r.words, text);
		if (kind != WORDS_MEDIA)
			read_word(&r, kind);
		else if (!is_unseen(*text))
			add(&r, words_hash(&r.words, *text));
	} while (kind != WORDS_END && r.told < most);
	const char *rest = text->at + text->length;
	if (rest < r.words.end)
		add(&r, long_hash(rest, (size_t)(r.words.end - rest)));
	if (simhash)
		simhash_rest(simhash, &r.words);
	return (struct fingerprint){r.hash, r.told};
}

void simhash_rest(struct simhash *s, struct words *words)
{
	struct words_text text;
	enum words_kind kind;

	while ((kind = words_next(words, &text)) != WORDS_END)
		if (kind == WORDS_LETTERS)
			simhash_add(s, words_hash(words, text));
}

uint64_t simhash_of(const struct simhash *s)
{
	uint64_t hash = 0;

	if (s->words < SIMHASH_WORDS)
		return 0;
	for (unsigned i = 0; i < 64; i++) {
		uint64_t count = 0;
		for (unsigned k = 0; k < 32; k++)
			count |= (s->count[k] >> i & 1) << k;
		hash |= (uint64_t)(2 * count > s->words - 1) << i;
	}
	return hash ? hash : 1;
}

uint64_t simhash_html(const char *bytes, size_t n)
{
	struct simhash s = {.words = 0};
	struct words words;

	words_init(&words, bytes, n);
	simhash_rest(&s, &words);
	return simhash_of(&s);
}
