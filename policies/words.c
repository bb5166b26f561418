#include "policies/words.h"

#include <math.h>
#include <string.h>

#define RATE         0.3
#define MOST_OF_TEXT 8 /* the words of an anchor text, and those of a URL */
#define MOST_FOLDERS 4
#define SIDE_BY_SIDE 16 /* links */
#define FNV_BASE     2166136261u
#define FNV_PRIME    16777619u

enum kind { ANCHOR, PATH, FILE_NAME, FOLDER, HOST, PLACE };

static void add(struct words_of_page *p, enum kind kind, uint32_t hash)
{
	const uint16_t word = (uint16_t)(((hash ^ (uint32_t)kind * 0x9e3779b9u) * 0x85ebca6bu) >> 16) % WORDS_ALL;

	for (int i = 0; i < p->n; i++)
		if (p->word[i] == word)
			return;
	if (p->n < WORDS_MOST)
		p->word[p->n++] = word;
}

static int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* FNV-1a with ASCII letters lower case and each number as a 0. */
static uint32_t hash_of(const char *s, size_t n)
{
	uint32_t hash = FNV_BASE;
	int in_number = 0;

	for (size_t i = 0; i < n; i++) {
		const int is_digit = s[i] >= '0' && s[i] <= '9';
		const char c = is_digit ? '0' : s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] | 0x20) : s[i];
		if (!is_digit || !in_number)
			hash = (hash ^ (uint8_t)c) * FNV_PRIME;
		in_number = is_digit;
	}
	return hash;
}

/* Adds the first words of a text: runs of letters. */
static void add_text(struct words_of_page *p, enum kind kind, const char *s, size_t n)
{
	int words = 0;

	for (size_t i = 0, begin = 0; i <= n && words < MOST_OF_TEXT; i++)
		if (i == n || !is_letter(s[i])) {
			if (i > begin + 1) {
				add(p, kind, hash_of(s + begin, i - begin));
				words++;
			}
			begin = i + 1;
		}
}

static void add_url(struct words_of_page *p, const char *url, size_t n)
{
	const char *scheme = memchr(url, ':', n), *query = memchr(url, '?', n);
	size_t host = scheme && (size_t)(scheme - url) + 3 < n ? (size_t)(scheme - url) + 3 : 0;
	const char *slash = memchr(url + host, '/', n - host);
	const size_t path = slash ? (size_t)(slash - url) : n, end = query ? (size_t)(query - url) : n;
	size_t file = path, folders = 0;

	add(p, HOST, hash_of(url + host, path - host));
	for (size_t i = path; i < end; i++)
		if (url[i] == '/') {
			file = i + 1;
			if (i > path && folders++ < MOST_FOLDERS)
				add(p, FOLDER, hash_of(url + host, i - host));
		}
	if (file < n)
		add(p, FILE_NAME, hash_of(url + file, n - file));
	add_text(p, PATH, url + path, n - path);
}

/* Adds the place of the link on the page where it was found, of which there was one only when `when` pages were crawled. */
static void add_place(struct words_of_page *p, const struct policy_found *f)
{
	if (f->finder != POLICY_NO_PAGE)
		add(p, PLACE, ((FNV_BASE ^ f->when) * FNV_PRIME ^ f->link / SIDE_BY_SIDE) * FNV_PRIME);
}

void words_meet(struct words_of_page *p, const struct policy_view *view, uint32_t id)
{
	size_t n;
	const char *text = view_anchor(view, id, &n);

	p->n = 0;
	if (text)
		add_text(p, ANCHOR, text, n);
	text = view_url(view, id, &n);
	if (text)
		add_url(p, text, n);
	if (p->n)
		add_place(p, &view->found[id]);
}

double words_predict(const struct words *w, const struct words_of_page *p)
{
	double sum = 0;

	for (int i = 0; i < p->n; i++)
		sum += (double)w->weight[p->word[i]];
	return p->n ? sum / sqrt(p->n) : 0;
}

void words_learn(struct words *w, const struct words_of_page *p, double value)
{
	if (!p->n)
		return;
	const double slope = (words_predict(w, p) - value) / sqrt(p->n);
	for (int i = 0; i < p->n; i++) {
		const int k = p->word[i];
		w->errors[k] = (float)((double)w->errors[k] + slope * slope);
		w->weight[k] = (float)((double)w->weight[k] - RATE * slope / sqrt(1 + (double)w->errors[k]));
	}
}
