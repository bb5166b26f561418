#include "simweb/endless_host.h"
#include "base/ascii.h"
#include "simweb/endless_draws.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOP_LEVEL ".test"

/* --- words */

#define FREQUENT  16 /* true words of a language */
#define SYLLABLES 16

struct language {
	const char *code;
	const char *frequent[FREQUENT];
	const char *syllable[SYLLABLES];
};

static const struct language languages[ENDLESS_LANGUAGES] = {
	{"en", {"the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "on", "are", "as", "with", "at"},
		{"ter", "ing", "on", "ver", "ly", "ment", "con", "er", "al", "ten", "com", "per", "sto", "ri", "wa", "de"}},
	{"de", {"der", "die", "und", "in", "den", "von", "zu", "das", "mit", "sich", "des", "auf", "für", "ist", "im", "dem"},
		{"schl", "ung", "ver", "ge", "lich", "ein", "kün", "tra", "ber", "stei", "mö", "wach", "en", "haf", "tig", "el"}},
	{"fr", {"de", "la", "le", "et", "les", "des", "en", "un", "du", "une", "que", "est", "pour", "qui", "dans", "à"},
		{"tion", "ré", "eau", "mon", "pré", "gue", "oir", "che", "lan", "eur", "vi", "ment", "fê", "sou", "ter", "on"}},
	{"es", {"de", "la", "que", "el", "en", "y", "a", "los", "del", "se", "las", "por", "un", "para", "con", "no"},
		{"ción", "do", "tra", "men", "ría", "ca", "lo", "ñe", "gue", "per", "so", "dad", "mu", "ji", "bre", "zo"}},
	{"it", {"di", "e", "il", "la", "che", "in", "a", "un", "per", "del", "della", "non", "con", "le", "si", "da"},
		{"zio", "ne", "gli", "ta", "men", "to", "scu", "pra", "lle", "vo", "ri", "cchi", "ssa", "fe", "lo", "mu"}},
	{"ru", {"и", "в", "не", "на", "что", "с", "он", "как", "это", "по", "но", "из", "к", "за", "от", "для"},
		{"ство", "ная", "пере", "ло", "ния", "во", "та", "мо", "ски", "ря", "бу", "вы", "де", "гор", "щи", "ле"}},
	{"el", {"και", "το", "η", "της", "να", "ο", "του", "για", "με", "την", "από", "των", "που", "οι", "τα", "είναι"},
		{"λογ", "μα", "τη", "ρία", "κος", "σης", "πα", "νο", "θε", "γρα", "φι", "δυ", "ξε", "βα", "χω", "ζή"}},
	{"ja", {"の", "に", "は", "を", "た", "が", "で", "て", "と", "し", "れ", "さ", "ある", "いる", "も", "する"},
		{"山", "川", "学", "校", "時", "間", "会", "社", "東", "方", "カ", "メ", "ラ", "ト", "行く", "見る"}},
};

const char *endless_language(unsigned language)
{
	return languages[language].code;
}

void endless_word(unsigned language, unsigned rank, struct buf *out)
{
	const struct language *l = &languages[language];

	assert(rank < ENDLESS_VOCABULARY);
	if (rank < FREQUENT) {
		buf_text(out, l->frequent[rank]);
		return;
	}
	/* the rank in base 16, scattered by an odd factor so that neighbours do not look alike */
	for (unsigned left = rank * 40503u & (ENDLESS_VOCABULARY - 1), n = rank > 8192 ? 4 : rank > 512 ? 3 : 2; n; n--, left >>= 4)
		buf_text(out, l->syllable[left & (SYLLABLES - 1)]);
}

/* Appends a made-up word of ASCII letters, for a name; at most 12 bytes. */
static void endless_ascii_word(uint64_t bits, struct buf *out)
{
	static const char consonant[] = "bdfgklmnprstvzhj", vowel[] = "aeio";

	for (uint64_t n = 2 + bits % 3; n; n--) {
		bits >>= 6;
		buf_byte(out, consonant[bits & 15]);
		buf_byte(out, vowel[bits >> 4 & 3]);
	}
}

void endless_text(unsigned language, unsigned words, struct rng *r, struct buf *out)
{
	static const double log_vocabulary = 11.090354888959125;

	for (unsigned i = 0; i < words; i++) {
		endless_word(language, (unsigned)exp(rng_unit(r) * log_vocabulary) - 1, out);
		buf_text(out, i % 11 == 10 && i + 1 < words ? ". " : i + 1 < words ? " " : ".");
	}
}

/* --- numbers in base 36 */

static void add_number(struct buf *out, uint64_t number)
{
	static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char text[16];
	size_t at = sizeof text;

	do
		text[--at] = digit[number % 36];
	while (number /= 36);
	buf_add(out, text + at, sizeof text - at);
}

/* Reads the number that ends at `end` and begins after the last '-', '/' or '=' behind `text`. Returns 1, or 0 if there is none. */
static int last_number(const char *text, const char *end, uint64_t *number)
{
	const char *at = end;

	while (at > text && !strchr("-/=", at[-1]))
		at--;
	*number = 0;
	if (at == end || at == text || end - at > 12)
		return 0;
	for (; at < end; at++) {
		const int c = *at | 32;
		if (c >= '0' && c <= '9')
			*number = *number * 36 + (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'z')
			*number = *number * 36 + (uint64_t)(c - 'a') + 10;
		else
			return 0;
	}
	return 1;
}

/* --- hosts */

/* Returns the row into which a number from [0, 1) falls; row[i] is the upper end of row i. */
static int row_of(double u, const double *row, int rows)
{
	int i = 0;

	while (i + 1 < rows && u >= row[i])
		i++;
	return i;
}

static enum endless_trap trap_of(const struct endless *e, uint64_t id)
{
	static const double row[] = {0, 0.35, 0.6, 0.8, 1};
	const double u = draw_unit(e->seed, DRAW_TRAP, id, 0);

	if (u >= e->traps || id == 0)
		return ENDLESS_NO_TRAP;
	return (enum endless_trap)row_of(u / e->traps, row, ENDLESS_TRAPS);
}

static enum endless_rules rules_of(const struct endless *e, uint64_t id)
{
	static const double row[] = {0, 0, 0.65, 0.85, 0.95, 1};
	const double u = draw_unit(e->seed, DRAW_ROBOTS, id, 0);

	if (u < e->rules && id > 0)
		return (enum endless_rules)row_of(u / e->rules, row, 6);
	return u < e->rules + (1 - e->rules) / 2 ? ENDLESS_RULES_MISSING : ENDLESS_RULES_EMPTY;
}

void endless_host_get(const struct endless *e, uint64_t id, struct endless_host *h)
{
	/* shares of the languages: half of the hosts are English */
	static const double language[ENDLESS_LANGUAGES] = {0.5, 0.6, 0.68, 0.76, 0.8, 0.88, 0.92, 1};

	*h = (struct endless_host){.id = id, .content = id, .trap = trap_of(e, id), .rules = rules_of(e, id)};
	if (h->trap == ENDLESS_MIRROR) {
		h->content = id - 1;
		/* a mirror of a mirror would have to be followed */
		if (trap_of(e, id - 1) != ENDLESS_NO_TRAP) {
			h->content = id;
			h->trap = ENDLESS_NO_TRAP;
		}
	}
	const uint64_t shape = draw_bits(e->seed, DRAW_SHAPE, h->content, 0);
	h->language = (unsigned)row_of(draw_unit(e->seed, DRAW_LANGUAGE, h->content, 0), language, ENDLESS_LANGUAGES);
	h->pages = (uint32_t)draw_power(draw_unit(e->seed, DRAW_SIZE, h->content, 0), ENDLESS_SIZE_EXPONENT, 1, e->pages);
	h->branches = e->branches + (uint32_t)(shape & 7);
	h->style = (enum endless_style)(shape >> 3 & 3);
	h->sections = 1 + (h->pages / 8 < 7 ? h->pages / 8 : 7);
	h->has_sitemap = h->rules != ENDLESS_RULES_MISSING && (shape >> 5 & 3) == 0;
}

/* Appends the label of a host, as in "kanora-9ix". */
static void add_label(const struct endless *e, uint64_t id, struct buf *out)
{
	endless_ascii_word(draw_bits(e->seed, DRAW_NAME, id, 0), out);
	buf_byte(out, '-');
	add_number(out, id);
}

void endless_host_name(const struct endless *e, uint64_t id, struct buf *out)
{
	const uint64_t owner = id & ~(uint64_t)7;

	if (id != owner && draw_unit(e->seed, DRAW_DOMAIN, id, 0) < ENDLESS_SUBDOMAIN * 8 / 7) {
		add_label(e, id, out);
		buf_byte(out, '.');
		id = owner;
	} else if (draw_unit(e->seed, DRAW_WWW, id, 0) < ENDLESS_WWW) {
		buf_text(out, "www.");
	}
	add_label(e, id, out);
	buf_text(out, TOP_LEVEL);
}

int endless_host_find(const struct endless *e, const char *name, size_t n, uint64_t *id)
{
	const char *end = name + n, *label = name;
	AUTO(buf) own = BUF_EMPTY;

	if (n > 4 && ascii_same(name, "www.", 4))
		label += 4;
	const char *dot = memchr(label, '.', (size_t)(end - label));
	if (!dot || !last_number(label, dot, id) || *id >= e->hosts)
		return 0;
	endless_host_name(e, *id, &own);
	return own.used == n && ascii_same(own.at, name, n);
}

/* --- pages */

enum endless_media endless_media_of(const struct endless *e, const struct endless_host *h, uint32_t page)
{
	static const double row[] = {0, 0.3, 0.45, 0.7, 1};

	if (page == 0 || (uint64_t)page * h->branches + 1 < h->pages)
		return ENDLESS_PAGE;
	const double u = draw_unit(e->seed, DRAW_MEDIA, h->content, page);
	return u < e->media ? (enum endless_media)row_of(u / e->media, row, 5) : ENDLESS_PAGE;
}

void endless_section(const struct endless *e, const struct endless_host *h, uint32_t section, struct buf *out)
{
	buf_byte(out, '/');
	endless_ascii_word(draw_bits(e->seed, DRAW_SECTION, h->content, section), out);
	buf_byte(out, '/');
}

void endless_moved_path(uint32_t page, struct buf *out)
{
	buf_text(out, "/go/");
	add_number(out, page);
}

void endless_path(const struct endless *e, const struct endless_host *h, uint32_t page, struct buf *out)
{
	static const char *const end[] = {NULL, ".txt", ".json", ".png", ".pdf"};
	const enum endless_media media = endless_media_of(e, h, page);

	if (page == 0) {
		buf_byte(out, '/');
		return;
	}
	if (h->style == ENDLESS_QUERY && media == ENDLESS_PAGE) {
		buf_text(out, "/index.php?page=");
		add_number(out, page);
		return;
	}
	endless_section(e, h, page % h->sections, out);
	endless_ascii_word(draw_bits(e->seed, DRAW_SLUG, h->content, page), out);
	buf_byte(out, '-');
	add_number(out, page);
	if (media != ENDLESS_PAGE)
		buf_text(out, end[media]);
	else if (h->style == ENDLESS_HTML)
		buf_text(out, ".html");
	else if (h->style == ENDLESS_FOLDER)
		buf_byte(out, '/');
}

static int starts(const char *path, size_t n, const char *with)
{
	return n >= strlen(with) && memcmp(path, with, strlen(with)) == 0;
}

/* Says whether a path is that of a calendar's month, "/calendar/2026-07". */
static int is_month(const char *path, size_t n, uint32_t *month)
{
	unsigned year, of_year;
	char text[24], again[40];

	if (n >= sizeof text || !starts(path, n, "/calendar/"))
		return 0;
	memcpy(text, path, n);
	text[n] = 0;
	if (sscanf(text, "/calendar/%4u-%2u", &year, &of_year) != 2 || of_year < 1 || of_year > 12)
		return 0;
	snprintf(again, sizeof again, "/calendar/%04u-%02u", year, of_year);
	*month = year * 12 + of_year - 1;
	return strcmp(text, again) == 0;
}

static int is(const char *path, size_t n, const char *wanted)
{
	return n == strlen(wanted) && memcmp(path, wanted, n) == 0;
}

/* Returns the length of a path without its session id. */
static size_t without_session(const char *path, size_t n)
{
	static const size_t session = 4 + 16; /* sid= and 16 digits */

	if (n > session + 1 && (path[n - session - 1] == '?' || path[n - session - 1] == '&') &&
		memcmp(path + n - session, "sid=", 4) == 0)
		return n - session - 1;
	return n;
}

/* Reads the number of a page from its path: in base 36, before the last '.', or before a '/' at the end of the path. Returns 1,
 * or 0 if there is none. */
static int page_in(const char *path, size_t n, uint64_t *page)
{
	const char *end = path + n;

	if (n && end[-1] == '/') {
		end--;
	} else {
		const char *dot = end;
		while (dot > path && !strchr("/=-.", *--dot))
			;
		if (n && *dot == '.')
			end = dot;
	}
	return last_number(path, end, page);
}

/* Says whether a path is that of a page, or of its redirect. */
static enum endless_thing find_page(const struct endless *e, const struct endless_host *h, const char *path, size_t n,
	uint32_t *number)
{
	const int is_moved = starts(path, n, "/go/");
	AUTO(buf) own = BUF_EMPTY;
	uint64_t page;

	if (!page_in(path, n, &page) || page == 0 || page >= h->pages)
		return ENDLESS_NOTHING;
	*number = (uint32_t)page;
	if (is_moved)
		endless_moved_path(*number, &own);
	else
		endless_path(e, h, *number, &own);
	const int is_own = own.used == n && memcmp(own.at, path, n) == 0;
	if (!is_own)
		return ENDLESS_NOTHING;
	return is_moved ? ENDLESS_IS_MOVED : ENDLESS_IS_PAGE;
}

enum endless_thing endless_find(const struct endless *e, const struct endless_host *h, const char *path, size_t n, uint32_t *number)
{
	*number = 0;
	if (is(path, n, "/robots.txt"))
		return ENDLESS_IS_ROBOTS;
	if (is(path, n, "/sitemap.xml"))
		return h->has_sitemap ? ENDLESS_IS_SITEMAP : ENDLESS_NOTHING;
	if (h->trap == ENDLESS_CALENDAR && is_month(path, n, number))
		return ENDLESS_IS_MONTH;
	if (h->trap == ENDLESS_SESSIONS)
		n = without_session(path, n);
	if (is(path, n, "/"))
		return ENDLESS_IS_PAGE;
	return find_page(e, h, path, n, number);
}
