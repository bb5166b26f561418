#include "storage/records.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define RECORD_MOST ((size_t)1 << 28)

void records_init(struct records *r, struct env *env, enum env_db db, enum records_table table, size_t most)
{
	memset(r, 0, sizeof *r);
	r->env = env;
	r->db = db;
	r->table = table;
	r->chunk_most = most;
}

void records_release(struct records *r)
{
	for (size_t i = 0; i < r->chunks; i++)
		if (r->chunk[i].held != &r->open)
			free(r->chunk[i].held);
	free(r->chunk);
	free(r->near);
	buf_release(&r->open);
	buf_release(&r->open_ends);
	memset(r, 0, sizeof *r);
}

/* Reports what is wrong with the chunk of the records from `first` on, and what it should have. */
static int damaged(const struct records *r, struct err_note *why, const char *what, uint64_t first)
{
	struct err_note note;
	uint64_t end = r->n;

	for (size_t i = r->chunks; i-- > 0 && r->chunk[i].first > first;)
		end = r->chunk[i].first;
	err_set(&note, ERR_DAMAGED, "'%s' is damaged: chunk %llu of database '%s', with %llu of %llu %s, has %s", r->env->path,
		(unsigned long long)first, env_db_name(r->db), (unsigned long long)(end > first ? end - first : 0),
		(unsigned long long)r->n, env_db_holds(r->db), what);
	return env_unread(r->env, ERR_DAMAGED, &note, why);
}

static struct chunk *add_chunk(struct records *r, uint64_t first)
{
	r->chunk = mem_grow(r->chunk, &r->room, r->chunks + 1, sizeof *r->chunk);
	r->chunk[r->chunks] = (struct chunk){.first = first};
	return &r->chunk[r->chunks++];
}

static void note_near(struct records *r, uint64_t i, size_t chunk)
{
	if (i % RECORDS_STRIDE)
		return;
	r->near = mem_grow(r->near, &r->near_room, r->nears + 1, sizeof *r->near);
	r->near[r->nears++] = (uint32_t)chunk;
}

/* Divides a value into the records and the table of their ends, and makes it the contents of chunk i. Returns 0 or ERR_DAMAGED. */
static int place_value(struct records *r, size_t i, struct bytes value, struct err_note *why)
{
	struct chunk *k = &r->chunk[i];
	uint64_t count = records_chunk_end(r, i) - k->first;
	size_t table = r->table == RECORDS_BY_NUMBER && count > 1 ? 2 * (size_t)count : 0;

	if (count == 0 || count > value.n || table > value.n || value.n > RECORD_MOST)
		return damaged(r, why, "a value of the wrong size", k->first);
	size_t size = value.n - table;
	if (count > 1 && size > UINT16_MAX)
		return damaged(r, why, "a value of the wrong size", k->first);
	k->bytes = value.at;
	k->ends = table ? k->bytes + size : NULL;
	k->size = (uint32_t)size & INT32_MAX;
	k->generation = r->env->generation;
	return 0;
}

/* Gets the value of a chunk. Returns 0 or an error. */
static int get_value(struct records *r, const struct chunk *k,
	int (*get)(struct env *, enum env_db, struct bytes, struct bytes *, struct err_note *), struct bytes *value,
	struct err_note *why)
{
	uint64_t key;
	const int got = get(r->env, r->db, records_key(k->first, &key), value, why);

	if (got == ERR_DAMAGED)
		return damaged(r, why, "another checksum than its value", k->first);
	return got ? (got < 0 ? got : 0) : damaged(r, why, "no value", k->first);
}

static int read_value(struct records *r, size_t i, struct err_note *why)
{
	struct chunk *k = &r->chunk[i];
	struct bytes value;

	int got = get_value(r, k, k->is_checked ? env_get_again : env_get, &value, why);
	return got ? got : place_value(r, i, value, why);
}

int records_read_chunk(struct records *r, size_t i, struct err_note *why)
{
	struct chunk *k = &r->chunk[i];

	if (k->held || k->generation == r->env->generation)
		return 0;
	int status = read_value(r, i, why);
	k->is_checked = status == 0;
	return status;
}

int records_scrub_chunk(struct records *r, size_t i, size_t *n, struct err_note *why)
{
	struct bytes value = {NULL, 0};
	const int err = i < r->in_file ? get_value(r, &r->chunk[i], env_get, &value, why) : 0;

	*n = value.n;
	return err;
}

/* Gives a chunk memory of its own, with so many bytes of ends. */
static void own(struct chunk *k, size_t ends)
{
	uint8_t *all = mem_new(k->size + ends, 1);

	memcpy(all, k->bytes, k->size);
	if (ends)
		memcpy(all + k->size, k->ends, ends);
	k->bytes = k->held = all;
	k->ends = ends ? all + k->size : NULL;
}

int records_pin_last(struct records *r, struct err_note *why)
{
	if (r->chunks == 0 || r->chunk[r->chunks - 1].held)
		return 0;
	int status = records_read_chunk(r, r->chunks - 1, why);
	if (status)
		return status;
	struct chunk *k = &r->chunk[r->chunks - 1];
	own(k, k->ends ? 2 * (size_t)(r->n - k->first) : 0);
	return 0;
}

static int add_key(void *ctx, struct bytes key, struct bytes value, struct err_note *why)
{
	struct records *r = ctx;
	if (key.n != sizeof(uint64_t))
		return damaged(r, why, "a key of the wrong size", 0);
	const uint64_t first = records_first(key);
	uint64_t after = r->chunks ? r->chunk[r->chunks - 1].first + 1 : 0;
	if (r->chunks ? first < after : first != 0)
		return damaged(r, why, "a number that does not follow the one before", first);
	if (first >= r->n || r->chunks == UINT32_MAX)
		return damaged(r, why, "records beyond the last", first);
	add_chunk(r, first)->size = value.n > RECORD_MOST ? 0 : (uint32_t)value.n & INT32_MAX;
	return 0;
}

/* Notes the end of the last record of the open chunk; one behind 64 KiB ends a chunk of one record, which has no ends. */
static void add_end(struct records *r)
{
	if (r->table != RECORDS_BY_NUMBER || r->open.used > UINT16_MAX)
		return;
	buf_byte(&r->open_ends, (int)(r->open.used & 0xff));
	buf_byte(&r->open_ends, (int)(r->open.used >> 8));
}

/* Copies the last chunk into memory, so that records can be added to it. Returns 0 or ERR_DAMAGED. */
static int open_last(struct records *r, struct err_note *why)
{
	struct chunk *k = &r->chunk[r->chunks - 1];
	uint64_t count = r->n - k->first;

	buf_add(&r->open, k->bytes, k->size);
	if (k->ends)
		buf_add(&r->open_ends, k->ends, 2 * (size_t)count);
	else
		add_end(r);
	const uint8_t *ends = (const uint8_t *)r->open_ends.at;
	for (uint64_t i = 0; k->ends && i < count; i++) {
		uint32_t end = records_end_at(ends, i);
		if (end > k->size || (i && end < records_end_at(ends, i - 1)) || (i == count - 1 && end != k->size))
			return damaged(r, why, "ends of records that cannot be", k->first);
	}
	k->bytes = (const uint8_t *)r->open.at;
	k->ends = count > 1 ? ends : NULL;
	k->held = &r->open;
	return 0;
}

int records_load(struct records *r, uint64_t n, struct err_note *why)
{
	r->n = n;
	int status = env_walk_keys(r->env, r->db, add_key, r, why);
	if (status)
		return status;
	if ((n > 0) != (r->chunks > 0))
		return damaged(r, why, "no value", 0);
	/* a chunk has at most as many records as bytes, which bounds the loops below. Checksums are verified when records are
	 * first read: many never are, and verifying all would read the whole file */
	for (size_t i = 0; i < r->chunks; i++) {
		uint64_t from = r->chunk[i].first, to = records_chunk_end(r, i);
		/* a suspect store may have fewer: the records of the chunk are missing */
		if (to - from > (r->env->is_suspect ? UINT32_MAX - 1 : r->chunk[i].size))
			return damaged(r, why, "a value of the wrong size", from);
		r->chunk[i].generation = r->env->generation - 1;
		from += (RECORDS_STRIDE - from % RECORDS_STRIDE) % RECORDS_STRIDE;
		for (; from < to; from += RECORDS_STRIDE)
			note_near(r, from, i);
	}
	r->clean = r->in_file = r->chunks;
	if (r->chunks == 0 || r->env->mode == STORE_READ)
		return 0;
	r->clean--;
	status = records_read_chunk(r, r->chunks - 1, why);
	return status ? status : open_last(r, why);
}

int records_fits(const struct records *r, size_t n)
{
	if (r->chunks == 0 || r->open_ended || r->open.used > r->chunk_most)
		return 0;
	uint64_t count = r->n - r->chunk[r->chunks - 1].first;
	size_t table = r->table == RECORDS_BY_NUMBER ? 2 * ((size_t)count + 1) : 0;
	return r->open.used + n + table <= r->chunk_most;
}

void records_end_chunk(struct records *r)
{
	r->open_ended = 1;
}

uint64_t records_next_place(struct records *r, size_t n)
{
	if (!records_fits(r, n)) {
		records_end_chunk(r);
		return 0;
	}
	return r->n - r->chunk[r->chunks - 1].first;
}

/* Closes the open chunk: if the last commit has it unchanged, it is read from the snapshot from now on; otherwise it gets memory
 * of its own until the next commit. */
static void seal(struct records *r)
{
	struct chunk *k = &r->chunk[r->chunks - 1];

	if (!r->open_changed && r->chunks == r->in_file) {
		k->held = NULL;
		k->bytes = k->ends = NULL;
		k->generation = r->env->generation - 1;
		r->clean = r->chunks;
		return;
	}
	own(k, k->ends ? r->open_ends.used : 0);
}

void records_append(struct records *r, const void *bytes, size_t n)
{
	assert(n < RECORD_MOST && r->env->mode == STORE_WRITE);
	if (!records_fits(r, n)) {
		if (r->chunks)
			seal(r);
		add_chunk(r, r->n)->held = &r->open;
		buf_clear(&r->open);
		buf_clear(&r->open_ends);
		r->open_ended = 0;
	}
	struct chunk *k = &r->chunk[r->chunks - 1];
	buf_add(&r->open, bytes, n);
	add_end(r);
	note_near(r, r->n, r->chunks - 1);
	r->n++;
	k->bytes = (const uint8_t *)r->open.at;
	k->size = (uint32_t)r->open.used & INT32_MAX;
	k->ends = r->table == RECORDS_BY_NUMBER && r->n - k->first > 1 ? (const uint8_t *)r->open_ends.at : NULL;
	r->open_changed = 1;
}

int records_fill(struct records *r, struct env_batch *batch)
{
	uint64_t key;

	for (size_t i = r->clean; i < r->chunks; i++) {
		const struct chunk *k = &r->chunk[i];
		if (i == r->chunks - 1 && !r->open_changed)
			break;
		size_t table = k->ends ? 2 * (size_t)(records_chunk_end(r, i) - k->first) : 0;
		int status = env_put(batch, r->db, records_key(k->first, &key), (struct bytes){k->bytes, k->size},
			(struct bytes){k->ends, table}, i < r->in_file ? ENV_ANYWHERE : ENV_AT_END);
		if (status)
			return status;
	}
	return 0;
}

void records_committed(struct records *r)
{
	for (size_t i = r->clean; i + 1 < r->chunks; i++) {
		struct chunk *k = &r->chunk[i];
		free(k->held);
		k->held = NULL;
		k->generation = r->env->generation - 1;
	}
	if (r->chunks)
		r->clean = r->chunks - 1;
	r->in_file = r->chunks;
	r->open_changed = 0;
}
