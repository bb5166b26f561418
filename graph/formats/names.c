#include "graph/formats/names.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "graph/formats/arctext.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void names_release(struct names *n)
{
	free(n->text);
	free(n->start);
	free(n->host);
	free(n->host_text);
	free(n->host_start);
	free(n->id);
	*n = (struct names){0};
}

static size_t scheme_length(const char *url)
{
	size_t n = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

	return n && strncmp(url + n, "://", 3) == 0 ? n + 3 : 0;
}

size_t names_host_of(const char *url, const char **at)
{
	const size_t skip = scheme_length(url);
	const char *p = url + skip, *end = p + strcspn(p, "/?#");

	if (!skip)
		return 0;
	for (const char *c = p; c < end; c++)
		if (*c == '@')
			p = c + 1;
	const char *bracket = *p == '[' ? memchr(p, ']', (size_t)(end - p)) : NULL;
	const char *stop = bracket ? bracket + 1 : p;
	while (stop < end && *stop != ':')
		stop++;
	*at = p;
	return (size_t)(stop - p);
}

/* Returns the number of a host, a new one if the host is not known. The text is converted to lower case in place. */
static uint32_t number_of(struct intern *hosts, char *host, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (host[i] >= 'A' && host[i] <= 'Z')
			host[i] = (char)(host[i] - 'A' + 'a');
	return intern_number(hosts, host, n);
}

struct reading {
	struct names *names;
	struct intern hosts;
	struct buf text;
	size_t start_room, host_room, id_room;
};

/* Adds the name of the next node: a URL, whose host is found in it, or a host. Blanks at the end of the line are dropped. */
static void add(struct reading *r, char *line, size_t length, int has_urls)
{
	struct names *n = r->names;
	const char *at = line;

	while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
		line[--length] = 0;
	if (has_urls) {
		n->start = mem_grow(n->start, &r->start_room, (size_t)n->nodes + 1, sizeof *n->start);
		n->start[n->nodes] = r->text.used;
		buf_add(&r->text, line, length + 1);
		length = names_host_of(line, &at);
	}
	n->host = mem_grow(n->host, &r->host_room, (size_t)n->nodes + 1, sizeof *n->host);
	n->host[n->nodes++] = number_of(&r->hosts, line + (at - line), length);
}

static int wrong_count(const char *path, const char *lines, uint64_t found, uint32_t nodes, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "'%s' has %s%llu lines, but the graph has %u nodes", path, lines, (unsigned long long)found,
		nodes);
}

/* --- files of lines "ID NAME" */

static const char blanks[] = " \t";

/* Ends a word in quotation marks, in which two stand for one, and returns what stands between the marks. */
static char *unquote(char *word)
{
	char *to = word;

	for (const char *p = word + 1; *p && (*p != '"' || *++p == '"'); p++)
		*to++ = *p;
	*to = 0;
	return word;
}

/* Parses the number at the start of a line, behind which blanks, a comma or a semicolon stand. Returns the word after it, which
 * ends at the next of them, or NULL if the line has no number or no word. */
static char *numbered(char *line, uint64_t *id)
{
	const char *p = line;
	char ends[] = " \t\0";

	if (arctext_number(&p, line + strlen(line), id) || !*p || !strchr(" \t,;", *p))
		return NULL;
	p += strspn(p, blanks);
	if (*p == ',' || *p == ';') {
		ends[2] = *p++;
		p += strspn(p, blanks);
	}
	char *word = line + (p - line);
	if (*word == '"')
		return unquote(word);
	word[strcspn(word, ends)] = 0;
	return *word ? word : NULL;
}

/* Says whether a line, above one with a URL, is a heading: neither a URL nor part of one, and no number. */
static int is_heading_of_urls(const char *line)
{
	return *line && !ascii_is_digit(*line) && !line[strcspn(line, ".:/ ")];
}

/* Says whether a file has lines "ID NAME": whether its first line is one, or its second line is one and the first is a heading.
 * Returns ERR_FORMAT if the first line is a heading over other lines with URLs, or if an id stands before what is no URL. */
static int is_numbered(const char *path, int has_urls, struct err_note *why)
{
	struct buf first = BUF_EMPTY;
	struct input *in;
	int is = 0, is_heading = 1;
	size_t length;
	uint64_t id;
	char *line;

	if (input_open(&in, path, NULL))
		return 0;
	for (int i = 0; i < 2 && !is && is_heading; i++) {
		if (input_line(in, &line, &length, NULL) <= 0)
			break;
		const int has_url = strstr(line, ":/") != NULL;
		is_heading = !has_url && (line[strcspn(line, " \t,;")] || is_heading_of_urls(line));
		if (i == 0)
			buf_text(&first, line);
		const char *word = numbered(line, &id);
		is = word && (!has_urls || strstr(word, ":/") != NULL);
		if (word && !is)
			is = err_set(why, ERR_FORMAT,
				"%s:%d: '%.60s' behind the id %llu is no URL; --hosts reads lines 'ID HOST', and --graph a folder of Common "
				"Crawl's vertices and edges",
				path, i + 1, word, (unsigned long long)id);
		if (i == 1 && !is && has_urls && has_url && is_heading_of_urls(first.at))
			is = err_set(why, ERR_FORMAT,
				"%s:1: '%.60s' is no URL but a heading: remove the line; lines are a URL each, or an id, a comma and a URL",
				path, first.at);
	}
	input_close(in);
	buf_release(&first);
	return is;
}

/* How the lines of a file are read. */
struct lines {
	uint32_t nodes;  /* of lines that are names: so many must there be; 0: any number */
	int is_numbered; /* lines "ID NAME" */
	char key;        /* not 0: of lines "KEY ID NAME", those with this key */
	int has_urls;
};

/* Takes a line "ID NAME" or "KEY ID NAME". The first one may be a heading. */
static int take_numbered(struct reading *r, const struct lines *how, struct input *in, char *line, struct err_note *why)
{
	struct names *n = r->names;
	uint64_t id;

	line += strspn(line, blanks);
	if (!*line || (how->key && *line != how->key))
		return 0;
	char *word = numbered(line + (how->key != 0), &id);
	if (n->nodes == GRAPH_MAX_NODES)
		return err_set(why, ERR_TOO_BIG, "'%s' has more than %u names", input_path(in), GRAPH_MAX_NODES);
	if (!word)
		return how->key || input_line_number(in) == 1
			? 0
			: err_set(why, ERR_FORMAT, "%s:%llu: '%.60s' is no number and name, as the lines before", input_path(in),
				  (unsigned long long)input_line_number(in), line);
	n->id = mem_grow(n->id, &r->id_room, (size_t)n->nodes + 1, sizeof *n->id);
	n->id[n->nodes] = id;
	add(r, word, strlen(word), how->has_urls);
	return 0;
}

/* Takes a line that is the name of the next node. */
static int take_name(struct reading *r, const struct lines *how, const char *path, char *line, size_t length, struct err_note *why)
{
	const uint32_t n = r->names->nodes;

	if (how->nodes && n == how->nodes)
		return wrong_count(path, "more than ", n, n, why);
	if (n == GRAPH_MAX_NODES)
		return err_set(why, ERR_TOO_BIG, "'%s' has more than %u lines", path, GRAPH_MAX_NODES);
	add(r, line, length, how->has_urls);
	return 0;
}

static int read_lines(struct names *n, const char *path, struct lines how, struct err_note *why)
{
	struct reading r = {.names = n};
	struct input *in;
	char *line;
	size_t length;
	int got;

	*n = (struct names){0};
	int err = input_open(&in, path, why);
	if (err)
		return err;
	while (!err && (got = input_line(in, &line, &length, why)) != 0)
		err = got < 0             ? got
			: how.is_numbered ? take_numbered(&r, &how, in, line, why)
					  : take_name(&r, &how, path, line, length, why);
	if (!err && how.nodes && n->nodes != how.nodes)
		err = wrong_count(path, "", n->nodes, how.nodes, why);
	input_close(in);
	n->text = how.has_urls ? buf_take(&r.text) : NULL;
	intern_take(&r.hosts, &n->hosts, &n->host_text, &n->host_start);
	if (err)
		names_release(n);
	return err;
}

int names_from_keyed(struct names *n, const char *path, char key, struct err_note *why)
{
	return read_lines(n, path, (struct lines){.is_numbered = 1, .key = key, .has_urls = 1}, why);
}

void names_take_texts(struct names *n, struct intern *texts)
{
	struct intern hosts = {0};
	struct buf lower = BUF_EMPTY;
	const char *at;

	*n = (struct names){0};
	intern_take(texts, &n->nodes, &n->text, &n->start);
	n->host = mem_new(n->nodes, sizeof *n->host);
	for (uint32_t i = 0; i < n->nodes; i++) {
		const char *text = names_url(n, i);
		size_t length = names_host_of(text, &at);
		if (!scheme_length(text)) {
			at = text;
			length = strcspn(text, "/?#");
		}
		buf_clear(&lower);
		buf_add(&lower, length ? at : "", length);
		n->host[i] = number_of(&hosts, lower.at, length);
	}
	buf_release(&lower);
	intern_take(&hosts, &n->hosts, &n->host_text, &n->host_start);
}

uint32_t names_hint(const struct names *n)
{
	uint64_t least = UINT64_MAX, most = 0;

	if (!n->id)
		return n->nodes;
	for (uint32_t i = 0; i < n->nodes; i++) {
		least = n->id[i] < least ? n->id[i] : least;
		most = n->id[i] > most ? n->id[i] : most;
	}
	return most > n->nodes || most + !least > n->nodes ? 0 : (uint32_t)(most + !least);
}

uint64_t names_arrange(struct names *n, const struct graph *g)
{
	struct names arranged;
	uint64_t strangers = 0;
	uint32_t u;

	if (!n->id)
		return 0;
	uint32_t *line = mem_new(g->nodes, sizeof *line);
	memset(line, 0xff, g->nodes * sizeof *line); /* NAMES_NONE */
	for (uint32_t i = n->nodes; i-- > 0;) {
		if (graph_find_label(g, n->id[i], &u))
			line[u] = i;
		else
			strangers++;
	}
	names_pick(n, line, g->nodes, &arranged);
	free(line);
	names_release(n);
	*n = arranged;
	return strangers;
}

/* Says whether a label of n bytes is one that names of hosts usually end in. */
static int is_top(const char *label, size_t n)
{
	static const char *const tops[] = {"com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", NULL};

	for (size_t i = 0; tops[i]; i++)
		if (strlen(tops[i]) == n && ascii_same(label, tops[i], n))
			return 1;
	return n == 2 && ascii_is_letter(label[0]) && ascii_is_letter(label[1]);
}

/* Says whether the hosts have their labels in reverse order, "com.example.www": more of them begin with a usual last label, and do
 * not end in one, than the other way round. */
static int are_reversed(const struct names *n)
{
	uint32_t reversed = 0, usual = 0;

	for (uint32_t h = 0; h < n->hosts; h++) {
		const char *host = n->host_text + n->host_start[h], *last = strrchr(host, '.');
		const int begins = last && is_top(host, strcspn(host, ".")), ends = last && is_top(last + 1, strlen(last + 1));
		reversed += begins && !ends;
		usual += ends && !begins;
	}
	return reversed > usual;
}

static void turn(char *from, char *end)
{
	while (from < end) {
		const char c = *from;
		*from++ = *--end;
		*end = c;
	}
}

/* Brings the labels of all hosts into the usual order. */
static void turn_hosts(struct names *n)
{
	for (uint32_t h = 0; h < n->hosts; h++) {
		char *host = n->host_text + n->host_start[h];
		turn(host, host + strlen(host));
		for (size_t length; length = strcspn(host, "."), turn(host, host + length), host[length]; host += length + 1)
			;
	}
	n->is_turned = 1;
}

static int read_either(struct names *n, const char *path, uint32_t nodes, int has_urls, struct err_note *why)
{
	struct stat st;

	*n = (struct names){0};
	if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
		return err_set(why, ERR_FILE, "'%s' is a pipe, and names are read more than once: put them into a file", path);
	const int is = is_numbered(path, has_urls, why);
	if (is > 0) {
		const int err = read_lines(n, path, (struct lines){.is_numbered = 1, .has_urls = has_urls}, why);
		if (!err && !has_urls && are_reversed(n))
			turn_hosts(n);
		return err;
	}
	return is < 0 ? is : read_lines(n, path, (struct lines){.nodes = nodes, .has_urls = has_urls}, why);
}

int names_from_urls(struct names *n, const char *path, uint32_t nodes, struct err_note *why)
{
	return read_either(n, path, nodes, 1, why);
}

int names_from_hosts(struct names *n, const char *path, uint32_t nodes, struct err_note *why)
{
	return read_either(n, path, nodes, 0, why);
}

void names_pick(const struct names *all, const uint32_t *id, uint32_t n, struct names *part)
{
	struct intern hosts = {0};
	struct buf text = BUF_EMPTY;

	*part = (struct names){.nodes = n};
	part->start = all->text ? mem_new(n, sizeof *part->start) : NULL;
	part->host = mem_new(n, sizeof *part->host);
	for (uint32_t i = 0; i < n; i++) {
		const char *host = id[i] == NAMES_NONE ? "" : names_host(all, id[i]);
		part->host[i] = intern_number(&hosts, host, strlen(host));
		if (!all->text)
			continue;
		part->start[i] = text.used;
		buf_text(&text, id[i] == NAMES_NONE ? "" : names_url(all, id[i]));
		buf_byte(&text, 0);
	}
	part->text = all->text ? buf_take(&text) : NULL;
	intern_take(&hosts, &part->hosts, &part->host_text, &part->host_start);
}

static int compare_urls(const void *a, const void *b, void *names)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const int by_text = strcmp(names_url(names, x), names_url(names, y));

	return by_text ? by_text : (x > y) - (x < y);
}

void names_order(const struct names *n, uint32_t *order)
{
	struct names names = *n;

	assert(n->text);
	for (uint32_t i = 0; i < n->nodes; i++)
		order[i] = i;
	qsort_r(order, n->nodes, sizeof *order, compare_urls, &names);
}

/* Returns the length of a path without the first of the `tails` that it ends in; n if there is none. */
static size_t without(const char *path, size_t n, const char *const *tails)
{
	for (; *tails; tails++) {
		const size_t k = strlen(*tails);
		if (n > k && memcmp(path + n - k, *tails, k) == 0 && path[n - k - 1] != '/')
			return n - k;
	}
	return n;
}

int names_beside(const char *graph_path, char **path)
{
	static const char *const packings[] = {".gz", ".xz", ".zst", ".bz2", NULL};
	static const char *const formats[] = {".graph", ".properties", ".txt", ".edges", ".csr", ".mtx", ".graph-txt", ".tsv",
		".csv", ".el", ".dat", NULL};
	static const char *const names[] = {".urls", ".hosts", "-vertices.txt"};
	const size_t whole = strlen(graph_path);
	const size_t n = without(graph_path, without(graph_path, whole, packings), formats);
	char *candidate = mem_new(n + 24, 1);

	memcpy(candidate, graph_path, n);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		for (size_t k = 0; k < sizeof packings / sizeof *packings; k++) {
			/* a plain file is preferred to a compressed one */
			strcpy(candidate + n, names[i]);
			strcat(candidate, k ? packings[k - 1] : "");
			if (access(candidate, R_OK) == 0) {
				*path = candidate;
				return 1;
			}
		}
	}
	free(candidate);
	return 0;
}

static size_t find_slot(const struct intern *t, const char *text, size_t n)
{
	size_t i = XXH3_64bits_withSeed(text, n, t->seed) & (t->slots - 1);

	for (; t->slot[i]; i = (i + 1) & (t->slots - 1)) {
		const char *there = t->text.at + t->start[t->slot[i] - 1];
		if (strlen(there) == n && memcmp(there, text, n) == 0)
			break;
	}
	return i;
}

static void rehash(struct intern *t)
{
	free(t->slot);
	t->slots = t->slots ? 2 * t->slots : 1024;
	t->slot = mem_zero(t->slots, sizeof *t->slot);
	/* the seed is the address of the table, so that no file can be made whose texts collide */
	t->seed = (uint64_t)(uintptr_t)t->slot;
	for (size_t i = 0; i < t->count; i++) {
		const char *text = t->text.at + t->start[i];
		t->slot[find_slot(t, text, strlen(text))] = (uint32_t)i + 1;
	}
}

uint32_t intern_number(struct intern *t, const char *text, size_t n)
{
	if (2 * t->count >= t->slots)
		rehash(t);
	const size_t slot = find_slot(t, text, n);
	if (!t->slot[slot]) {
		t->start = mem_grow(t->start, &t->room, t->count + 1, sizeof *t->start);
		t->start[t->count++] = t->text.used;
		buf_add(&t->text, text, n);
		buf_byte(&t->text, 0);
		t->slot[slot] = (uint32_t)t->count;
	}
	return t->slot[slot] - 1;
}

void intern_take(struct intern *t, uint32_t *count, char **text, uint64_t **start)
{
	*count = (uint32_t)t->count;
	*text = buf_take(&t->text);
	*start = t->start;
	free(t->slot);
	*t = (struct intern){0};
}

void intern_release(struct intern *t)
{
	free(t->slot);
	free(t->start);
	buf_release(&t->text);
	*t = (struct intern){0};
}
