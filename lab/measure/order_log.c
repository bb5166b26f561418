#include "lab/measure/order_log.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "storage/warc_items.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEAD_LINES 2000                /* a format is told from so many lines */
#define HEAD_BYTES ((size_t)256 << 10) /* and from about so many bytes */
#define HTTP_LINE  1024                /* the bytes of a WARC's response that hold its status */

enum found {
	FOREIGN, /* the line is none of the format */
	SILENT,  /* the line is of the format, and ends no page */
	ENTRY
};

/* Of Nutch's crawl database: a page, and the time of its last fetch in s. */
struct dated {
	int64_t time;
	size_t url; /* its position in order_log.urls */
	enum order_fate fate;
};

struct order_log {
	const struct format *format;
	const char *path;
	struct input *in;
	struct warc_stream warc;
	int is_warc;
	struct buf head; /* the first lines, each with a NUL behind it, which were read to tell the format */
	size_t head_at;
	uint64_t line;
	struct buf pending; /* the URL of the page whose end the log has not told yet */
	int has_pending;
	struct buf url; /* of the entry that was given last */
	/* of `readdb` */
	struct dated now, *dated;
	int64_t interval;
	struct buf urls;
	size_t n, room, next;
	int is_sorted;
};

struct format {
	const char *name;
	enum found (*take)(struct order_log *, char *line, struct order_entry *);
	/* Gives the entry that is still pending at the end of the log. NULL: there is none. */
	enum found (*end)(struct order_log *, struct order_entry *);
	enum { AS_READ, BY_TIME } order;
	enum { TALK, STRICT } lines; /* TALK: lines that are not of the format are passed over */
};

static enum order_fate fate_of(unsigned status)
{
	return (status >= 200 && status < 300) || status == 304 ? ORDER_FETCHED
		: status >= 300 && status < 400                 ? ORDER_REDIRECTED
								: ORDER_FAILED;
}

/* Returns the number that three digits at the start of a text are, if no further digit follows them; otherwise 0. */
static unsigned status_at(const char *text)
{
	unsigned status = 0;

	for (int i = 0; i < 3; i++) {
		if (!ascii_is_digit(text[i]))
			return 0;
		status = 10 * status + (unsigned)(text[i] - '0');
	}
	return ascii_is_digit(text[3]) || text[3] == '.' ? 0 : status;
}

static int begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Says whether a text begins with a scheme and "://", as URLs in logs do. */
static int is_url(const char *text)
{
	size_t n = 0;

	while (ascii_is_alnum(text[n]) || (n && (text[n] == '+' || text[n] == '-' || text[n] == '.')))
		n++;
	return n && ascii_is_letter(text[0]) && begins(text + n, "://");
}

/* Fills an entry with n bytes of a URL, which are copied. */
static enum found give(struct order_log *l, struct order_entry *e, const char *url, size_t n, enum order_fate fate)
{
	buf_clear(&l->url);
	buf_add(&l->url, url, n);
	*e = (struct order_entry){.url = l->url.at, .fate = fate};
	return ENTRY;
}

/* --- a list */

static enum found take_list(struct order_log *l, char *line, struct order_entry *e)
{
	char *end = line + strlen(line);

	while (end > line && ascii_is_space(end[-1]))
		*--end = 0;
	while (ascii_is_space(*line))
		line++;
	if (!*line || *line == '#')
		return SILENT;
	const size_t digits = strspn(line, "0123456789");
	*e = (struct order_entry){.fate = ORDER_FETCHED};
	if (digits && (!line[digits] || line[digits] == '\t')) {
		e->id = line;
		if (line[digits]) {
			line[digits] = 0;
			char *second = line + digits + 1;
			second[strcspn(second, "\t")] = 0;
			e->url = is_url(second) ? second : NULL;
		}
		return ENTRY;
	}
	if (!is_url(line))
		return FOREIGN;
	return give(l, e, line, strcspn(line, "\t"), ORDER_FETCHED);
}

/* --- wget */

/* Ends the page that is pending. */
static enum found settle(struct order_log *l, struct order_entry *e, enum order_fate fate)
{
	if (!l->has_pending)
		return SILENT;
	l->has_pending = 0;
	return give(l, e, l->pending.at, l->pending.used, fate);
}

static void set_pending(struct order_log *l, const char *url, size_t n)
{
	buf_clear(&l->pending);
	buf_add(&l->pending, url, n);
	l->has_pending = 1;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \t");
}

/* Returns the length of a shape, in which a 0 stands for any digit, if a text begins with it; otherwise 0. */
static size_t stamp_length(const char *text, const char *shape)
{
	for (size_t i = 0; shape[i]; i++)
		if (shape[i] == '0' ? !ascii_is_digit(text[i]) : text[i] != shape[i])
			return 0;
	return strlen(shape);
}

/* Returns the status of "HTTP request sent, awaiting response... 200 OK" in any language, or of the line "  HTTP/1.1 200 OK" of
 * wget -S; 0 for other lines. */
static unsigned wget_status(const char *line)
{
	const char *dots = strstr(line, "... "), *ellipsis = strstr(line, "\xe2\x80\xa6 ");
	const char *http = line + strspn(line, " ");

	if (begins(http, "HTTP/") && strchr(http, ' '))
		return status_at(strchr(http, ' ') + 1);
	return dots ? status_at(dots + 4) : ellipsis ? status_at(ellipsis + 4) : 0;
}

static enum found take_wget(struct order_log *l, char *line, struct order_entry *e)
{
	const size_t stamp = stamp_length(line + (begins(line, "--") ? 2 : 0), "0000-00-00 00:00:00");
	const size_t length = strlen(line);

	if (stamp && begins(line, "--") && begins(line + 2 + stamp, "--  ")) {
		char *url = line + 2 + stamp + 4;
		const enum found was = settle(l, e, ORDER_FAILED);
		set_pending(l, url, strcspn(url, " "));
		return was;
	}
	if (stamp && begins(line + stamp, " URL:"))
		return give(l, e, line + stamp + 5, word_length(line + stamp + 5), ORDER_FETCHED);
	if (stamp && begins(line + stamp, " ERROR "))
		return settle(l, e, fate_of(status_at(line + stamp + 7)));
	if (is_url(line) && length && line[length - 1] == ':' && !strchr(line, ' ')) {
		set_pending(l, line, length - 1);
		return SILENT;
	}
	const unsigned status = l->has_pending ? wget_status(line) : 0;
	return status >= 200 ? settle(l, e, fate_of(status)) : FOREIGN;
}

static enum found end_wget(struct order_log *l, struct order_entry *e)
{
	return settle(l, e, ORDER_FAILED);
}

/* --- wget2 */

static enum found take_wget2(struct order_log *l, char *line, struct order_entry *e)
{
	const char *status = begins(line, "HTTP response ") ? line + 14 : begins(line, "HTTP ERROR response ") ? line + 20 : NULL;
	const char *url = status ? strchr(status, '[') : NULL, *end = url ? strrchr(url, ']') : NULL;

	if (!end || !status_at(status))
		return begins(line, "Adding URL: ") ? SILENT : FOREIGN;
	return give(l, e, url + 1, (size_t)(end - url - 1), fate_of(status_at(status)));
}

/* --- Scrapy */

/* Gives the URL of "<GET URL>" behind a word of the line. */
static enum found give_request(struct order_log *l, struct order_entry *e, const char *text, const char *end_mark,
	enum order_fate fate)
{
	const char *url = strchr(text, '<');

	url = url ? strchr(url, ' ') : NULL;
	const char *end = url ? strstr(url, end_mark) : NULL;
	return end ? give(l, e, url + 1, (size_t)(end - url - 1), fate) : FOREIGN;
}

static enum found take_scrapy(struct order_log *l, char *line, struct order_entry *e)
{
	const char *crawled = strstr(line, " Crawled ("), *moved = strstr(line, " Redirecting ("), *from;
	const char *given_up = strstr(line, " Gave up retrying <");

	if (crawled)
		return give_request(l, e, crawled, "> (referer", fate_of(status_at(crawled + 10)));
	if (moved && (from = strstr(moved, "> from <")))
		return give_request(l, e, from + 1, ">", ORDER_REDIRECTED);
	return given_up ? give_request(l, e, given_up, "> (failed", ORDER_FAILED) : FOREIGN;
}

/* --- Heritrix: time, status, size, URI, path of discovery ... */

static enum found take_heritrix(struct order_log *l, char *line, struct order_entry *e)
{
	char *word[5], *rest = line;
	int n = 0;

	while (n < 5) {
		while (*rest == ' ')
			rest++;
		if (!*rest)
			break;
		word[n++] = rest;
		rest += strcspn(rest, " ");
		if (*rest)
			*rest++ = 0;
	}
	if (n < 4 || strlen(word[0]) < 20 || word[0][10] != 'T' || word[0][strlen(word[0]) - 1] != 'Z' ||
		strspn(word[1], "-0123456789") != strlen(word[1]))
		return FOREIGN;
	if (!is_url(word[3]))
		return SILENT; /* dns:a.test */
	return give(l, e, word[3], strlen(word[3]), fate_of(status_at(word[1])));
}

/* --- Nutch */

static enum found take_nutch(struct order_log *l, char *line, struct order_entry *e)
{
	char *failed = strstr(line, " fetch of "), *url = strstr(line, " fetching ");

	if (!strstr(line, "etcher"))
		return FOREIGN;
	if (failed && strstr(failed, " failed with"))
		return give(l, e, failed + 10, word_length(failed + 10), ORDER_TAKEN_BACK);
	if (!url || !is_url(url + 10))
		return FOREIGN;
	return give(l, e, url + 10, word_length(url + 10), ORDER_FETCHED);
}

/* Reads "Fri Nov 27 14:02:39 UTC 2026", as Java writes it, in s. Returns 0 if the text is no such time. */
static int64_t java_time(const char *text)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct tm t = {.tm_mday = 0};
	char month[4];
	int year;

	if (sscanf(text, "%*3s %3s %2d %2d:%2d:%2d %*s %4d", month, &t.tm_mday, &t.tm_hour, &t.tm_min, &t.tm_sec, &year) != 6)
		return 0;
	const char *at = strlen(month) == 3 ? strstr(months, month) : NULL;
	if (!at || (at - months) % 3)
		return 0;
	t.tm_mon = (int)(at - months) / 3;
	t.tm_year = year - 1900;
	return timegm(&t);
}

/* Returns the number at the start of a text, in s; 0 if it has more than ten digits. */
static int64_t seconds_at(const char *text)
{
	const size_t digits = strspn(text, "0123456789");

	return digits <= 10 ? strtoll(text, NULL, 10) : 0;
}

static enum found end_readdb(struct order_log *l, struct order_entry *e)
{
	const enum order_fate fate = l->now.fate;

	l->now.time -= l->interval;
	return settle(l, e, fate);
}

/* The database has the time at which a page is to be fetched next, which is the interval after it was fetched. */
static enum found take_readdb(struct order_log *l, char *line, struct order_entry *e)
{
	char *version = strstr(line, "\tVersion: ");

	if (version && is_url(line)) {
		const enum found was = end_readdb(l, e);
		set_pending(l, line, (size_t)(version - line));
		return was;
	}
	if (!l->has_pending)
		return FOREIGN;
	if (strstr(line, "(db_unfetched)"))
		l->has_pending = 0;
	else if (begins(line, "Status: "))
		l->now.fate = strstr(line, "(db_fetched)") || strstr(line, "(db_notmodified)") ? ORDER_FETCHED
			: strstr(line, "(db_redir_")                                           ? ORDER_REDIRECTED
											       : ORDER_FAILED;
	else if (begins(line, "Fetch time: "))
		l->now.time = java_time(line + 12);
	else if (begins(line, "Retry interval: "))
		l->interval = seconds_at(line + 16);
	return SILENT;
}

/* --- the log of a web server */

/* Makes a URL of a host, with or without a port, and a target. */
static enum found give_parts(struct order_log *l, struct order_entry *e, const char *host, size_t host_n, const char *target,
	size_t target_n, enum order_fate fate)
{
	const int is_https = host_n > 4 && memcmp(host + host_n - 4, ":443", 4) == 0;

	buf_clear(&l->url);
	buf_text(&l->url, is_https ? "https://" : "http://");
	buf_add(&l->url, host, host_n);
	buf_add(&l->url, target, target_n);
	*e = (struct order_entry){.url = l->url.at, .fate = fate};
	return ENTRY;
}

/* Gives the target of "GET /a HTTP/1.1". A host that the log has makes it a URL. */
static enum found give_target(struct order_log *l, struct order_entry *e, const char *host, size_t host_n, const char *request,
	unsigned status)
{
	if (!begins(request, "GET "))
		return SILENT;
	const char *target = request + 4;
	const size_t n = strcspn(target, " \"");
	if (is_url(target) || !host_n)
		return is_url(target) || *target == '/' ? give(l, e, target, n, fate_of(status)) : SILENT;
	return give_parts(l, e, host, host_n, target, n, fate_of(status));
}

/* A line of the common or the combined format, `ADDRESS - USER [TIME] "GET /a HTTP/1.1" 200 ...`, in front of which the host may
 * stand. */
static enum found take_access(struct order_log *l, char *line, struct order_entry *e)
{
	const char *time = strchr(line, '['), *request = time ? strstr(time, "] \"") : NULL, *end = request;
	size_t words = 0;

	if (!request)
		return FOREIGN;
	for (const char *word = line; word < time; word += strcspn(word, " ") + 1)
		words++;
	request += 3;
	do
		end = strstr(end + 1, "\" ");
	while (end && !status_at(end + 2));
	if (!end || words < 3)
		return FOREIGN;
	return give_target(l, e, line, words > 3 ? strcspn(line, " ") : 0, request, status_at(end + 2));
}

#define FIELDS 8

/* Splits a line at tabs. Returns 1, or 0 if it has fewer than FIELDS fields. */
static int split(char *line, char *field[FIELDS])
{
	int n = 0;

	for (char *rest = line; n < FIELDS && (field[n] = strsep(&rest, "\t")); n++)
		;
	return n == FIELDS;
}

/* BEGIN TAB END TAB ADDRESS TAB HOST TAB TARGET TAB WHOLE TAB STATUS TAB ... */
static enum found take_serve(struct order_log *l, char *line, struct order_entry *e)
{
	char *field[FIELDS];

	if (!split(line, field) || !*field[0] || strspn(field[0], "0123456789") != strlen(field[0]) || !status_at(field[6]))
		return FOREIGN;
	return give_parts(l, e, field[3], strlen(field[3]), field[4], strlen(field[4]),
		strcmp(field[5], "ok") == 0 ? fate_of(status_at(field[6])) : ORDER_FAILED);
}

/* --- HTTrack's hts-cache/new.txt: time, sizes, flags, status, what became of it, type, tag, URL ... */

static enum found take_httrack(struct order_log *l, char *line, struct order_entry *e)
{
	char *field[FIELDS];

	if (!split(line, field) || stamp_length(field[0], "00:00:00") != strlen(field[0]) ||
		strspn(field[3], "-0123456789") != strlen(field[3]))
		return FOREIGN;
	return is_url(field[7]) ? give(l, e, field[7], strlen(field[7]), fate_of(status_at(field[3]))) : SILENT;
}

/* --- WARC */

/* Reads the next response of a WARC. */
static int next_response(struct order_log *l, struct order_entry *e, struct err_note *why)
{
	AUTO(buf) head = BUF_EMPTY;
	int got;

	while ((got = warc_stream_next(&l->warc, why)) > 0) {
		const struct warc_span type = warc_field(l->warc.header, "WARC-Type");
		const struct warc_span url = warc_field(l->warc.header, "WARC-Target-URI");
		const int is_bracketed = url.n > 1 && url.at[0] == '<' && url.at[url.n - 1] == '>';
		if (!(warc_is(type, "response") || warc_is(type, "revisit")) || !url.n || memchr(url.at, 0, url.n))
			continue;
		give(l, e, url.at + is_bracketed, url.n - 2 * (size_t)is_bracketed, ORDER_FETCHED);
		buf_clear(&head);
		got = warc_stream_block(&l->warc, &head, HTTP_LINE, why);
		if (got)
			break;
		const char *status = head.used && begins(head.at, "HTTP/") ? strchr(head.at, ' ') : NULL;
		if (!is_url(e->url))
			continue;
		e->fate = status ? fate_of(status_at(status + 1)) : ORDER_FETCHED;
		got = 1;
		break;
	}
	return got;
}

/* --- all formats */

static const struct format formats[] = {
	{"wget", take_wget, end_wget, AS_READ, TALK},
	{"wget2", take_wget2, NULL, AS_READ, TALK},
	{"httrack", take_httrack, NULL, AS_READ, TALK},
	{"scrapy", take_scrapy, NULL, AS_READ, TALK},
	{"heritrix", take_heritrix, NULL, AS_READ, TALK},
	{"nutch", take_nutch, NULL, AS_READ, TALK},
	{"readdb", take_readdb, end_readdb, BY_TIME, TALK},
	{"access", take_access, NULL, AS_READ, TALK},
	{"serve", take_serve, NULL, AS_READ, TALK},
	{"list", take_list, NULL, AS_READ, STRICT}, /* the last, since numbers begin the lines of other formats, too */
	{"warc", NULL, NULL, AS_READ, TALK},
};
#define FORMATS (sizeof formats / sizeof *formats)
#define WARC    (FORMATS - 1)

const char *order_format_named(size_t i)
{
	return i < FORMATS ? formats[i].name : NULL;
}

static int format_named(struct order_log *l, const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; i < FORMATS; i++) {
		if (strcmp(formats[i].name, name) == 0) {
			l->format = &formats[i];
			return 0;
		}
		nearest_try(name, formats[i].name, &best, &distance);
	}
	return err_set(why, ERR_USAGE, "no format '%s' of an order; the nearest is '%s'", name, best);
}

static void release_texts(struct order_log *l)
{
	buf_release(&l->head);
	buf_release(&l->pending);
	buf_release(&l->url);
	buf_release(&l->urls);
	free(l->dated);
}

/* Returns the number of entries that a format finds in the first lines. */
static size_t entries_of(const struct format *f, const struct buf *head)
{
	struct order_log probe = {.format = f};
	AUTO(buf) line = BUF_EMPTY;
	struct order_entry e;
	size_t n = 0;

	for (size_t at = 0; at < head->used; at += strlen(head->at + at) + 1) {
		buf_clear(&line);
		buf_text(&line, head->at + at);
		buf_end(&line);
		const enum found found = f->take(&probe, line.at, &e);
		if (found == FOREIGN && f->lines == STRICT)
			break;
		n += found == ENTRY;
	}
	if (f->end)
		n += f->end(&probe, &e) == ENTRY;
	release_texts(&probe);
	return n;
}

/* Tells the format from the first lines, which next_line() then gives again. */
static int tell_format(struct order_log *l, struct err_note *why)
{
	size_t best = 0, length;
	char *line;
	int got = 1;

	for (int n = 0; n < HEAD_LINES && l->head.used < HEAD_BYTES; n++) {
		got = input_line(l->in, &line, &length, why);
		if (got <= 0)
			break;
		buf_add(&l->head, line, length + 1);
		if (begins(l->head.at, "WARC/"))
			return 0;
	}
	if (got < 0)
		return got;
	if (!l->head.used)
		return err_set(why, ERR_NOTHING, "'%s' is empty: there is no page in it", l->path);
	for (size_t i = 0; i < WARC; i++) {
		const size_t n = entries_of(&formats[i], &l->head);
		if (n > best) {
			best = n;
			l->format = &formats[i];
		}
	}
	return best ? 0
		    : err_set(why, ERR_FORMAT, "'%s': no page in its first lines, as a list or as a log; see --format", l->path);
}

/* Opens a WARC in place of the text, or a text whose format is not given. */
static int open_format(struct order_log *l, struct err_note *why)
{
	int err = 0;

	if (l->format != &formats[WARC]) {
		err = input_open(&l->in, l->path, why);
		if (!err && !l->format)
			err = tell_format(l, why);
		if (err || l->format)
			return err;
		l->format = &formats[WARC];
		if (strcmp(l->path, "-") == 0)
			return err_set(why, ERR_USAGE, "stdin is a WARC: say so with --format warc");
	}
	l->is_warc = 1;
	return warc_stream_open(&l->warc, l->path, why);
}

int order_log_open(struct order_log **out, const char *path, const char *format, struct err_note *why)
{
	struct order_log *l = mem_zero(1, sizeof *l);

	l->path = path;
	int err = format ? format_named(l, format, why) : 0;
	if (!err)
		err = open_format(l, why);
	*out = l;
	if (err) {
		order_log_close(l);
		*out = NULL;
	}
	return err;
}

void order_log_close(struct order_log *l)
{
	if (!l)
		return;
	if (l->is_warc)
		warc_stream_close(&l->warc);
	if (l->in)
		input_close(l->in);
	release_texts(l);
	free(l);
}

/* Gives the next line, first those that were read to tell the format. Returns as input_line(). */
static int next_line(struct order_log *l, char **line, struct err_note *why)
{
	size_t length;

	if (l->head_at < l->head.used) {
		*line = l->head.at + l->head_at;
		l->head_at += strlen(*line) + 1;
		l->line++;
		return 1;
	}
	const int got = input_line(l->in, line, &length, why);
	l->line += got > 0;
	return got;
}

/* Reads the next entry as the log has it. */
static int next_entry(struct order_log *l, struct order_entry *e, struct err_note *why)
{
	char *line;
	int got;

	while ((got = next_line(l, &line, why)) > 0) {
		const enum found found = l->format->take(l, line, e);
		if (found == ENTRY)
			return 1;
		if (found == FOREIGN && l->format->lines == STRICT)
			return err_set(why, ERR_FORMAT, "%s:%llu: neither the id of a node nor a URL: '%.60s'", l->path,
				(unsigned long long)l->line, line);
	}
	if (!got && l->format->end && l->format->end(l, e) == ENTRY)
		return 1;
	return got;
}

static int compare_dated(const void *a, const void *b)
{
	const struct dated *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->url > y->url) - (x->url < y->url);
}

/* Reads the whole log, and sorts its entries by time. */
static int sort_entries(struct order_log *l, struct err_note *why)
{
	struct order_entry e;
	int got;

	while ((got = next_entry(l, &e, why)) > 0) {
		l->dated = mem_grow(l->dated, &l->room, l->n + 1, sizeof *l->dated);
		l->dated[l->n++] = (struct dated){l->now.time, l->urls.used, e.fate};
		buf_add(&l->urls, e.url, strlen(e.url) + 1);
	}
	if (l->n)
		qsort(l->dated, l->n, sizeof *l->dated, compare_dated);
	l->is_sorted = 1;
	return got;
}

int order_log_next(struct order_log *l, struct order_entry *e, struct err_note *why)
{
	if (l->is_warc)
		return next_response(l, e, why);
	if (l->format->order == AS_READ)
		return next_entry(l, e, why);
	const int err = l->is_sorted ? 0 : sort_entries(l, why);
	if (err || l->next == l->n)
		return err;
	const struct dated *d = &l->dated[l->next++];
	*e = (struct order_entry){.url = l->urls.at + d->url, .fate = d->fate};
	return 1;
}

const char *order_log_format(const struct order_log *l)
{
	return l->format->name;
}
