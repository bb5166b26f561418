/* What a store says of values that no store wrote. The input is a run of records: database (a
 * byte), key, value; they are put into a sound file, so that the values' readers are reached, not
 * the check of the file (tests/storage/test_store_damage.c does that). A key is a length byte and the
 * bytes, or for chunks two bytes of a number; a value two bytes of length and the bytes. */
#include "storage/handle.h"
#include "tests/fuzz/fuzz_folder.h"

#include <fcntl.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct input_left {
	const uint8_t *at;
	size_t n;
};

static struct bytes take(struct input_left *in, size_t n)
{
	struct bytes b = {in->at, n < in->n ? n : in->n};

	in->at += b.n;
	in->n -= b.n;
	return b;
}

static size_t take_number(struct input_left *in, size_t n)
{
	struct bytes b = take(in, n);
	size_t v = 0;

	for (size_t i = 0; i < b.n; i++)
		v = v << 8 | ((const uint8_t *)b.at)[i];
	return v;
}

static int put_all(void *ctx, struct env_batch *batch)
{
	struct input_left in = *(struct input_left *)ctx;

	while (in.n) {
		enum env_db db = (enum env_db)(take_number(&in, 1) % ENV_DBS);
		uint8_t number[8] = {0};
		struct bytes key = {number, 8};
		if (db == ENV_META || db == ENV_SETTINGS) {
			key = take(&in, take_number(&in, 1));
		} else {
			size_t first = take_number(&in, 2);
			number[6] = (uint8_t)(first >> 8);
			number[7] = (uint8_t)first;
		}
		struct bytes value = take(&in, take_number(&in, 2));
		if (key.n == 0)
			continue;
		int status = env_put(batch, db, key, value, (struct bytes){NULL, 0}, ENV_ANYWHERE);
		if (status)
			return status;
	}
	return 0;
}

static void hear(void *ctx, const char *line)
{
	(void)line;
	++*(int *)ctx;
}

static void ask(struct store *s)
{
	struct store_page page;
	struct err_note why;
	uint32_t id;
	int lines = 0;
	FILE *null = fopen("/dev/null", "w");

	if (store_verify(s, hear, &lines, &why) == 0 && lines)
		abort();
	if (store_page(s, 0, &page))
		(void)!store_find(s, page.url, page.url_length, &id);
	store_host_name(s, 0);
	if (store_dump(s, null, &why) == 0 && store_pages(s) && !store_page(s, 0, &page))
		abort();
	fclose(null);
}

/* LMDB takes long to open a file for writing: one stays open, and what is read is a copy of it. */
static struct env made;
static char written[FUZZ_FOLDER], read_from[FUZZ_FOLDER];

static void remove_dir(const char *dir)
{
	static const char *const files[] = {"data.mdb", "lock.mdb", "writer"};
	char path[64];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
}

static void remove_both(void)
{
	env_close(&made);
	remove_dir(written);
	remove_dir(read_from);
}

static void make_ready(void)
{
	struct err_note why;

	if (made.lmdb)
		return;
	fuzz_folder(written);
	fuzz_folder(read_from);
	if (env_open(&made, written, STORE_WRITE, &why) || atexit(remove_both))
		abort();
}

/* All goes but the format's number, which an input may have put too. */
static int make_empty(void)
{
	char format[16], name[] = "format";
	MDB_val key = {strlen(name), name}, value = {(size_t)sprintf(format, "%d", STORE_FORMAT), format};
	MDB_txn *txn;

	if (mdb_txn_begin(made.lmdb, NULL, 0, &txn))
		return 0;
	for (int db = 0; db < ENV_DBS; db++)
		mdb_drop(txn, made.db[db], 0);
	mdb_put(txn, made.db[ENV_META], &key, &value, 0);
	return mdb_txn_commit(txn) == 0;
}

static int copy_it(void)
{
	char from[64], to[64];
	struct stat about;

	snprintf(from, sizeof from, "%s/data.mdb", written);
	snprintf(to, sizeof to, "%s/data.mdb", read_from);
	const int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	const int copied =
		in >= 0 && out >= 0 && fstat(in, &about) == 0 && sendfile(out, in, NULL, (size_t)about.st_size) == about.st_size;
	close(in);
	close(out);
	return copied;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct input_left in = {data, n};
	struct err_note why;
	struct store *s;

	make_ready();
	if (!make_empty() || env_write(&made, n, put_all, &in, &why) || !copy_it())
		return 0;
	/* A writer opens more slowly: every eighth input. */
	for (int mode = 0; mode <= (n % 8 == 0); mode++) {
		if (store_open(&s, read_from, mode ? STORE_WRITE : STORE_READ, &why) == 0)
			ask(s);
		store_drop(s);
	}
	return 0;
}
