#include "storage/salvage.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/num.h"
#include "storage/handle.h"
#include "storage/lock.h"
#include "storage/salvage_scan.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_BYTES    8
#define ARRAYS       5                  /* pages, hosts ...: databases of chunks */
#define COMMIT_BYTES ((size_t)64 << 20) /* of values, of a commit */
#define NO_VALUE     SIZE_MAX           /* a chunk that was lost */
#define NO_END       UINT64_MAX

_Static_assert(SALVAGE_PARTS == ENV_DBS, "a part for each database");

/* In the order of `counts`. */
static const enum env_db arrays[ARRAYS] = {ENV_HOSTS, ENV_PAGES, ENV_RESULTS, ENV_LINKS, ENV_LOG};

/* What is written into the new file: a value that was found; or for a range of records that is lost a chunk without bytes, which no
 * reader takes for a chunk. */
struct item {
	enum env_db db;
	uint64_t first; /* of an array */
	size_t value;   /* its number among the values of the scan, or NO_VALUE */
};

struct salvage {
	struct salvage_scan scan;
	struct salvage_report *report;
	struct item *item;
	size_t items, item_room;
	size_t *order;      /* the values of the scan, by database and key, the best of each key first */
	uint64_t n[ARRAYS]; /* the records of each array; 0 in a store without `counts` until its chunks are known */
	int has_counts;
	struct buf counts; /* the value of `counts` if none was found */
	size_t next;       /* the item that is written next */
	size_t batch_end;
};

static struct bytes key_of(const struct salvage_scan *s, const struct salvage_value *v)
{
	return (struct bytes){s->keys.at + v->key, v->key_n};
}

static int compare_bytes(struct bytes a, struct bytes b)
{
	const int order = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* Values of one key come with the best one first: one that is not known for old; that which has the most records, since chunks only grow;
 * and of those the one whose place its page tells. */
static int compare_values(const void *a, const void *b, void *ctx)
{
	const struct salvage_scan *s = ctx;
	const struct salvage_value *x = &s->value[*(const size_t *)a], *y = &s->value[*(const size_t *)b];

	if (x->db != y->db)
		return x->db < y->db ? -1 : 1;
	const int order = compare_bytes(key_of(s, x), key_of(s, y));
	if (order)
		return order;
	if (x->is_old != y->is_old)
		return x->is_old ? 1 : -1;
	const int is_array = x->db >= ENV_HOSTS && x->db <= ENV_LOG;
	if (is_array && x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->is_listed != y->is_listed)
		return x->is_listed ? -1 : 1;
	return (x->at < y->at) - (x->at > y->at);
}

static void sort_values(struct salvage *s)
{
	s->order = mem_resize(s->order, s->scan.values + 1, sizeof *s->order);
	for (size_t i = 0; i < s->scan.values; i++)
		s->order[i] = i;
	qsort_r(s->order, s->scan.values, sizeof *s->order, compare_values, &s->scan);
}

static void add_item(struct salvage *s, enum env_db db, uint64_t first, size_t value)
{
	s->item = mem_grow(s->item, &s->item_room, s->items + 1, sizeof *s->item);
	s->item[s->items++] = (struct item){db, first, value};
	struct salvage_part *p = &s->report->part[db];
	p->sound += value != NO_VALUE;
	p->mended += value != NO_VALUE && s->scan.value[value].held;
	p->lost += value == NO_VALUE;
}

/* --- chunks */

static uint64_t first_of(struct bytes key)
{
	uint64_t first;

	memcpy(&first, key.at, sizeof first);
	return be64toh(first);
}

static struct bytes key_for(uint64_t first, uint64_t *big_endian)
{
	*big_endian = htobe64(first);
	return (struct bytes){big_endian, sizeof *big_endian};
}

/* Counts the records of a chunk whose records are found by number: behind the records of several stand the places where these
 * end. */
static uint64_t count_by_ends(struct bytes value)
{
	if (value.n < 2)
		return value.n;
	const uint8_t *at = value.at;
	const size_t last = records_end_at(at + value.n - 2, 0);
	if (last >= value.n || (value.n - last) % 2)
		return 1;
	const uint64_t count = (value.n - last) / 2;
	for (uint64_t i = 1; i < count; i++)
		if (records_end_at(at + last, i) <= records_end_at(at + last, i - 1))
			return 1;
	return count > 1 && records_end_at(at + last, 0) > 0 ? count : 1;
}

/* Returns the number of the first record behind a chunk, or NO_END if that cannot be read. */
static uint64_t end_of(struct salvage *s, const struct salvage_value *v)
{
	struct bytes value;
	uint64_t count;

	if (v->key_n != KEY_BYTES || salvage_scan_read(&s->scan, v, &value))
		return NO_END;
	if (v->db != ENV_LOG)
		count = count_by_ends(value);
	else if (log_count(value.at, value.n, &count))
		return NO_END;
	return count ? first_of(key_of(&s->scan, v)) + count : NO_END;
}

/* Looks for the chunks of the records from..to-1 among the values that no record leads to, and marks the rest as lost. Returns the end
 * of the records that are accounted for. */
static uint64_t fill_gap(struct salvage *s, enum env_db db, uint64_t from, uint64_t to)
{
	uint64_t big_endian, end;

	while (from < to && salvage_scan_orphan(&s->scan, db, key_for(from, &big_endian))) {
		end = end_of(s, &s->scan.value[s->scan.values - 1]);
		if (end == NO_END || end > to)
			break;
		add_item(s, db, from, s->scan.values - 1);
		from = end;
	}
	if (from < to && to != NO_END) {
		add_item(s, db, from, NO_VALUE);
		s->report->part[db].lost_records += to - from;
		from = to;
	}
	return from;
}

/* Puts the chunks of an array behind one another. */
static void join_chunks(struct salvage *s, int array, size_t begin, size_t after)
{
	const enum env_db db = arrays[array];
	const uint64_t n = s->has_counts ? s->n[array] : NO_END;
	uint64_t end = 0;

	for (size_t i = begin; i < after; i++) {
		const struct salvage_value *v = &s->scan.value[s->order[i]];
		const uint64_t behind = end_of(s, v), first = v->key_n == KEY_BYTES ? first_of(key_of(&s->scan, v)) : 0;
		if (behind == NO_END || first < end || behind > n)
			continue; /* an older form of a chunk, or one of a commit that was never made */
		if (first > end)
			fill_gap(s, db, end, first);
		add_item(s, db, first, s->order[i]);
		end = behind;
	}
	end = fill_gap(s, db, end, n);
	s->n[array] = end;
	s->report->part[db].records = end - s->report->part[db].lost_records;
}

/* --- values of the other databases */

/* Reads the numbers of records that a value `counts` tells. A record has at least a byte, so that a file cannot have had more records than
 * bytes, unless nearly all of it was cut off. Returns 0, or -1 if there cannot have been so many. */
static int read_counts(struct bytes value, uint64_t length, uint64_t n[ARRAYS])
{
	const uint8_t *at = value.at, *end = at + value.n;

	for (int i = 0; i < ARRAYS; i++)
		if (varint_read(&at, end, &n[i]) || n[i] > length || (i < ARRAYS - 1 && n[i] >= UINT32_MAX))
			return -1;
	return 0;
}

static int is_key(struct bytes key, const char *name)
{
	return key.n == strlen(name) && memcmp(key.at, name, key.n) == 0;
}

/* Says whether a chunk has more records than the counts tell. */
static int goes_beyond(struct salvage *s)
{
	for (size_t i = 0; i < s->scan.values; i++) {
		const struct salvage_value *v = &s->scan.value[i];
		if (v->db < ENV_HOSTS || v->db > ENV_LOG)
			continue;
		const uint64_t end = end_of(s, v);
		if (end != NO_END && end > s->n[v->db - ENV_HOSTS])
			return 1;
	}
	return 0;
}

/* Finds the `counts` of the last commit, and adds them. Those of an earlier one, which a file without its end may have, tell less than
 * there was, and are of no use. If the file does not say which are the last ones, they are the largest, unless a chunk goes beyond them. */
static void find_counts(struct salvage *s)
{
	size_t best = NO_VALUE;
	struct bytes value;
	uint64_t n[ARRAYS];

	for (size_t i = 0; i < s->scan.values; i++) {
		const struct salvage_value *v = &s->scan.value[i];
		if (v->db != ENV_META || !is_key(key_of(&s->scan, v), "counts") ||
			(s->scan.meta && v->at / s->scan.page_size != s->scan.meta) || salvage_scan_read(&s->scan, v, &value) ||
			read_counts(value, s->scan.length, n) ||
			(best != NO_VALUE && (n[ARRAYS - 1] < s->n[ARRAYS - 1] || n[1] < s->n[1])))
			continue;
		memcpy(s->n, n, sizeof n);
		best = i;
	}
	s->has_counts = best != NO_VALUE && (s->scan.meta || !goes_beyond(s));
	if (s->has_counts)
		add_item(s, ENV_META, 0, best);
	else
		memset(s->n, 0, sizeof s->n);
}

/* Adds the best value of each key, but for `counts`. */
static void add_plain(struct salvage *s, enum env_db db, size_t begin, size_t after)
{
	for (size_t i = begin; i < after; i++) {
		const struct salvage_value *v = &s->scan.value[s->order[i]];
		const struct bytes key = key_of(&s->scan, v);
		if ((db == ENV_META && is_key(key, "counts")) ||
			(i > begin && compare_bytes(key, key_of(&s->scan, &s->scan.value[s->order[i - 1]])) == 0))
			continue;
		add_item(s, db, 0, s->order[i]);
	}
	struct salvage_part *p = &s->report->part[db];
	p->lost += s->scan.lost[db];
	p->records = p->sound;
	p->lost_records = p->lost;
}

/* Decides which value is written for each key. */
static void gather(struct salvage *s)
{
	size_t begin[ENV_DBS + 1] = {0};

	sort_values(s);
	const size_t values = s->scan.values;
	for (size_t i = 0; i < values; i++)
		begin[s->scan.value[s->order[i]].db + 1]++;
	for (int db = 0; db < ENV_DBS; db++)
		begin[db + 1] += begin[db];
	find_counts(s);
	for (int db = 0; db < ENV_DBS; db++)
		if (db < ENV_HOSTS || db > ENV_LOG)
			add_plain(s, (enum env_db)db, begin[db], begin[db + 1]);
	for (int i = 0; i < ARRAYS; i++)
		join_chunks(s, i, begin[arrays[i]], begin[arrays[i] + 1]);
	for (int i = 0; i < ARRAYS && !s->has_counts; i++)
		buf_varint(&s->counts, s->n[i]);
	const char *lost = s->scan.lost_settings.used ? s->scan.lost_settings.at : "";
	snprintf(s->report->settings, sizeof s->report->settings, "%s", s->report->part[ENV_SETTINGS].sound ? lost : "all");
	err_escape(s->report->settings);
}

/* --- the new file */

static int put_item(struct salvage *s, struct env_batch *batch, const struct item *x)
{
	const struct bytes none = {NULL, 0};
	struct bytes value = none;
	uint64_t big_endian;

	if (x->value == NO_VALUE)
		return env_put(batch, x->db, key_for(x->first, &big_endian), none, none, ENV_ANYWHERE);
	const struct salvage_value *v = &s->scan.value[x->value];
	if (salvage_scan_read(&s->scan, v, &value)) /* it was read before */
		value = none;
	return env_put(batch, x->db, key_of(&s->scan, v), value, none, ENV_ANYWHERE);
}

static int put_items(void *ctx, struct env_batch *batch)
{
	const struct bytes none = {NULL, 0};
	struct salvage *s = ctx;
	int status = 0;

	for (size_t i = s->next; i < s->batch_end && status == 0; i++)
		status = put_item(s, batch, &s->item[i]);
	if (status == 0 && s->next == 0 && !s->has_counts)
		status = env_put(batch, ENV_META, (struct bytes){"counts", 6}, (struct bytes){s->counts.at, s->counts.used}, none,
			ENV_ANYWHERE);
	return status;
}

/* Writes all items, in commits of some MB. */
static int write_file(struct salvage *s, const char *into, struct err_note *why)
{
	struct env e;

	if (mkdir(into, 0777) && errno != EEXIST)
		return err_set(why, ERR_FILE, "cannot make the folder '%s': %s", into, ascii_error(errno));
	int err = env_open(&e, into, STORE_WRITE, why);
	if (err)
		return err;
	while (!err && s->next < s->items) {
		size_t bytes = 0;
		for (s->batch_end = s->next; s->batch_end < s->items && bytes < COMMIT_BYTES; s->batch_end++) {
			const struct item *x = &s->item[s->batch_end];
			bytes += 64 + (x->value == NO_VALUE ? 0 : s->scan.value[x->value].n);
		}
		err = env_write(&e, bytes, put_items, s, why);
		s->next = s->batch_end;
	}
	env_close(&e);
	return err;
}

/* --- the new store */

/* Writes a store without the records that are missing in the one in a folder, and puts it in the place of that one. */
static int rebuild(const char *dir, enum store_rebuilt to_what, struct salvage_report *report, struct err_note *why)
{
	char *folder = buf_made("%s/rebuilt", dir);
	struct suspect *from = NULL;
	struct store *to = NULL;

	int err = suspect_open(&from, dir, why);
	if (!err)
		err = store_open(&to, folder, STORE_WRITE, why);
	if (!err)
		err = store_rebuild(to, from, to_what, &report->rebuilt, why);
	store_drop(to);
	suspect_drop(from);
	if (!err && store_put(folder, dir))
		err = err_set(why, ERR_FILE, "cannot put '%s/data.mdb' in place: %s", folder, ascii_error(errno));
	store_remove(folder);
	free(folder);
	return err;
}

static int is_whole(const struct salvage_report *report)
{
	for (int i = 0; i < SALVAGE_PARTS; i++)
		if (i >= ENV_HOSTS && i <= ENV_LOG && report->part[i].lost_records)
			return 0;
	return 1;
}

/* Opens the new store, which checks it. */
static int check(const char *dir, struct salvage_report *report, struct err_note *why)
{
	struct store *s;
	const int err = store_open(&s, dir, STORE_READ, why);

	if (err)
		return err;
	report->pages = store_pages(s);
	store_drop(s);
	return 0;
}

static int salvage(struct salvage *s, const char *path, const char *into, enum store_rebuilt to_what, struct err_note *why)
{
	int err = salvage_scan(&s->scan, path, why);

	if (err)
		return err;
	gather(s);
	if (s->report->part[ENV_META].sound == 0 && s->n[1] == 0)
		return err_set(why, ERR_DAMAGED, "nothing of a store is found in '%s'", path);
	err = write_file(s, into, why);
	if (err)
		return err;
	/* records may be whole, and yet not fit one another: a page's later visits, of which some are lost */
	err = s->has_counts && is_whole(s->report) ? check(into, s->report, why) : ERR_DAMAGED;
	if (err != ERR_DAMAGED)
		return err;
	s->report->is_rebuilt = 1;
	s->report->is_uncounted = !s->has_counts;
	err = rebuild(into, to_what, s->report, why);
	return err ? err : check(into, s->report, why);
}

static int salvage_for(enum store_rebuilt to_what, const char *dir, const char *into, struct salvage_report *report,
	struct err_note *why)
{
	struct salvage s = {.report = report};
	struct buf path = BUF_EMPTY;
	int err = lock_is_free(dir, why);

	*report = (struct salvage_report){.pages = 0};
	for (int i = 0; i < SALVAGE_PARTS; i++)
		report->part[i].name = env_db_name((enum env_db)i);
	buf_format(&path, "%s/data.mdb", dir);
	s.scan.fd = -1;
	if (!err)
		err = salvage(&s, path.at, into, to_what, why);
	salvage_scan_release(&s.scan);
	free(s.item);
	free(s.order);
	buf_release(&s.counts);
	buf_release(&path);
	return err;
}

int store_salvage(const char *dir, const char *into, struct salvage_report *report, struct err_note *why)
{
	return salvage_for(STORE_REBUILT_TO_CRAWL, dir, into, report, why);
}

/* --- the rest of a damaged store, for reading */

/* Writes a sentence on what is missing. */
static void tell(const char *dir, const struct salvage_report *report, struct err_note *out)
{
	struct buf text = BUF_EMPTY;

	for (int i = 0; i < SALVAGE_PARTS; i++) {
		const struct salvage_part *p = &report->part[i];
		if (p->lost_records)
			buf_format(&text, "%s%llu of %llu %s", text.used ? ", " : "", (unsigned long long)p->lost_records,
				(unsigned long long)(p->records + p->lost_records), env_db_holds((enum env_db)i));
	}
	if (report->is_uncounted)
		buf_format(&text, "%sthe numbers of records, so that more may be", text.used ? ", " : "");
	err_set(out, ERR_DAMAGED, "'%s' is damaged, and this is answered from the rest of it, which lacks %s%s%s", dir,
		text.used ? text.at : "nothing", *report->settings ? "; lost settings: " : "", report->settings);
	buf_release(&text);
}

int store_open_rest(struct store **out, const char *dir, enum store_rest *rest, struct err_note *missing, struct err_note *why)
{
	const char *usual = getenv("TMPDIR");
	struct salvage_report report;
	int err = store_open(out, dir, STORE_READ, why);

	*rest = STORE_IS_SOUND;
	if (err != ERR_DAMAGED)
		return err;
	char *copy = buf_made("%s/lycosa-rest-XXXXXX", usual && *usual ? usual : "/tmp");
	if (mkdtemp(copy)) {
		err = salvage_for(STORE_REBUILT_TO_READ, dir, copy, &report, why);
		if (!err)
			err = store_open(out, copy, STORE_READ, why);
		store_remove(copy); /* the open store keeps its file */
	} else {
		err = err_set(why, ERR_FILE, "cannot make a folder as '%s' for the rest of '%s': %s", copy, dir,
			ascii_error(errno));
	}
	free(copy);
	if (err)
		return err;
	env_call(&(*out)->env, dir);
	*rest = report.is_rebuilt || *report.settings || report.part[ENV_VISITS].lost_records ||
			report.part[ENV_ROBOTS].lost_records
		? STORE_IS_PARTIAL
		: STORE_IS_MENDED;
	tell(dir, &report, missing);
	return 0;
}
