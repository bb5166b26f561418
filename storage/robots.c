#include "base/clock.h"
#include "storage/handle.h"

#include <assert.h>

#define ORIGIN_MOST 500 /* LMDB's keys have 511 bytes at most */

/* A value: expires, zigzag; text. */

static int look_at(void *ctx, struct bytes origin, struct bytes value, struct err_note *why)
{
	struct store *s = ctx;
	const uint8_t *at = value.at;
	int64_t expires;

	(void)why;
	/* a robots.txt that cannot be read is removed, too */
	if (zigzag_read(&at, at + value.n, &expires) || expires <= s->opened)
		values_drop(s, ENV_ROBOTS, origin);
	else
		s->robots_bytes += origin.n + value.n;
	return 0;
}

int robots_open(struct store *s, struct err_note *why)
{
	s->opened = clock_wall_ms();
	return env_walk(&s->env, ENV_ROBOTS, look_at, s, why);
}

int store_put_robots(struct store *s, const char *origin, size_t n, const char *text, size_t text_n, int64_t expires,
	struct err_note *why)
{
	const size_t size = n + text_n + 16;
	struct buf value = BUF_EMPTY;

	assert(s->env.mode == STORE_WRITE && n > 0);
	if (n > ORIGIN_MOST || text_n > STORE_ROBOTS_TEXT || s->robots_bytes + size > STORE_ROBOTS_MAX)
		return 0;
	int status = store_take_room(s, &s->log, size, why);
	if (status)
		return status;
	buf_zigzag(&value, expires);
	buf_add(&value, text, text_n);
	values_take(s, ENV_ROBOTS, (struct bytes){origin, n}, value);
	s->robots_bytes += size;
	return 0;
}

int store_robots(struct store *s, const char *origin, size_t n, int64_t now, struct store_robots *out)
{
	struct bytes value;
	int64_t expires;

	if (n == 0 || n > ORIGIN_MOST || env_get(&s->env, ENV_ROBOTS, (struct bytes){origin, n}, &value, NULL) != 1)
		return 0;
	const uint8_t *at = value.at, *end = at + value.n;
	if (zigzag_read(&at, end, &expires) || expires <= now)
		return 0;
	*out = (struct store_robots){(const char *)at, (size_t)(end - at), expires};
	return 1;
}
