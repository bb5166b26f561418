#include "base/clock.h"
#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <sys/random.h>
#include <xxhash.h>

#define BUILD_BLOCK  32
#define ONE_TAG_MOST 64 /* Equal tags occur by chance twice at most; more of them mean that a store was made to be slow. */

void texts_init(struct texts *t, struct env *env, enum env_db db, enum texts_coding coding, size_t chunk_most)
{
	memset(t, 0, sizeof *t);
	t->coding = coding;
	records_init(&t->records, env, db, RECORDS_BY_NUMBER, chunk_most);
	/* the seed changes no result; the clock is good enough if the system has no entropy yet */
	if (getrandom(&t->seed, sizeof t->seed, GRND_NONBLOCK) != sizeof t->seed)
		t->seed = (uint64_t)clock_ns();
}

void texts_release(struct texts *t)
{
	records_release(&t->records);
	tags_release(&t->tags);
	url_entry_release(&t->reading);
}

int texts_read(struct texts *t, uint32_t id, const char **text, size_t *n)
{
	const uint8_t *at = NULL, *nul = NULL;
	size_t size;

	if (t->coding == TEXTS_URLS) {
		const int read = urls_read(&t->records, id, &t->reading);
		*text = t->reading.url.at;
		*n = t->reading.url.used;
		return read;
	}
	if (records_get(&t->records, id, &at, &size))
		nul = memchr(at, 0, size);
	*text = (const char *)at;
	*n = nul ? (size_t)(nul - at) : 0;
	return nul != NULL;
}

static uint32_t tag_of(const struct texts *t, const void *text, size_t n)
{
	return (uint32_t)(XXH3_64bits_withSeed(text, n, t->seed) >> 32);
}

static int is_text(struct texts *t, uint32_t id, const char *text, size_t n)
{
	const uint8_t *at;
	size_t size;

	if (t->coding == TEXTS_URLS)
		return urls_is(&t->records, id, text, n);
	return records_get(&t->records, id, &at, &size) && size > n && at[n] == 0 && memcmp(at, text, n) == 0;
}

int texts_find(struct texts *t, const char *text, size_t n, uint32_t *id)
{
	struct env *env = t->records.env;
	struct err_note note;
	uint32_t found, tag;

	const int err = t->built ? 0 : texts_build(t, &note);
	if (err && !env->is_suspect) /* texts that cannot be read are not found */
		(void)!env_unread(env, err, &note, NULL);
	if (t->tags.used == 0)
		return 0;
	tag = tag_of(t, text, n);
	for (size_t i = tags_seek(&t->tags, tag); (found = tags_id(&t->tags, i, tag)) != TAGS_NO_ID; i++) {
		if (is_text(t, found, text, n)) {
			*id = found;
			return 1;
		}
	}
	return 0;
}

/* First the slots of all texts are fetched, then the ends of the records that these name, then the records: what one step reads has
 * arrived when the step before has been made for all texts. */
void texts_expect(struct texts *t, const struct store_text *text, size_t n)
{
	const struct chunk *chunk[STORE_EXPECT_MOST];
	uint32_t tag[STORE_EXPECT_MOST], id[STORE_EXPECT_MOST];
	size_t found = 0;

	assert(n <= STORE_EXPECT_MOST && t->coding == TEXTS_URLS);
	if (!t->built || t->tags.used == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		tag[i] = tag_of(t, text[i].at, text[i].n);
		__builtin_prefetch(t->tags.slot + tags_home(&t->tags, tag[i]));
	}
	for (size_t i = 0; i < n; i++) {
		id[found] = tags_id(&t->tags, tags_seek(&t->tags, tag[i]), tag[i]);
		if (id[found] == TAGS_NO_ID || !(chunk[found] = records_chunk(&t->records, id[found])))
			continue;
		const struct chunk *k = chunk[found];
		__builtin_prefetch(k->bytes);
		if (k->ends)
			__builtin_prefetch(k->ends + 2 * (id[found] - k->first));
		found++;
	}
	for (size_t i = 0; i < found; i++)
		urls_expect(chunk[i], id[i]);
}

uint32_t texts_added(struct texts *t, const char *text, size_t n)
{
	const uint32_t id = (uint32_t)t->records.n - 1;

	assert(t->built && id < TAGS_NO_ID);
	tags_insert(&t->tags, tag_of(t, text, n), id);
	return id;
}

static int unusable(const struct texts *t, uint32_t id, const char *what, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED, "'%s' is damaged: database '%s', record %u %s", t->records.env->path,
		env_db_name(t->records.db), id, what);
}

/* Computes the hash of a record. Returns 0, or -1 if the record has no text. */
static int hash_record(struct texts *t, uint32_t id, uint32_t *tag)
{
	const char *text;
	size_t n;

	if (!texts_read(t, id, &text, &n))
		return -1;
	*tag = tag_of(t, text, n);
	return 0;
}

/* Enters n texts into the table. All tags are computed first, so that their slots are prefetched when they are filled. */
static int build_block(struct texts *t, uint32_t first, uint32_t n, struct err_note *why)
{
	uint32_t tag[BUILD_BLOCK], id[BUILD_BLOCK], good = 0;
	int status = 0;

	for (uint32_t i = first; i < first + n; i++) {
		id[good] = i;
		if (hash_record(t, i, &tag[good])) {
			status = unusable(t, i, "has no text", why);
			continue;
		}
		__builtin_prefetch(t->tags.slot + tags_home(&t->tags, tag[good++]), 1);
	}
	for (uint32_t i = 0; i < good; i++) {
		size_t at = tags_seek(&t->tags, tag[i]), same = 0;
		while (tags_id(&t->tags, at + same, tag[i]) != TAGS_NO_ID)
			same++;
		if (same < ONE_TAG_MOST)
			tags_insert(&t->tags, tag[i], id[i]);
		else
			status = unusable(t, id[i], "is there again and again", why);
	}
	return status;
}

int texts_build(struct texts *t, struct err_note *why)
{
	uint32_t all = (uint32_t)t->records.n;
	int status = 0;

	tags_release(&t->tags);
	tags_reserve(&t->tags, all);
	t->built = 1;
	for (uint32_t first = 0; first < all; first += BUILD_BLOCK) {
		uint32_t n = all - first < BUILD_BLOCK ? all - first : BUILD_BLOCK;
		int err = build_block(t, first, n, why);
		if (err)
			status = err;
	}
	return status;
}
