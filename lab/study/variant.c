#include "lab/study/variant.h"
#include "base/ascii.h"

#include <string.h>

void variant_origin(const struct url *u, unsigned ways, struct buf *out)
{
	const int https = ways & VARIANT_SCHEME ? !u->https : u->https;
	const char *host = u->text.at + u->host;
	size_t length = u->host_end - u->host;

	buf_text(out, https ? "https://" : "http://");
	if (ways & VARIANT_WWW && length > 4 && strncmp(host, "www.", 4) == 0) {
		host += 4;
		length -= 4;
	} else if (ways & VARIANT_WWW) {
		buf_text(out, "www.");
	}
	buf_add(out, host, length);
	buf_add(out, u->text.at + u->host_end, u->path - u->host_end); /* the URL's port, if it has one */
}

/* Says whether the last segment of a path is the name of a directory's own page, such as index.html. */
static int is_index(const char *name)
{
	static const char *const names[] = {"index.", "default.", "home."};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (ascii_same(name, names[i], strlen(names[i])))
			return 1;
	return 0;
}

/* Alters a path in the ways of enum variant. Says whether each of the ways changes it. */
static int alter_path(struct buf *path, unsigned ways)
{
	char *last = strrchr(path->at, '/') + 1;
	int altered = 1;

	if (ways & VARIANT_INDEX) {
		altered &= is_index(last);
		path->used = (size_t)(last - path->at);
	}
	if (ways & VARIANT_SLASH && path->at[path->used - 1] != '/') {
		buf_byte(path, '/');
	} else if (ways & VARIANT_SLASH) {
		altered &= path->used > 1;
		path->used -= path->used > 1;
	}
	if (ways & VARIANT_CASE) {
		int lower = 1;
		for (size_t i = 0; i < path->used; i++) {
			const char c = ascii_lower(path->at[i]);
			lower &= c == path->at[i];
			path->at[i] = c;
		}
		altered &= !lower;
	}
	return altered;
}

int variant_of(const struct url *u, unsigned ways, struct buf *out)
{
	struct buf path = BUF_EMPTY;
	const size_t query = u->text.used - u->query;

	buf_clear(out);
	variant_origin(u, ways, out);
	buf_add(&path, u->text.at + u->path, u->query - u->path);
	int altered = alter_path(&path, ways);
	if (ways & VARIANT_QUERY)
		altered &= query > 0;
	buf_add(out, path.at, path.used);
	if (!(ways & VARIANT_QUERY))
		buf_add(out, u->text.at + u->query, query);
	buf_release(&path);
	return altered;
}
