/* What lies in a store, behind its back: values put as they are, and stores as format 1 had them. */
#ifndef TESTS_RAW_STORE_H
#define TESTS_RAW_STORE_H

#include "tests/test.h"

#include <endian.h>
#include <lmdb.h>
#include <xxhash.h>

static inline MDB_env *raw_open(const char *dir, MDB_txn **txn)
{
	MDB_env *env;

	assert_int_equal(mdb_env_create(&env), 0);
	mdb_env_set_maxdbs(env, 16);
	mdb_env_set_mapsize(env, (size_t)1 << 30);
	assert_int_equal(mdb_env_open(env, dir, MDB_NOSYNC, 0666), 0);
	assert_int_equal(mdb_txn_begin(env, NULL, 0, txn), 0);
	return env;
}

static const char *const raw_dbs[] = {"meta", "settings", "hosts", "pages", "results", "links", "log", "robots", "visits"};

#define RAW_DBS (sizeof raw_dbs / sizeof *raw_dbs)

/* Puts a value as it is. */
static inline void raw_put_plain(const char *dir, const char *db, const char *key, size_t key_n, const char *value, size_t n)
{
	MDB_txn *txn;
	MDB_env *env = raw_open(dir, &txn);
	MDB_dbi dbi;
	MDB_val k = {key_n, (void *)(uintptr_t)key}, v = {n, (void *)(uintptr_t)value};

	assert_int_equal(mdb_dbi_open(txn, db, MDB_CREATE, &dbi), 0);
	assert_int_equal(mdb_put(txn, dbi, &k, &v, 0), 0);
	assert_int_equal(mdb_txn_commit(txn), 0);
	mdb_env_close(env);
}

/* Puts a value, with the checksum that it has in a database of a store. */
static inline void raw_put(const char *dir, const char *db, const char *key, size_t key_n, const char *value, size_t n)
{
	char *all = malloc(n + 8);
	uint64_t number = 0;

	while (number < RAW_DBS && strcmp(raw_dbs[number], db) != 0)
		number++;
	memcpy(all, value, n);
	if (number < RAW_DBS && (key_n != 6 || memcmp(key, "format", 6) != 0)) {
		const uint64_t seed = XXH3_64bits_withSeed(key, key_n, number + 1);
		const uint64_t sum = htole64(XXH3_64bits_withSeed(value, n, seed));
		memcpy(all + n, &sum, 8);
		n += 8;
	}
	raw_put_plain(dir, db, key, key_n, all, n);
	free(all);
}

/* Takes the checksums off the values of one database. */
static inline void raw_strip(MDB_txn *txn, const char *db)
{
	MDB_cursor *cursor;
	MDB_dbi dbi;
	MDB_val k, v;

	assert_int_equal(mdb_dbi_open(txn, db, 0, &dbi), 0);
	assert_int_equal(mdb_cursor_open(txn, dbi, &cursor), 0);
	while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0) {
		if (k.mv_size == 6 && memcmp(k.mv_data, "format", 6) == 0)
			continue;
		char key[64], *value = malloc(v.mv_size);
		memcpy(key, k.mv_data, k.mv_size);
		memcpy(value, v.mv_data, v.mv_size);
		MDB_val same = {k.mv_size, key}, less = {v.mv_size - 8, value};
		assert_int_equal(mdb_cursor_put(cursor, &same, &less, MDB_CURRENT), 0);
		free(value);
	}
	mdb_cursor_close(cursor);
}

/* Makes a store one of format 1, which has no checksums. */
static inline void raw_format_1(const char *dir)
{
	MDB_txn *txn;
	MDB_env *env = raw_open(dir, &txn);

	for (size_t i = 0; i < RAW_DBS; i++)
		raw_strip(txn, raw_dbs[i]);
	assert_int_equal(mdb_txn_commit(txn), 0);
	mdb_env_close(env);
	raw_put(dir, "meta", "format", 6, "1", 1);
}

#endif
