/* The bus of a program that was configured --without-nats. */
#include "agents/bus.h"

#ifndef HAVE_NATS

static int absent(struct err_note *why)
{
	return err_set(why, ERR_USAGE,
		"this lycosa has no agents: install Debian's lycosa-agents, or build it where libnats is (libnats-dev)");
}

int bus_open(struct bus **out, const char *url, const struct bus_access *access, struct err_note *why)
{
	struct bus_url parts;
	const int err = bus_url_read(&parts, url, why);

	(void)access;
	*out = NULL;
	return err ? err : absent(why);
}

/* Without the NATS library no bus is ever open. The functions that need one exist for the linker only. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ABSENT(name, ...) \
	int name(__VA_ARGS__, struct err_note *why) \
	{ \
		return absent(why); \
	}
#define ABSENT_VOID(name, ...) \
	void name(__VA_ARGS__) \
	{ \
	}
#define ABSENT_MOST(name) \
	size_t name(const struct bus *b) \
	{ \
		return BUS_LETTER_MAX; \
	}

ABSENT_VOID(bus_close, struct bus *b)
ABSENT_VOID(bus_end, void)
ABSENT_VOID(bus_wait_at_most, struct bus *b, int64_t ms)
ABSENT(bus_mark, struct bus *b, struct bus_mark *out)
ABSENT(bus_get, struct bus *b, const char *key, struct buf *value, uint64_t *revision)
ABSENT(bus_written, struct bus *b, const char *key, int64_t *time)
ABSENT(bus_set, struct bus *b, const char *key, const void *value, size_t n, uint64_t *revision)
ABSENT(bus_set_all, struct bus *b, struct bus_value *values, size_t count)
ABSENT(bus_watch, struct bus *b, const char *pattern)
ABSENT(bus_changed, struct bus *b, struct buf *key, struct buf *value, uint64_t *revision)
ABSENT(bus_listen, struct bus *b, const char *agent)
ABSENT(bus_take, struct bus *b, struct bus_letter *out, int most, int64_t wait_ms)
ABSENT_MOST(bus_letter_most)
ABSENT_MOST(bus_log_most)
ABSENT_VOID(bus_acknowledge, struct bus_letter *l)
ABSENT_VOID(bus_drop_letter, struct bus_letter *l)
ABSENT(bus_send, struct bus *b, const char *agent, const void *letter, size_t n)
ABSENT(bus_log_open, struct bus *b)
ABSENT(bus_log_read, struct bus *b, unsigned partition, uint64_t after, uint64_t upto,
	int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx)

#endif
