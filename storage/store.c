#include "storage/store.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/output.h"
#include "base/mem.h"
#include "storage/handle.h"
#include "storage/lock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETTINGS_MOST 1024

/* --- values that are not committed */

struct place {
	uint64_t hash;
	size_t of; /* new_value + 1 */
};

/* Returns the new value of a key, which is added where it is missing and `make` is set; or NULL. A key whose hash another one has
 * takes the next. */
static struct new_value *find_value(struct store *s, enum env_db db, struct bytes key, int make)
{
	for (uint64_t hash = env_hash(db, key);; hash++) {
		struct place *p = make ? map_at(&s->value_of, hash) : map_find(&s->value_of, hash);
		if (!p)
			return NULL;
		if (!p->of) {
			s->value = mem_grow(s->value, &s->value_room, s->values + 1, sizeof *s->value);
			s->value[s->values] = (struct new_value){.db = db};
			buf_add(&s->value[s->values].key, key.at, key.n);
			p->of = ++s->values;
		}
		struct new_value *v = &s->value[p->of - 1];
		if (v->db == db && v->key.used == key.n && memcmp(v->key.at, key.at, key.n) == 0)
			return v;
	}
}

void values_take(struct store *s, enum env_db db, struct bytes key, struct buf value)
{
	struct new_value *v = find_value(s, db, key, 1);

	buf_release(&v->value);
	v->value = value;
	v->is_gone = 0;
}

void values_drop(struct store *s, enum env_db db, struct bytes key)
{
	find_value(s, db, key, 1)->is_gone = 1;
}

int values_get(struct store *s, enum env_db db, struct bytes key, struct bytes *value)
{
	const struct new_value *v = find_value(s, db, key, 0);

	if (!v)
		return env_get(&s->env, db, key, value, NULL) == 1;
	*value = (struct bytes){v->value.at, v->value.used};
	return !v->is_gone;
}

static int values_fill(const struct store *s, struct env_batch *batch)
{
	int status = 0;

	for (const struct new_value *v = s->value, *end = v + s->values; v < end && status == 0; v++) {
		const struct bytes key = {v->key.at, v->key.used}, value = {v->value.at, v->value.used}, none = {NULL, 0};
		status = v->is_gone ? env_drop(batch, v->db, key) : env_put(batch, v->db, key, value, none, ENV_ANYWHERE);
	}
	return status;
}

/* Forgets them, after they have been committed. */
static void values_release(struct store *s)
{
	for (size_t i = 0; i < s->values; i++) {
		buf_release(&s->value[i].key);
		buf_release(&s->value[i].value);
	}
	free(s->value);
	s->value = NULL;
	s->values = s->value_room = 0;
	map_release(&s->value_of);
}

/* --- opening and closing */

void store_runs(struct store *s, struct records *run[STORE_RUNS])
{
	run[0] = &s->hosts.records;
	run[1] = &s->pages.records;
	run[2] = &s->results;
	run[3] = &s->links;
	run[4] = &s->log;
}

/* Reads the numbers of records, which are 0 before the first commit, and how many records of links have the form of format 4. */
static int read_counts(struct store *s, uint64_t count[STORE_RUNS], struct err_note *why)
{
	const int links = 3;
	struct bytes value;

	memset(count, 0, STORE_RUNS * sizeof *count);
	int got = env_get(&s->env, ENV_META, (struct bytes){"counts", 6}, &value, why);
	if (got <= 0) /* none before the first commit */
		return got;
	const uint8_t *at = value.at, *end = at + value.n;
	for (int i = 0; i < STORE_RUNS; i++) {
		/* the log alone is not numbered by 32 bits */
		if (varint_read(&at, end, &count[i]) || (i < STORE_RUNS - 1 && count[i] >= UINT32_MAX))
			return err_set(why, ERR_DAMAGED, "'%s' is damaged: its counts", s->env.path);
	}
	if (s->env.format < ENV_FORMAT_RUNS)
		s->links_in_steps = count[links];
	else if (at < end && (varint_read(&at, end, &s->links_in_steps) || s->links_in_steps > count[links]))
		at = NULL;
	if (at != end)
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: its counts", s->env.path);
	return 0;
}

static void add_setting(struct store *s, const char *name, size_t name_n, const char *text, size_t n)
{
	struct setting *x;

	s->setting = mem_grow(s->setting, &s->setting_room, s->settings + 1, sizeof *s->setting);
	x = &s->setting[s->settings++];
	x->name = mem_zero(name_n + 1, 1);
	x->text = mem_zero(n + 1, 1);
	memcpy(x->name, name, name_n);
	memcpy(x->text, text, n);
}

static int read_setting(void *ctx, struct bytes name, struct bytes text, struct err_note *why)
{
	struct store *s = ctx;

	if (s->settings == SETTINGS_MOST || text.n > STORE_TEXT_MAX || memchr(name.at, 0, name.n) || memchr(text.at, 0, text.n))
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: a setting", s->env.path);
	add_setting(s, name.at, name.n, text.at, text.n);
	return 0;
}

/* Reads the store when it is opened. A store that is only read builds the indexes of its texts when they are first used. */
static int load(struct store *s, enum store_mode mode, struct err_note *why)
{
	struct records *run[STORE_RUNS];
	uint64_t count[STORE_RUNS];

	int status = env_walk(&s->env, ENV_SETTINGS, read_setting, s, why);
	if (status || mode == STORE_SETTINGS)
		return status;
	status = read_counts(s, count, why);
	store_runs(s, run);
	for (int i = 0; i < STORE_RUNS && status == 0; i++)
		status = records_load(run[i], count[i], why);
	s->linked = store_pages(s);
	if (status == 0 && !s->env.is_suspect)
		status = store_check(s, why);
	if (status || mode != STORE_WRITE)
		return status;
	if ((status = texts_build(&s->hosts, why)) || (status = texts_build(&s->pages, why)))
		return status;
	status = log_open(s, why);
	return status ? status : robots_open(s, why);
}

static int make_folder(const char *dir, struct err_note *why)
{
	struct stat there;

	if (mkdir(dir, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return err_set(why, ERR_FILE, "cannot make the folder '%s': %s", dir, ascii_error(errno));
	if (stat(dir, &there) == 0 && !S_ISDIR(there.st_mode))
		return err_set(why, ERR_FILE, "'%s' is a file, and a store is a folder: name another", dir);
	return 0;
}

/* Says, behind what is wrong with a store, what can be done. */
static int advise(const char *dir, struct err_note *why)
{
	struct err_note note = why ? *why : (struct err_note){""};

	return err_set(why, ERR_DAMAGED,
		"%s; nothing was changed: put back a copy, or make a sound store of the rest ('lycosa store salvage %s --to NEW')",
		note.text, dir);
}

/* Makes the struct of a store, and opens the store in it. The lock that a writer holds becomes the store's. */
static int open_in(struct store **out, const char *dir, enum store_mode mode, int is_suspect, int lock, struct err_note *why)
{
	struct suspect *any = mem_zero(1, sizeof *any);
	struct store *s = &any->store;

	s->lock = lock;
	s->links_of = STORE_NO_PAGE;
	map_init(&s->value_of, sizeof(struct place));
	pages_init(s);
	records_init(&s->results, &s->env, ENV_RESULTS, RECORDS_BY_NUMBER, CHUNK_BYTES(4));
	records_init(&s->links, &s->env, ENV_LINKS, RECORDS_BY_NUMBER, CHUNK_BYTES(8));
	records_init(&s->log, &s->env, ENV_LOG, RECORDS_IN_SEQUENCE, CHUNK_BYTES(1));
	int status = env_open(&s->env, dir, mode == STORE_WRITE ? STORE_WRITE : STORE_READ, why);
	s->env.is_suspect = is_suspect;
	if (status == 0)
		status = load(s, mode, why);
	*out = status ? NULL : s;
	if (status)
		store_drop(s);
	return status == ERR_DAMAGED && !is_suspect ? advise(dir, why) : status;
}

/* Returns the folder within a store's in which store_compact() makes its copy; the caller frees it. */
static char *copy_folder(const char *dir)
{
	return buf_made("%s/compacting", dir);
}

static int open_store(struct store **out, const char *dir, enum store_mode mode, int is_suspect, struct err_note *why)
{
	int lock = -1;

	*out = NULL;
	if (mode != STORE_WRITE && lock_is_own(dir))
		return err_set(why, ERR_BUSY, "'%s' is in use: process %ld, this one, writes it", dir, (long)getpid());
	int status = mode == STORE_WRITE ? make_folder(dir, why) : 0;
	if (status == 0 && mode == STORE_WRITE)
		status = lock_take(dir, &lock, why);
	if (status == 0 && mode == STORE_WRITE) {
		char *copy = copy_folder(dir);
		store_remove(copy); /* what a killed store_compact() has left */
		free(copy);
	}
	return status ? status : open_in(out, dir, mode, is_suspect, lock, why);
}

int store_open(struct store **out, const char *dir, enum store_mode mode, struct err_note *why)
{
	return open_store(out, dir, mode, 0, why);
}

int suspect_open(struct suspect **out, const char *dir, struct err_note *why)
{
	struct store *s;
	const int err = open_store(&s, dir, STORE_READ, 1, why);

	*out = (struct suspect *)s; /* its first member */
	return err;
}

void suspect_drop(struct suspect *s)
{
	store_drop(s ? &s->store : NULL);
}

int store_unread(struct store *s, const char *what, uint64_t number)
{
	struct err_note note;

	if (!s->env.is_suspect && !s->env.unread) {
		err_set(&note, ERR_DAMAGED, "'%s' is damaged: %s %llu cannot be read", s->env.path, what,
			(unsigned long long)number);
		(void)!env_unread(&s->env, ERR_DAMAGED, &note, NULL);
	}
	return 0;
}

int store_doubt(struct store *s, struct err_note *why)
{
	if (!s->env.unread || s->env.is_suspect)
		return 0;
	const int err = env_unread(&s->env, s->env.unread, &s->env.unread_why, why);
	return err == ERR_DAMAGED ? advise(s->env.folder, why) : err;
}

int store_close(struct store *s, int err, struct err_note *why)
{
	if (s && !err)
		err = store_doubt(s, why);
	store_drop(s);
	return err;
}

void store_drop(struct store *s)
{
	if (!s)
		return;
	pages_release(s);
	records_release(&s->results);
	records_release(&s->links);
	records_release(&s->log);
	values_release(s);
	if (s->env.folder)
		env_close(&s->env);
	if (s->lock >= 0)
		close(s->lock);
	for (size_t i = 0; i < s->settings; i++) {
		free(s->setting[i].name);
		free(s->setting[i].text);
	}
	free(s->setting);
	latest_release(&s->latest_result);
	latest_release(&s->latest_links);
	free(s->link);
	free(s->kind);
	free(s->anchor);
	buf_release(&s->anchors);
	buf_release(&s->scratch);
	free(s);
}

int store_let_go(struct store *s, struct err_note *why)
{
	struct records *run[STORE_RUNS];
	int status = 0;

	assert(s->env.mode == STORE_READ);
	store_runs(s, run);
	for (int i = 0; i < STORE_RUNS && status == 0; i++)
		status = records_pin_last(run[i], why);
	if (status == 0)
		env_let_go(&s->env);
	return status;
}

int store_is(const char *dir)
{
	char *path = buf_made("%s/data.mdb", dir);
	struct stat about;
	const int is = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;

	free(path);
	return is;
}

/* --- committing */

int store_take_room(struct store *s, const struct records *r, size_t n, struct err_note *why)
{
	assert(s->env.mode == STORE_WRITE);
	if (s->uncommitted_bytes + n > STORE_BATCH_MAX)
		return err_set(why, ERR_TOO_BIG, "too much for one commit of '%s'", s->env.folder);
	if (r != &s->log && r->n >= UINT32_MAX - 1)
		return err_set(why, ERR_LIMIT, "'%s' is full: database '%s' has %llu records", s->env.folder, env_db_name(r->db),
			(unsigned long long)r->n);
	s->uncommitted_bytes += n;
	return 0;
}

int store_scrub(struct store *s, size_t n, struct err_note *why)
{
	struct records *run[STORE_RUNS];
	struct err_note note;
	size_t bytes;

	store_runs(s, run);
	for (size_t read = 0; read < n; read += bytes) {
		while (s->scrub_run < STORE_RUNS && s->scrub_chunk >= run[s->scrub_run]->chunks) {
			s->scrub_run++;
			s->scrub_chunk = 0;
		}
		if (s->scrub_run == STORE_RUNS) {
			s->scrub_run = 0;
			s->scrub_rounds++;
			return 1;
		}
		const int err = records_scrub_chunk(run[s->scrub_run], s->scrub_chunk++, &bytes, &note);
		if (err)
			return err_set(why, (enum err)err,
				"%s; the disk or the memory is at fault; the last commit stays, and 'lycosa store salvage %s --to NEW' makes a sound store of it",
				note.text, s->env.folder);
	}
	return 0;
}

struct store_scrub store_scrubbed(struct store *s)
{
	struct store_scrub all = {.rounds = s->scrub_rounds, .chunks = s->scrub_chunk};
	struct records *run[STORE_RUNS];

	store_runs(s, run);
	for (int i = 0; i < STORE_RUNS; i++) {
		all.chunks += i < s->scrub_run ? run[i]->chunks : 0;
		all.total += run[i]->chunks;
	}
	return all;
}

/* Writes how far scrubbing is, if there was time for it. */
static int put_scrubbed(struct store *s, struct env_batch *batch)
{
	const struct store_scrub done = store_scrubbed(s);
	struct buf text = BUF_EMPTY;
	int status = 0;

	buf_format(&text, "%llu rounds, and %llu of %llu chunks, without damage", (unsigned long long)done.rounds,
		(unsigned long long)done.chunks, (unsigned long long)done.total);
	if (done.rounds || done.chunks)
		status = env_put(batch, ENV_SETTINGS, (struct bytes){STORE_SCRUBBED, strlen(STORE_SCRUBBED)},
			(struct bytes){text.at, text.used}, (struct bytes){NULL, 0}, ENV_ANYWHERE);
	buf_release(&text);
	return status;
}

/* Writes all that was added since the last commit into a batch of LMDB. */
static int fill(void *ctx, struct env_batch *batch)
{
	const struct bytes none = {NULL, 0};
	struct store *s = ctx;
	struct records *run[STORE_RUNS];
	struct buf *b = &s->scratch;
	int status = 0;

	store_runs(s, run);
	buf_clear(b);
	for (int i = 0; i < STORE_RUNS && status == 0; i++) {
		buf_varint(b, run[i]->n);
		status = records_fill(run[i], batch);
	}
	if (s->links_in_steps)
		buf_varint(b, s->links_in_steps);
	if (status == 0)
		status = values_fill(s, batch);
	if (status == 0)
		status = put_scrubbed(s, batch);
	if (status == 0 && s->env.format < STORE_FORMAT)
		status = env_put_format(batch);
	if (status == 0)
		status = env_put(batch, ENV_META, (struct bytes){"counts", 6}, (struct bytes){b->at, b->used}, none, ENV_ANYWHERE);
	return status;
}

int store_commit(struct store *s, struct err_note *why)
{
	struct records *run[STORE_RUNS];

	assert(s->env.mode == STORE_WRITE);
	if (s->uncommitted_bytes == 0 && !s->settings_changed)
		return 0;
	int status = env_write(&s->env, s->uncommitted_bytes, fill, s, why);
	if (status)
		return status;
	store_runs(s, run);
	s->env.format = STORE_FORMAT;
	for (int i = 0; i < STORE_RUNS; i++)
		records_committed(run[i]);
	values_release(s);
	s->settings_changed = 0;
	s->uncommitted_bytes = 0;
	return 0;
}

size_t store_uncommitted(const struct store *s)
{
	return s->uncommitted_bytes;
}

int store_is_committed(const struct store *s)
{
	return s->uncommitted_bytes == 0 && !s->settings_changed;
}

/* --- settings */

static struct setting *find_setting(struct store *s, const char *name)
{
	for (size_t i = 0; i < s->settings; i++)
		if (strcmp(s->setting[i].name, name) == 0)
			return &s->setting[i];
	return NULL;
}

int store_set(struct store *s, const char *name, const char *text, struct err_note *why)
{
	struct setting *x = find_setting(s, name);
	size_t n = strlen(text), name_n = strlen(name);

	assert(s->env.mode == STORE_WRITE && name_n > 0 && name_n <= STORE_NAME_MAX);
	if (n > STORE_TEXT_MAX || (!x && s->settings == SETTINGS_MOST))
		return err_set(why, ERR_TOO_BIG, "setting '%s' is too long (%zu bytes, at most %u)", name, n, STORE_TEXT_MAX);
	if (!x) {
		add_setting(s, name, name_n, text, n);
	} else if (strcmp(x->text, text) == 0) {
		return 0;
	} else {
		free(x->text);
		x->text = mem_text(text);
	}
	struct buf value = BUF_EMPTY;
	buf_add(&value, text, n);
	values_take(s, ENV_SETTINGS, (struct bytes){name, name_n}, value);
	s->settings_changed = 1;
	return 0;
}

const char *store_get(struct store *s, const char *name)
{
	const struct setting *x = find_setting(s, name);

	return x ? x->text : NULL;
}

/* --- compacting. What is in use is copied, the copy checked, and renamed to the place of the file. Meanwhile LMDB's lock is
 * held exclusively. Processes that share a lock file share the table of readers, and those that have the old file open must not
 * share it with those that open the new file, whose pages are others. So the lock file is removed with the old file, and a
 * process that has waited for the lock meanwhile opens the store again (env.c). */

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Opens a store whose writer's lock this process holds, checks all of it, and, unless `copy` is NULL, copies it to a new folder. */
static int check(const char *dir, const char *copy, struct err_note *why)
{
	struct store *s;
	int fd = -1, err = open_in(&s, dir, STORE_READ, 0, -1, why);

	if (err)
		return err;
	char *file = copy ? buf_made("%s/data.mdb", copy) : NULL;
	err = env_verify(&s->env, why);
	if (!err && copy && mkdir(copy, 0777) != 0)
		err = err_set(why, ERR_FILE, "cannot make '%s': %s", copy, ascii_error(errno));
	if (!err && copy && (fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0)
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", file, ascii_error(errno));
	if (!err && copy)
		err = env_copy(&s->env, fd, why);
	if (!err && copy && (fsync(fd) || lasting_name(file)))
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", file, ascii_error(errno));
	if (fd >= 0)
		close(fd);
	free(file);
	store_drop(s);
	return err;
}

/* Puts the copy in place while it has LMDB's lock alone. */
static int put_in_place(const char *dir, const char *copy, struct err_note *why)
{
	struct flock first = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	char *lock = buf_made("%s/lock.mdb", dir);
	const int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	int err = 0;

	if (fd < 0)
		err = err_set(why, ERR_FILE, "cannot open '%s': %s", lock, ascii_error(errno));
	else if (fcntl(fd, F_SETLK, &first) == 0)
		err = unlink(lock) || store_put(copy, dir)
			? err_set(why, ERR_FILE, "cannot put '%s/data.mdb' in place: %s", copy, ascii_error(errno))
			: 0;
	else if (fcntl(fd, F_GETLK, &first) == 0 && first.l_type != F_UNLCK)
		err = err_set(why, ERR_BUSY, "'%s' is in use: process %ld reads it; compact it when that has ended", dir,
			(long)first.l_pid);
	else
		err = err_set(why, ERR_BUSY, "'%s' is in use: compact it when it is not", dir);
	if (fd >= 0)
		close(fd);
	free(lock);
	return err;
}

int store_compact(const char *dir, uint64_t *before, uint64_t *after, struct err_note *why)
{
	int lock, err;

	if (!store_is(dir))
		return err_set(why, ERR_FILE, "no store in '%s'", dir);
	err = lock_take(dir, &lock, why);
	if (err)
		return err;
	char *made = copy_folder(dir), *file = buf_made("%s/data.mdb", dir);
	store_remove(made);
	*before = size_of(file);
	err = check(dir, made, why);
	if (!err)
		err = check(made, NULL, why);
	if (!err)
		err = put_in_place(dir, made, why);
	*after = size_of(file);
	store_remove(made);
	close(lock);
	free(made);
	free(file);
	return err;
}
