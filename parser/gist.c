#include "parser/gist.h"
#include "parser/words.h"

#include <string.h>
#include <strings.h>

#define WORD_START   0xcbf29ce484222325u
#define WORD_PRIME   0x9e3779b97f4a7c15u
#define URL_WORDS    64 /* looked at */
#define VALUE_DIGITS 9
#define NO_VALUE     0xffffffffu
#define SMALL        60 /* days, hours, minutes */

enum { LETTER = 1, DIGIT = 2 };

/* What a byte is in a word; 0: nothing. */
static unsigned kind_of(char c)
{
	return words_is_letter((unsigned char)c)  ? LETTER
	       : words_is_digit((unsigned char)c) ? DIGIT
						  : 0;
}

struct word {
	uint64_t hash;
	size_t length;
	unsigned kinds; /* of its bytes, in all */
	unsigned value; /* of digits alone, at most VALUE_DIGITS of them; else NO_VALUE */
	char before[2]; /* bytes */
	const char *at; /* where it stands */
};

struct known {
	uint64_t hash[URL_WORDS];
	unsigned value[URL_WORDS];
	size_t n;
};

/* A word is judged by its neighbours, once the next is known. */
struct reader {
	uint64_t gist;
	struct known known; /* of the URL */
	struct word last, held;
};

/* Letters in lower case; of some others, two become one. */
static uint64_t hash_of(const char *at, size_t n)
{
	uint64_t hash = WORD_START + n, eight;

	for (; n > 8; at += 8, n -= 8) {
		memcpy(&eight, at, 8);
		hash = (hash ^ (eight | 0x2020202020202020u)) * WORD_PRIME;
		hash ^= hash >> 32;
	}
	eight = 0;
	memcpy(&eight, at, n);
	return (hash ^ (eight | 0x2020202020202020u)) * WORD_PRIME;
}

/* Whether it begins as a month's name does, in English and languages that have like names. */
static int is_month(const struct word *w)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdecmaioktdezavr";

	for (size_t i = 0; w->kinds == LETTER && w->length >= 3 && i + 3 < sizeof names; i += 3)
		if (strncasecmp(w->at, names + i, 3) == 0)
			return 1;
	return 0;
}

/* The word that begins at `at`; of length 0 where none does. */
static struct word word_at(const char *start, const char *at, const char *end)
{
	struct word w = {.value = NO_VALUE};
	const char *stop = at;

	for (unsigned kind; stop < end && (kind = kind_of(*stop)); stop++)
		w.kinds |= kind;
	w.length = (size_t)(stop - at);
	if (w.length)
		w.hash = hash_of(at, w.length);
	if (w.kinds == DIGIT && w.length <= VALUE_DIGITS)
		w.value = 0;
	for (size_t i = 0; w.value != NO_VALUE && i < w.length; i++)
		w.value = w.value * 10 + (unsigned)(at[i] - '0');
	if (at - start >= 2)
		memcpy(w.before, at - 2, 2);
	w.at = at;
	return w;
}

static int is_small(const struct word *w)
{
	return w->value < SMALL;
}

static int is_joined(const struct word *w, const struct word *before)
{
	return before->value != NO_VALUE && kind_of(w->before[0]) == DIGIT &&
	       (w->before[1] == ':' || w->before[1] == '/' || w->before[1] == '-');
}

/* 7 beside 8, and the last of a month beside the first. */
static int is_next_to(const struct word *a, const struct word *b)
{
	return is_small(a) && is_small(b) &&
	       (a->value + 1 == b->value || b->value + 1 == a->value ||
		       (a->value >= 28 && b->value == 1) || (b->value >= 28 && a->value == 1));
}

static int is_of_a_date(const struct word *w, const struct word *before, const struct word *after)
{
	if (w->value >= 1900 && w->value < 2200 && w->length == 4)
		return 1;
	return is_small(w) &&
	       (is_month(before) || is_month(after) || is_joined(w, before) ||
		       is_joined(after, w) || is_next_to(before, w) || is_next_to(w, after));
}

static int is_known(const struct known *k, const struct word *w)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->hash[i] == w->hash)
			return 1;
	for (size_t i = 0; w->value != NO_VALUE && i < k->n; i++)
		if (k->value[i] == w->value ||
			(is_small(w) &&
				(k->value[i] + 1 == w->value || k->value[i] == w->value + 1)))
			return 1;
	return 0;
}

static int tells_something(const struct reader *r, const struct word *w, const struct word *before,
	const struct word *after)
{
	if ((w->kinds & DIGIT) && w->length >= GIST_DRAWN)
		return 0;
	if (w->kinds == DIGIT && w->before[0] == '0' && w->before[1] == '.')
		return 0;
	return !is_of_a_date(w, before, after) && !is_known(&r->known, w);
}

/* Whether what begins at `at` shows something that is no text. */
static int is_shown(const char *at, const char *end)
{
	static const char *const names[] = {
		"img", "source", "video", "audio", "iframe", "frame", "embed", "object"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if ((at[1] | 0x20) != names[i][0])
			continue;
		const size_t n = strlen(names[i]);
		if ((size_t)(end - at) > n + 1 && strncasecmp(at + 1, names[i], n) == 0 &&
			!words_is_letter((unsigned char)at[n + 1]))
			return 1;
	}
	return 0;
}

static uint64_t mix(uint64_t gist, uint64_t hash)
{
	gist = (gist ^ hash) * WORD_PRIME;
	return gist ^ gist >> 29;
}

static void read_word(struct reader *r, const struct word *w)
{
	if (r->held.length && tells_something(r, &r->held, &r->last, w))
		r->gist = mix(r->gist, r->held.hash);
	r->last = r->held;
	r->held = *w;
}

static void read_url(struct known *k, const char *url, size_t n)
{
	const char *at = url, *end = url + n;

	while (at < end && k->n < URL_WORDS) {
		const struct word w = word_at(url, at, end);
		if (w.length) {
			k->hash[k->n] = w.hash;
			k->value[k->n++] = w.value;
		}
		at += w.length ? w.length : 1;
	}
}

uint64_t gist_html(const char *bytes, size_t n, const char *url, size_t url_length)
{
	const struct word none = {.value = NO_VALUE};
	const char *at = bytes, *end = bytes + n;
	struct reader r = {.known.n = 0, .last = none, .held = none};

	read_url(&r.known, url, url_length);
	while (at < end) {
		if (*at == '<' && words_is_tag(at, end)) {
			const char *behind = words_behind_tag(at, end);
			if (is_shown(at, end))
				r.gist = mix(r.gist, hash_of(at, (size_t)(behind - at)));
			at = behind;
			continue;
		}
		if (!kind_of(*at)) {
			at++;
			continue;
		}
		const struct word w = word_at(bytes, at, end);
		read_word(&r, &w);
		at += w.length;
	}
	read_word(&r, &none);
	return r.gist;
}
