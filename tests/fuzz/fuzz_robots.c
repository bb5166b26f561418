/* The first line is a path, the rest a robots.txt: read with CRLF for LF it must say the same, and
 * nobody is kept from /robots.txt. */
#include "base/buf.h"
#include "parser/robots.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static int decide(const char *bytes, size_t n, const char *path, size_t length, double *delay)
{
	struct robots *r = robots_parse(bytes, n, "lycosa");
	int allowed = robots_allows(r, path, length);

	check(robots_allows(r, "/robots.txt", 11));
	*delay = robots_delay(r);
	for (size_t i = 0; robots_sitemap(r, i); i++)
		check(*robots_sitemap(r, i) != 0);
	robots_free(r);
	return allowed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *line_end = size ? memchr(text, '\n', size) : NULL;
	struct buf path = BUF_EMPTY, crlf = BUF_EMPTY;
	double delay, again;

	if (!line_end || size > ROBOTS_MAX_BYTES / 2)
		return 0;
	buf_byte(&path, '/');
	buf_add(&path, text, (size_t)(line_end - text));
	for (const char *p = line_end + 1; p < text + size; p++) {
		if (*p == '\n')
			buf_byte(&crlf, '\r');
		buf_byte(&crlf, *p);
	}
	buf_end(&crlf);
	size_t n = (size_t)(text + size - line_end - 1);
	int allowed = decide(line_end + 1, n, path.at, path.used, &delay);
	check(allowed == decide(crlf.at, crlf.used, path.at, path.used, &again) && delay == again);
	buf_release(&path);
	buf_release(&crlf);
	return 0;
}
