/* Archives in scratch folders, made as a crawl makes them. */
#ifndef TESTS_WARC_WRITE_H
#define TESTS_WARC_WRITE_H

#include "storage/warc.h"
#include "tests/test.h"

#include <dirent.h>

static inline struct warc_span bytes(const char *text)
{
	return (struct warc_span){text, strlen(text)};
}

static inline struct warc_exchange exchange(const char *url, const char *body)
{
	static char head[128];

	snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", strlen(body));
	return (struct warc_exchange){.url = bytes(url),
		.address = "127.0.0.1",
		.time = 1795250712345,
		.duration = 12,
		.status = 200,
		.type = "text/html",
		.request = bytes("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"),
		.head = bytes(head),
		.body = bytes(body)};
}

static inline void put(struct warc *w, const struct warc_exchange *x)
{
	struct err_note why;

	if (warc_put(w, x, NULL, &why))
		fail_msg("%s", why.text);
}

static inline struct warc *opened_as(const char *folder, uint64_t limit, enum warc_packing packing)
{
	struct err_note why;
	struct warc *w;
	char prefix[96];

	snprintf(prefix, sizeof prefix, "%s/x", folder);
	if (warc_open(&w, prefix, &(struct warc_settings){limit, WARC_LEVEL, "test/1", "robots: obey\r\n", NULL, packing}, &why))
		fail_msg("%s", why.text);
	return w;
}

static inline struct warc *opened(const char *folder, uint64_t limit)
{
	return opened_as(folder, limit, WARC_GZIP);
}

/* The n-th file of a folder with this ending, in their order; static until the next call but one.
 * NULL: there are fewer. */
static inline const char *file(const char *folder, const char *ending, int n)
{
	static char path[2][512];
	static int turn;
	struct dirent **entry;
	int count = scandir(folder, &entry, NULL, alphasort), seen = 0;
	const char *found = NULL;

	for (int i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;
		const size_t m = strlen(name), k = strlen(ending);
		if (m > k && strcmp(name + m - k, ending) == 0 && seen++ == n) {
			turn = !turn;
			snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
			found = path[turn];
		}
		free(entry[i]);
	}
	free(entry);
	return found;
}

#endif
