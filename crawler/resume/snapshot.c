#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/paged.h"
#include "crawler/resume/snapshot.h"
#include "frontier/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define EVERY_MS    600000
#define LEAST_MS    10000 /* between two snapshots that follow rerankings */
#define COST_SHARE  100
#define MAGIC       0x33706e7361736f4cu /* "Losasnp3" */
#define MACHINE_MAX 64

/* In front of the bytes of the frontier and those of the knowledge; the checksum comes behind them. */
struct file_head {
	uint64_t magic, entries, log_sum, bytes, knowledge_bytes;
};

/* --- who may read it */

struct snapshot_place snapshot_place(const char *dir, const char *spec)
{
	struct snapshot_place p = {.dir = dir};
	char *texts = mem_text(spec), *rest = texts, *one;

	while ((one = strsep(&rest, ","))) {
		struct stat about;
		char *pages = strrchr(one, ':');
		if (!strchr(one, '/'))
			continue;
		if (pages && !strchr(pages, '/'))
			*pages = 0;
		if (stat(one, &about))
			about = (struct stat){0};
		const uint64_t id[] = {(uint64_t)about.st_dev, about.st_ino, (uint64_t)about.st_size,
			(uint64_t)about.st_mtim.tv_sec, (uint64_t)about.st_mtim.tv_nsec, (uint64_t)about.st_ctim.tv_sec,
			(uint64_t)about.st_ctim.tv_nsec};
		p.code = XXH3_64bits_withSeed(id, sizeof id, p.code);
	}
	free(texts);
	return p;
}

/* Begins a checksum with what tells this machine, this build of the program and its policies, and this file from others. */
static void begin_sum(XXH3_state_t *sum, uint64_t code, const uint64_t file[2])
{
	char machine[MACHINE_MAX] = "";
	struct stat exe = {0};
	const int fd = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? 0 : read(fd, machine, sizeof machine);

	if (fd >= 0)
		close(fd);
	(void)!stat("/proc/self/exe", &exe);
	const int64_t program[3] = {(int64_t)exe.st_size, (int64_t)exe.st_mtim.tv_sec, (int64_t)exe.st_mtim.tv_nsec};
	XXH3_128bits_reset(sum);
	XXH3_128bits_update(sum, machine, n > 0 ? (size_t)n : 0);
	XXH3_128bits_update(sum, PACKAGE_VERSION, sizeof PACKAGE_VERSION);
	XXH3_128bits_update(sum, program, sizeof program);
	XXH3_128bits_update(sum, &code, sizeof code);
	XXH3_128bits_update(sum, file, 2 * sizeof *file);
}

/* --- reading */

/* Maps the file: 1, or 0 if there is none that can be mapped. */
static int map_file(struct snapshot *s, const char *path, uint64_t id[2])
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size >= sizeof(struct file_head) + sizeof(XXH128_hash_t)) {
		id[0] = st.st_dev;
		id[1] = st.st_ino;
		s->map_n = (size_t)st.st_size;
		s->map = mmap(NULL, s->map_n, PROT_READ, MAP_PRIVATE, fd, 0);
		if (s->map == MAP_FAILED)
			s->map = NULL;
		else
			paged_map_begins(s->map, s->map_n, PAGED_IN_ORDER);
	}
	close(fd);
	return s->map != NULL;
}

/* Says what is wrong with the file by itself; NULL: nothing. */
static const char *problem_of(const struct snapshot *s, uint64_t code, const uint64_t id[2])
{
	const struct file_head *head = s->map;
	XXH3_state_t *sum = XXH3_createState();
	XXH128_hash_t said;

	begin_sum(sum, code, id);
	for (size_t at = 0, n = s->map_n - sizeof said; at < n; at += PAGED_PIECE) {
		XXH3_128bits_update(sum, (const char *)s->map + at, n - at < PAGED_PIECE ? n - at : PAGED_PIECE);
		paged_trim();
	}
	const XXH128_hash_t is = XXH3_128bits_digest(sum);
	XXH3_freeState(sum);
	memcpy(&said, (const char *)s->map + s->map_n - sizeof said, sizeof said);
	if (head->magic != MAGIC)
		return "it is no snapshot";
	if (!XXH128_isEqual(said, is))
		return "it is damaged, or of another file, machine or build of the program";
	const uint64_t bytes = s->map_n - sizeof said - sizeof *head;
	return head->bytes <= bytes && head->knowledge_bytes == bytes - head->bytes ? NULL : "it is cut short";
}

/* Reads the log as far as the snapshot goes: 1 if it is the same log. */
static int is_of_log(struct snapshot *s, const struct file_head *head, struct store *store, struct err_note *why)
{
	struct log_entry e;
	uint64_t sum;
	int err = 1;

	s->log = store_log_start(store);
	while (s->entries < head->entries && (err = store_log_next(s->log, &e, why)) > 0) {
		s->entries++;
		if (e.kind == LOG_SEED) {
			s->seeds = mem_grow(s->seeds, &s->seeds_room, s->n_seeds + 1, sizeof *s->seeds);
			s->seeds[s->n_seeds++] = e.id;
		}
	}
	store_log_told(s->log, &sum, &s->pages);
	return err < 0 ? err : s->entries == head->entries && sum == head->log_sum;
}

struct store_log_cursor *snapshot_take_log(struct snapshot *s)
{
	struct store_log_cursor *log = s->log;

	s->log = NULL;
	return log;
}

int snapshot_open(struct snapshot *s, const struct snapshot_place *place, struct store *store, const struct frontier *frontier,
	struct err_note *why)
{
	struct buf path = BUF_EMPTY;
	struct err_note note = {""};
	uint64_t id[2];
	int is_same;

	*s = (struct snapshot){NULL};
	buf_format(&path, "%s/" SNAPSHOT_NAME, place->dir);
	const int is_there = map_file(s, path.at, id);
	const struct file_head *head = s->map;
	const char *problem = is_there ? problem_of(s, place->code, id) : "there is none";
	buf_release(&path);
	if (!problem) {
		is_same = is_of_log(s, head, store, why);
		if (is_same < 0)
			return is_same;
		if (!is_same)
			problem = "it is of another log";
		else if (frontier_can_load(frontier, s->pages, head + 1, head->bytes, &note))
			problem = note.text;
	}
	if (problem) {
		log_detail("the whole log is read, as the snapshot of the frontier cannot be used: %s", problem);
		snapshot_close(s);
		return 0;
	}
	s->bytes = head + 1;
	s->n = head->bytes;
	s->knowledge = (const char *)s->bytes + s->n;
	s->knowledge_n = head->knowledge_bytes;
	log_detail("the frontier is that of its snapshot, with the last %llu of %llu entries of the log",
		(unsigned long long)(store_log_length(store) - s->entries), (unsigned long long)store_log_length(store));
	return 0;
}

void snapshot_close(struct snapshot *s)
{
	paged_map_ends(s->map);
	if (s->map)
		munmap(s->map, s->map_n);
	store_log_stop(s->log);
	free(s->seeds);
	*s = (struct snapshot){NULL};
}

/* --- writing */

struct sink {
	struct output *out; /* NULL: the bytes are only counted */
	XXH3_state_t *sum;
	uint64_t n;
};

static void take_bytes(void *ctx, const void *bytes, size_t n)
{
	struct sink *s = ctx;

	s->n += n;
	if (!s->out)
		return;
	XXH3_128bits_update(s->sum, bytes, n);
	output_bytes(s->out, bytes, n);
}

/* Writes the snapshot to a file: the head, the frontier, the knowledge, and a checksum that binds the snapshot to this file and
 * this program. Frontier and knowledge are saved twice, first to measure their sizes for the head. */
static int write_file(const struct snapshot_keeper *k, const char *path, struct err_note *why)
{
	const int64_t ahead = clock_wall_ms() - k->source->ops->now(k->source);
	struct sink of_frontier = {NULL}, of_knowledge = {NULL}, file = {NULL};
	struct file_head head = {.magic = MAGIC, .entries = store_log_length(k->store)};
	uint64_t id[2];

	if (!store_log_sum(k->store, &head.log_sum))
		return err_set(why, ERR_OTHER, "the sum of the log is not known");
	int err = output_open(&file.out, path, why);
	if (err)
		return err;
	frontier_save(k->frontier, ahead, take_bytes, &of_frontier);
	knowledge_save(k->knowledge, take_bytes, &of_knowledge);
	head.bytes = of_frontier.n;
	head.knowledge_bytes = of_knowledge.n;
	file.sum = XXH3_createState();
	output_identity(file.out, id);
	begin_sum(file.sum, k->place.code, id);
	take_bytes(&file, &head, sizeof head);
	frontier_save(k->frontier, ahead, take_bytes, &file);
	knowledge_save(k->knowledge, take_bytes, &file);
	const XXH128_hash_t sum = XXH3_128bits_digest(file.sum);
	output_bytes(file.out, &sum, sizeof sum);
	XXH3_freeState(file.sum);
	output_sync(file.out);
	return output_close(file.out, why);
}

/* Writes a snapshot. After an error no more snapshots are written, and the crawl goes on, since a snapshot only saves time. */
static void write_snapshot(struct snapshot_keeper *k)
{
	const int64_t started = clock_ms();
	struct buf path = BUF_EMPTY;
	struct frontier_counts n;
	struct err_note why;

	frontier_count(k->frontier, &n);
	buf_format(&path, "%s/" SNAPSHOT_NAME, k->place.dir);
	if (write_file(k, path.at, &why)) {
		k->is_off = 1;
		log_say("no snapshot of the frontier is kept from now on, and a later start reads the whole log: %s", why.text);
	}
	buf_release(&path);
	k->batches = frontier_batches(k->frontier);
	k->entries = store_log_length(k->store);
	k->kept = clock_ms();
	k->cost = k->kept - started;
}

static int is_due(const struct snapshot_keeper *k)
{
	const int64_t since = clock_ms() - k->kept;

	if (k->is_off || since < LEAST_MS)
		return 0;
	return since >= EVERY_MS || (frontier_batches(k->frontier) > k->batches && since >= COST_SHARE * k->cost);
}

static int step(void *ctx, struct err_note *why)
{
	struct snapshot_keeper *k = ctx;

	if (!is_due(k))
		return 0;
	int err = recorder_finish(k->recorder, why);
	if (!err)
		write_snapshot(k);
	return err;
}

void keeper_init(struct snapshot_keeper *k, const struct snapshot_place *place, struct store *store,
	const struct frontier *frontier, struct knowledge *knowledge, struct source *source, struct recorder *recorder)
{
	*k = (struct snapshot_keeper){.place = *place,
		.store = store,
		.frontier = frontier,
		.knowledge = knowledge,
		.source = source,
		.recorder = recorder,
		.kept = clock_ms(),
		.is_off = !place->dir || !frontier_can_save(frontier)};
}

struct observer keeper_observer(struct snapshot_keeper *k)
{
	return (struct observer){.ctx = k, .step = step};
}

int keeper_finish(struct snapshot_keeper *k, struct err_note *why)
{
	int err = recorder_finish(k->recorder, why);

	if (!err && !k->is_off && store_log_length(k->store) > k->entries)
		write_snapshot(k);
	return err;
}
