#include "lab/study/page_index.h"
#include "base/mem.h"
#include "base/num.h"
#include "parser/url.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The hash of what a node is found by. Nodes with equal hashes are told apart by the texts themselves. */
struct page_key {
	uint64_t hash;
	uint32_t node;
};

enum part { WHOLE, PATH };

/* Makes the text by which a URL is found: its canonical form without user and password, or the part of it from the path on. What is
 * no URL stays as it is. The text is valid until the next call with the same *u. */
static const char *found_by(struct url *u, const char *url, enum part part, size_t *n)
{
	*n = strlen(url);
	if (url_parse(u, url, *n, NULL) != URL_OK)
		return url;
	url_drop_user(u);
	*n = u->text.used - (part == PATH ? u->path : 0);
	return u->text.at + (part == PATH ? u->path : 0);
}

static int compare_keys(const void *a, const void *b)
{
	const struct page_key *x = a, *y = b;

	return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : (x->node > y->node) - (x->node < y->node);
}

static struct page_key *make_table(const struct names *names, enum part part)
{
	struct page_key *key = mem_new(names->nodes + (size_t)1, sizeof *key);
	struct url u = URL_EMPTY;
	size_t n;

	for (uint32_t i = 0; i < names->nodes; i++) {
		const char *text = found_by(&u, names_url(names, i), part, &n);
		key[i] = (struct page_key){XXH3_64bits(text, n), i};
	}
	url_release(&u);
	qsort(key, names->nodes, sizeof *key, compare_keys);
	return key;
}

/* Returns the index of the first key with at least this hash. */
static uint32_t first_key(const struct page_key *key, uint32_t n, uint64_t hash)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (key[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Searches a table for n bytes of text. Returns the number of nodes that are found by them; *node is the one whose URL is
 * `exact` if there is one, and otherwise the first. */
static size_t search(const struct names *names, const struct page_key *key, enum part part, const char *text, size_t n,
	const char *exact, uint32_t *node)
{
	const uint64_t hash = XXH3_64bits(text, n);
	struct url u = URL_EMPTY;
	size_t found = 0, length;

	for (uint32_t i = first_key(key, names->nodes, hash); i < names->nodes && key[i].hash == hash; i++) {
		const char *url = names_url(names, key[i].node), *its = found_by(&u, url, part, &length);
		if (length != n || memcmp(its, text, n) != 0)
			continue;
		if (!found++ || strcmp(url, exact) == 0)
			*node = key[i].node;
		if (strcmp(url, exact) == 0)
			break;
	}
	url_release(&u);
	return found;
}

/* Finds the node whose label is the path of a URL. */
static int find_label(const struct graph *g, const char *url, uint32_t *node)
{
	const char *host = *url == '/' ? NULL : strstr(url, "://"), *path = host ? strchr(host + 3, '/') : url;
	uint64_t label;

	return path && *path == '/' && num_count(path + 1, UINT64_MAX, &label) == 0 && graph_find_label(g, label, node);
}

int page_index_find(struct page_index *x, const char *url, uint32_t *node)
{
	const struct names *names = &x->data->names;
	struct url u = URL_EMPTY;
	size_t n, found;

	if (!names->text)
		return find_label(&x->data->graph, url, node);
	if (*url == '/') {
		if (!x->by_path)
			x->by_path = make_table(names, PATH);
		return search(names, x->by_path, PATH, url, strlen(url), "", node) == 1;
	}
	if (!x->by_url)
		x->by_url = make_table(names, WHOLE);
	const char *text = found_by(&u, url, WHOLE, &n);
	found = search(names, x->by_url, WHOLE, text, n, url, node);
	url_release(&u);
	return found > 0;
}

void page_index_release(struct page_index *x)
{
	free(x->by_url);
	free(x->by_path);
	x->by_url = x->by_path = NULL;
}
