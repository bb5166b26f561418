#include "graph/names.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
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

/* Hosts by their text: an open hash table of numbers + 1. */
struct hosts {
	uint32_t *slot;
	size_t slots; /* a power of two, twice the hosts at least */
	uint64_t seed;
	struct buf text;
	uint64_t *start;
	size_t count, room;
};

static size_t find_slot(const struct hosts *h, const char *host, size_t n)
{
	size_t i = XXH3_64bits_withSeed(host, n, h->seed) & (h->slots - 1);

	for (; h->slot[i]; i = (i + 1) & (h->slots - 1)) {
		const char *there = h->text.at + h->start[h->slot[i] - 1];
		if (strlen(there) == n && memcmp(there, host, n) == 0)
			break;
	}
	return i;
}

static void rehash(struct hosts *h)
{
	free(h->slot);
	h->slots = h->slots ? 2 * h->slots : 1024;
	h->slot = mem_zero(h->slots, sizeof *h->slot);
	/* where the table happens to lie decides who collides, so that no file can */
	h->seed = (uint64_t)(uintptr_t)h->slot;
	for (size_t i = 0; i < h->count; i++) {
		const char *host = h->text.at + h->start[i];
		h->slot[find_slot(h, host, strlen(host))] = (uint32_t)i + 1;
	}
}

/* The number of a host, a new one where it is not known. The text is lower-cased in place. */
static uint32_t intern(struct hosts *h, char *host, size_t n)
{
	if (2 * h->count >= h->slots)
		rehash(h);
	for (size_t i = 0; i < n; i++)
		if (host[i] >= 'A' && host[i] <= 'Z')
			host[i] = (char)(host[i] - 'A' + 'a');
	const size_t slot = find_slot(h, host, n);
	if (!h->slot[slot]) {
		h->start = mem_grow(h->start, &h->room, h->count + 1, sizeof *h->start);
		h->start[h->count++] = h->text.used;
		buf_add(&h->text, host, n);
		buf_byte(&h->text, 0);
		h->slot[slot] = (uint32_t)h->count;
	}
	return h->slot[slot] - 1;
}

struct reading {
	struct names *names;
	struct hosts hosts;
	struct buf text;
	size_t start_room, host_room;
};

static void add(struct reading *r, char *line, size_t length, int has_urls)
{
	struct names *n = r->names;
	const char *at = line;

	while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
		line[--length] = 0;
	if (has_urls) {
		n->start =
			mem_grow(n->start, &r->start_room, (size_t)n->nodes + 1, sizeof *n->start);
		n->start[n->nodes] = r->text.used;
		buf_add(&r->text, line, length + 1);
		length = names_host_of(line, &at);
	}
	n->host = mem_grow(n->host, &r->host_room, (size_t)n->nodes + 1, sizeof *n->host);
	n->host[n->nodes++] = intern(&r->hosts, line + (at - line), length);
}

static int wrong_count(
	const char *path, const char *lines, uint64_t found, uint32_t nodes, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "'%s' has %s%llu lines, but the graph has %u nodes", path,
		lines, (unsigned long long)found, nodes);
}

static int read_names(
	struct names *n, const char *path, uint32_t nodes, int has_urls, struct err_note *why)
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
	while (!err && (got = input_line(in, &line, &length, why)) != 0) {
		if (got < 0)
			err = got;
		else if (nodes && n->nodes == nodes)
			err = wrong_count(path, "more than ", nodes, nodes, why);
		else if (n->nodes == GRAPH_MAX_NODES)
			err = err_set(why, ERR_TOO_BIG, "'%s' has more than %u lines", path,
				GRAPH_MAX_NODES);
		else
			add(&r, line, length, has_urls);
	}
	if (!err && nodes && n->nodes != nodes)
		err = wrong_count(path, "", n->nodes, nodes, why);
	input_close(in);
	n->text = has_urls ? buf_take(&r.text) : NULL;
	n->hosts = (uint32_t)r.hosts.count;
	n->host_text = buf_take(&r.hosts.text);
	n->host_start = r.hosts.start;
	free(r.hosts.slot);
	if (err)
		names_release(n);
	return err;
}

int names_from_urls(struct names *n, const char *path, uint32_t nodes, struct err_note *why)
{
	return read_names(n, path, nodes, 1, why);
}

int names_from_hosts(struct names *n, const char *path, uint32_t nodes, struct err_note *why)
{
	return read_names(n, path, nodes, 0, why);
}

/* Takes the first of the tails off that the path ends in. */
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
	static const char *const formats[] = {".graph", ".properties", ".txt", ".edges", ".csr",
		".mtx", ".tsv", ".csv", ".el", ".dat", NULL};
	static const char *const names[] = {".urls", ".hosts"};
	const size_t whole = strlen(graph_path);
	const size_t n = without(graph_path, without(graph_path, whole, packings), formats);
	char *candidate = mem_new(n + 16, 1);

	memcpy(candidate, graph_path, n);
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < sizeof packings / sizeof *packings; k++) {
			/* unpacked first */
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
