/* What a store says of values that no store wrote. The input is a run of records: database (a
 * byte), key, value; they are put into a sound file, so that the values' readers are reached, not
 * the check of the file (tests/test_store_damage.c does that). A key is a length byte and the
 * bytes, or for chunks two bytes of a number; a value two bytes of length and the bytes. */
#include "storage/handle.h"

#include <stdlib.h>
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
		store_find(s, page.url, page.url_length, &id);
	store_host_name(s, 0);
	if (store_dump(s, null, &why) == 0 && store_pages(s) && !store_page(s, 0, &page))
		abort();
	fclose(null);
}

static void remove_all(const char *dir)
{
	static const char *const files[] = {"data.mdb", "lock.mdb", "writer"};
	char path[128];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct input_left in = {data, n};
	char dir[] = "/dev/shm/lycosa-fuzz-XXXXXX";
	struct err_note why;
	struct env env;
	struct store *s;

	if (!mkdtemp(dir))
		return 0;
	if (env_open(&env, dir, STORE_WRITE, &why) == 0) {
		int status = env_write(&env, n, put_all, &in, &why);
		env_close(&env);
		/* A writer opens more slowly: every fourth input. */
		for (int mode = 0; mode <= (n % 4 == 0) && status == 0; mode++) {
			if (store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why) == 0)
				ask(s);
			store_close(s);
		}
	}
	remove_all(dir);
	return 0;
}
