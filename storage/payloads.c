#include "storage/payloads.h"
#include "base/input.h"
#include "storage/cdxj.h"
#include "storage/wacz_rules.h"

#include <stdlib.h>
#include <string.h>

struct payload {
	uint64_t key;   /* of the digest */
	uint64_t check; /* of the digest, too */
	size_t url;     /* in `urls` */
	uint32_t url_length, is_seconds;
	int64_t time;
};

void payloads_init(struct payloads *p)
{
	*p = (struct payloads){.urls = BUF_EMPTY};
	map_init(&p->map, sizeof(struct payload));
}

void payloads_release(struct payloads *p)
{
	map_release(&p->map);
	buf_release(&p->urls);
}

/* Returns the payload, or NULL after it was added. */
static struct payload *add(struct payloads *p, const unsigned char *digest, const char *url, size_t n, int64_t time, int is_seconds)
{
	uint64_t half[2];

	memcpy(half, digest, sizeof half);
	struct payload *one = map_at(&p->map, half[0]);
	if (one->url_length)
		return one->check == half[1] ? one : NULL;
	*one = (struct payload){one->key, half[1], p->urls.used, (uint32_t)n, (uint32_t)is_seconds, time};
	buf_add(&p->urls, url, n);
	return NULL;
}

int payloads_find(struct payloads *p, const unsigned char digest[PAYLOAD_DIGEST], const char *url, size_t n, int64_t time,
	struct first_payload *first)
{
	const struct payload *one = add(p, digest, url, n, time, 0);

	if (one)
		*first = (struct first_payload){p->urls.at + one->url, one->url_length, one->time, (int)one->is_seconds};
	return one != NULL;
}

static int load_one(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	unsigned char digest[64];

	(void)why;
	if (e->status / 100 == 2 && strcmp(e->type, "warc/revisit") != 0 && e->url_length && e->url_length < UINT32_MAX &&
		warc_digest_decode((struct warc_span){e->digest, strlen(e->digest)}, digest) == PAYLOAD_DIGEST &&
		strncmp(e->digest, "sha1:", 5) == 0)
		add(ctx, digest, e->url, e->url_length, e->time, 1);
	return 0;
}

struct loading {
	struct payloads *payloads;
	struct err_note *why;
	int err, indexes;
};

static void load_member(void *ctx, const char *path)
{
	struct loading *l = ctx;

	if (l->err || !cdxj_is(path))
		return;
	l->indexes++;
	l->err = cdxj_each(path, load_one, l->payloads, l->why);
}

int payloads_load(struct payloads *p, const char *path, struct err_note *why)
{
	struct loading l = {p, why, 0, 0};

	if (!wacz_is(path))
		return cdxj_each(path, load_one, p, why);
	input_each_member(path, load_member, &l);
	return l.err || l.indexes ? l.err : err_set(why, ERR_FORMAT, "'%s' has no index", path);
}
