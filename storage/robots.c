#include "base/clock.h"
#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ORIGIN_MOST 500 /* LMDB's keys have 511 bytes at most */

/* A value: expires, zigzag; text. */

static struct new_robots *add(struct kept_robots *k, const char *origin, size_t n)
{
	k->news = mem_grow(k->news, &k->room, k->n + 1, sizeof *k->news);
	struct new_robots *r = &k->news[k->n++];
	*r = (struct new_robots){.origin = mem_copy(origin, n), .origin_n = n, .value = BUF_EMPTY};
	return r;
}

static int look_at(void *ctx, struct bytes origin, struct bytes value, struct err_note *why)
{
	struct store *s = ctx;
	const uint8_t *at = value.at;
	int64_t expires;

	(void)why;
	/* a robots.txt that cannot be read is removed, too */
	if (zigzag_read(&at, at + value.n, &expires) || expires <= s->robots.opened)
		add(&s->robots, origin.at, origin.n)->is_gone = 1;
	else
		s->robots.bytes += origin.n + value.n;
	return 0;
}

int robots_open(struct store *s, struct err_note *why)
{
	s->robots.opened = clock_wall_ms();
	return env_walk(&s->env, ENV_ROBOTS, look_at, s, why);
}

int store_put_robots(struct store *s, const char *origin, size_t n, const char *text, size_t text_n, int64_t expires,
	struct err_note *why)
{
	const size_t size = n + text_n + 16;

	assert(s->env.mode == STORE_WRITE && n > 0);
	if (n > ORIGIN_MOST || text_n > STORE_ROBOTS_TEXT || s->robots.bytes + size > STORE_ROBOTS_MAX)
		return 0;
	int status = store_take_room(s, &s->log, size, why);
	if (status)
		return status;
	struct new_robots *r = add(&s->robots, origin, n);
	buf_zigzag(&r->value, expires);
	buf_add(&r->value, text, text_n);
	s->robots.bytes += size;
	return 0;
}

int store_robots(struct store *s, const char *origin, size_t n, int64_t now, struct store_robots *out)
{
	struct bytes value;
	int64_t expires;

	if (n == 0 || n > ORIGIN_MOST || s->env.format < ENV_FORMAT_SUMS ||
		env_get(&s->env, ENV_ROBOTS, (struct bytes){origin, n}, &value, NULL) != 1)
		return 0;
	const uint8_t *at = value.at, *end = at + value.n;
	if (zigzag_read(&at, end, &expires) || expires <= now)
		return 0;
	*out = (struct store_robots){(const char *)at, (size_t)(end - at), expires};
	return 1;
}

int robots_fill(const struct kept_robots *k, struct env_batch *batch)
{
	const struct bytes none = {NULL, 0};
	int status = 0;

	for (size_t i = 0; i < k->n && status == 0; i++) {
		const struct new_robots *r = &k->news[i];
		const struct bytes origin = {r->origin, r->origin_n};
		status = r->is_gone
			? env_drop(batch, ENV_ROBOTS, origin)
			: env_put(batch, ENV_ROBOTS, origin, (struct bytes){r->value.at, r->value.used}, none, ENV_ANYWHERE);
	}
	return status;
}

void robots_committed(struct kept_robots *k)
{
	for (size_t i = 0; i < k->n; i++) {
		free(k->news[i].origin);
		buf_release(&k->news[i].value);
	}
	k->n = 0;
}

void robots_release(struct kept_robots *k)
{
	robots_committed(k);
	free(k->news);
}
