/* Snapshots whose checksum is right and whose contents are not: the log is read instead. */
#include "tests/storage/made_crawl.h"

#include "crawler/resume/snapshot.c"

static const struct file_tail tails[] = {
	{.bytes = 4096},                                          /* there are no pieces */
	{.bytes = (uint64_t)1 << 62},                             /* more than there is memory */
	{.bytes = UINT64_MAX},                                    /* more than there are addresses */
	{.bytes = 0, .knowledge_bytes = (uint64_t)1 << 62},       /* a sound half, and one that is not */
	{.bytes = UINT64_MAX - 7, .knowledge_bytes = UINT64_MAX}, /* a sum that comes round again */
	{.bytes = 8, .knowledge_bytes = 8},                       /* pieces of the wrong length, or none */
};

/* Writes a snapshot of these pieces, with a checksum that fits. */
static void write_one(const char *dir, struct store *s, struct file_tail tail, const struct buf *pieces)
{
	char *path = buf_made("%s/" SNAPSHOT_NAME, dir);
	FILE *f = fopen(path, "w");
	XXH3_state_t *sum = XXH3_createState();

	tail.magic = SNAPSHOT_MAGIC;
	tail.entries = store_log_length(s);
	assert_true(store_log_sum(s, &tail.log_sum));
	const struct identity id = identity_of(fileno(f));
	begin_sum(sum, 0, &id);
	XXH3_128bits_update(sum, pieces->at, pieces->used);
	XXH3_128bits_update(sum, &tail, sizeof tail);
	const XXH128_hash_t is = XXH3_128bits_digest(sum);
	fwrite(pieces->used ? pieces->at : "", 1, pieces->used, f);
	fwrite(&tail, sizeof tail, 1, f);
	assert_true(fwrite(&is, sizeof is, 1, f) == 1 && fclose(f) == 0);
	XXH3_freeState(sum);
	free(path);
}

/* Opens the snapshot. It must not be used, and the log must be left to be read. */
static void try_one(const char *dir, struct store *s)
{
	const struct snapshot_place place = {.dir = dir};
	struct snapshot snapshot;

	assert_int_equal(snapshot_open(&snapshot, &place, s, NULL, NULL), 0);
	assert_null(snapshot.bytes);
	assert_null(snapshot.knowledge);
	assert_int_equal(snapshot.entries, 0);
	snapshot_close(&snapshot);
}

static void pieces_that_are_none_are_left_aside(void **state)
{
	struct zstd_packer *packer = NULL;
	struct buf pieces = BUF_EMPTY;
	char dir[64];

	(void)state;
	struct store *s = open_store(strcpy(dir, scratch()), STORE_WRITE);
	add(s, "http://h.test/");
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED}, NULL), 0);
	commit(s);
	for (int kind = 0; kind < 3; kind++) {
		buf_clear(&pieces);
		if (kind == 1)
			buf_text(&pieces, "this is no piece of a snapshot");
		else if (kind == 2)
			zstd_pack(&packer, LEVEL, "seven b", 7, &pieces);
		for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
			write_one(dir, s, tails[i], &pieces);
			try_one(dir, s);
		}
	}
	zstd_packer_free(packer);
	buf_release(&pieces);
	store_drop(s);
}

static void a_snapshot_is_of_this_user_and_of_this_file(void **state)
{
	const struct identity is = identity_of(0);
	struct mapped m = {.id = is};
	char dir[64], path[96];

	(void)state;
	struct store *s = open_store(strcpy(dir, scratch()), STORE_WRITE);
	add(s, "http://h.test/");
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED}, NULL), 0);
	commit(s);
	write_one(dir, s, (struct file_tail){0}, &(struct buf)BUF_EMPTY);
	snprintf(path, sizeof path, "%s/" SNAPSHOT_NAME, dir);
	assert_int_equal(map_file(&m, path), 1);
	assert_null(problem_of(&m, 0));
	m.id.owner++;
	assert_non_null(strstr(problem_of(&m, 0), "another user"));
	m.id.owner--;
	m.id.born_ns++;
	assert_non_null(problem_of(&m, 0));
	munmap((void *)(uintptr_t)m.at, m.n);
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_that_are_none_are_left_aside),
		cmocka_unit_test(a_snapshot_is_of_this_user_and_of_this_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
