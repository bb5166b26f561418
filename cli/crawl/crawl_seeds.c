#include "cli/crawl/crawl_seeds.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "cli/crawl/crawl_options.h"
#include "lab/study/seedset.h"
#include "parser/url.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void crawl_seeds_release(struct crawl_seeds *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->url[i]);
	free(l->url);
}

/* Says whether a text begins with a host without a scheme: letters, digits, '-' and '.', with at least one '.' (or "localhost"), or
 * an IPv6 address in brackets, and then a port, a path or nothing. */
static int begins_with_host(const char *text)
{
	const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.");
	const char *end = text + n;

	if (*text == '[')
		return strchr(text, ']') != NULL;
	if (!n || (!memchr(text, '.', n) && !(n == 9 && ascii_same(text, "localhost", n))))
		return 0;
	return !*end || strchr("/?#", *end) || (*end == ':' && strspn(end + 1, "0123456789") > 0);
}

void crawl_seeds_add(struct crawl_seeds *l, const char *url)
{
	struct buf whole = BUF_EMPTY;

	buf_format(&whole, "%s%s", begins_with_host(url) ? "http://" : "", url);
	l->url = mem_grow(l->url, &l->room, l->n + 1, sizeof *l->url);
	l->url[l->n++] = buf_take(&whole);
}

/* Says whether --seeds names a rule that draws seeds from a graph (random:N, hosts:N, roots), and not a file of that name. */
static int is_rule(const char *spec)
{
	return access(spec, F_OK) != 0 && (seedset_is_drawn(spec) || strncmp(spec, "hosts:", 6) == 0 || strcmp(spec, "roots") == 0);
}

int crawl_seeds_file(struct crawl_seeds *l, const char *file, struct err_note *why)
{
	struct seed_line entry;
	struct input *in;
	char *line;
	size_t n;

	if (is_rule(file))
		return err_set(why, ERR_USAGE,
			"--seeds %s: that is a rule for graphs; a live crawl needs a file of URLs, which 'lycosa seeds' can write",
			file);
	int err = input_open(&in, file, why);
	if (err)
		return err;
	while ((err = input_line(in, &line, &n, why)) > 0) {
		if (!seed_line_parse(line, &entry))
			continue;
		if (!entry.url) {
			err = err_set(why, ERR_USAGE, "%s:%llu: '%s' is a node id; a live crawl needs URLs", input_path(in),
				(unsigned long long)input_line_number(in), entry.id);
			break;
		}
		crawl_seeds_add(l, entry.url);
	}
	input_close(in);
	return err;
}

int crawl_seeds_read(const struct command *c, struct crawl_seeds *l, struct err_note *why)
{
	const struct crawl_options *o = c->options;

	for (size_t i = 0; i < c->flags->operands; i++)
		crawl_seeds_add(l, c->flags->operand[i]);
	l->named = l->n;
	return o->seeds ? crawl_seeds_file(l, o->seeds, why) : 0;
}

char *crawl_seeds_store(const struct crawl_seeds *l)
{
	struct url u = URL_EMPTY;
	struct buf name = BUF_EMPTY;

	(void)!url_parse(&u, l->url[0], strlen(l->url[0]), NULL);
	buf_add(&name, u.text.at + u.host, u.host_end - u.host);
	if (u.host_end < u.path)
		buf_format(&name, "-%u", u.port);
	buf_text(&name, ".crawl");
	url_release(&u);
	return buf_take(&name);
}
