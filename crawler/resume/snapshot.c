#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/paged.h"
#include "base/unzstd.h"
#include "crawler/resume/snapshot.h"
#include "frontier/snapshot.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define EVERY_MS       600000
#define LEAST_MS       10000 /* between two snapshots that follow rerankings */
#define COST_SHARE     100
#define SNAPSHOT_MAGIC 0x35706e7361736f4cu /* "Losasnp5" */
#define MACHINE_MAX    64
#define PIECE          (PAGED_PIECE / 4)
#define LEVEL          1 /* of zstd: half of the bytes are parts of hashes, of which a higher level makes no fewer */

/* Behind the bytes of the frontier and those of the knowledge, which are packed in pieces of PIECE bytes; the checksum comes behind
 * it. */
struct file_tail {
	uint64_t magic, entries, log_sum, bytes, knowledge_bytes; /* before they are packed */
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

/* What tells a file from all others. Who makes an archive of a store can choose no birth, nor who makes a file here its owner. */
struct identity {
	uint64_t device, inode, born_s, born_ns, owner;
};

static struct identity identity_of(int fd)
{
	struct statx st = {0};

	(void)!statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st);
	return (struct identity){(uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor, st.stx_ino, (uint64_t)st.stx_btime.tv_sec,
		st.stx_btime.tv_nsec, st.stx_uid};
}

/* Begins a checksum with what tells this machine, this build of the program and its policies, and this file from others. */
static void begin_sum(XXH3_state_t *sum, uint64_t code, const struct identity *file)
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
	XXH3_128bits_update(sum, file, sizeof *file);
}

/* --- reading */

/* A file that is mapped. */
struct mapped {
	const char *at;
	size_t n;
	struct identity id;
	struct file_tail tail;
};

/* Maps the file: 1, or 0 if there is none that can be mapped. */
static int map_file(struct mapped *m, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	void *at = MAP_FAILED;
	struct stat st = {0};

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size >= sizeof m->tail + sizeof(XXH128_hash_t))
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	*m = (struct mapped){NULL, (size_t)st.st_size, identity_of(fd), {0}};
	close(fd);
	if (at == MAP_FAILED)
		return 0;
	m->at = at;
	paged_map_begins(at, m->n, PAGED_IN_ORDER);
	return 1;
}

/* Reads the tail, and says what is wrong with the file by itself; NULL: nothing. */
static const char *problem_of(struct mapped *m, uint64_t code)
{
	const size_t n = m->n - sizeof(XXH128_hash_t);
	XXH3_state_t *sum = XXH3_createState();
	XXH128_hash_t said;

	begin_sum(sum, code, &m->id);
	for (size_t at = 0; at < n; at += PAGED_PIECE) {
		XXH3_128bits_update(sum, m->at + at, n - at < PAGED_PIECE ? n - at : PAGED_PIECE);
		paged_trim();
	}
	const XXH128_hash_t is = XXH3_128bits_digest(sum);
	XXH3_freeState(sum);
	memcpy(&said, m->at + n, sizeof said);
	memcpy(&m->tail, m->at + n - sizeof m->tail, sizeof m->tail);
	if (m->tail.magic != SNAPSHOT_MAGIC)
		return "it is no snapshot";
	if (m->id.owner != geteuid())
		return "it is a file of another user";
	return XXH128_isEqual(said, is) ? NULL : "it is damaged, or of another file, machine or build of the program";
}

/* Unpacks n bytes of a map from *from on, which is moved behind them. Returns them, which the caller frees; NULL if something else
 * lies there. */
static char *unpack(const struct mapped *m, size_t *from, size_t n)
{
	char *out = n / PIECE < m->n ? paged_new(n, 1) : NULL; /* a piece has some bytes */
	struct unzstd *z = unzstd_new();
	AUTO(buf) piece = BUF_EMPTY;
	size_t at = 0;

	for (size_t most; out && at < n; at += most) {
		most = n - at < PIECE ? n - at : PIECE;
		*from += unzstd_frame(z, m->at + *from, m->n - *from, most, &piece);
		if (piece.used != most)
			break;
		memcpy(out + at, piece.at, most);
		paged_trim();
	}
	unzstd_free(z);
	if (out && at < n) {
		paged_free(out, n, 1);
		out = NULL;
	}
	return out;
}

/* Reads the log as far as the snapshot goes: 1 if it is the same log. */
static int is_of_log(struct snapshot *s, const struct file_tail *tail, struct store *store, struct err_note *why)
{
	struct log_entry e;
	uint64_t sum;
	int err = 1;

	s->log = store_log_start(store);
	while (s->entries < tail->entries && (err = store_log_next(s->log, &e, why)) > 0) {
		s->entries++;
		if (e.kind == LOG_SEED) {
			s->seeds = mem_grow(s->seeds, &s->seeds_room, s->n_seeds + 1, sizeof *s->seeds);
			s->seeds[s->n_seeds++] = e.id;
		}
	}
	store_log_told(s->log, &sum, &s->pages);
	return err < 0 ? err : s->entries == tail->entries && sum == tail->log_sum;
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
	char *path = buf_made("%s/" SNAPSHOT_NAME, place->dir);
	struct err_note note = {""};
	struct mapped m = {NULL};
	size_t from = 0;

	*s = (struct snapshot){NULL};
	const char *problem = map_file(&m, path) ? problem_of(&m, place->code) : "there is none";
	const int is_same = problem ? 0 : is_of_log(s, &m.tail, store, why);
	free(path);
	if (is_same > 0) {
		s->bytes = unpack(&m, &from, s->n = m.tail.bytes);
		s->knowledge = s->bytes ? unpack(&m, &from, s->knowledge_n = m.tail.knowledge_bytes) : NULL;
		if (!s->knowledge)
			problem = "its pieces cannot be unpacked";
		else if (frontier_can_load(frontier, s->pages, s->bytes, s->n, &note))
			problem = note.text;
	} else if (!problem) {
		problem = "it is of another log";
	}
	paged_map_ends(m.at);
	if (m.at)
		munmap((void *)(uintptr_t)m.at, m.n);
	if (is_same < 0)
		return is_same;
	if (problem) {
		log_detail("the whole log is read, as the snapshot of the frontier cannot be used: %s", problem);
		snapshot_close(s);
		return 0;
	}
	log_detail("the frontier is that of its snapshot, with the last %llu of %llu entries of the log",
		(unsigned long long)(store_log_length(store) - s->entries), (unsigned long long)store_log_length(store));
	return 0;
}

void snapshot_close(struct snapshot *s)
{
	if (s->bytes)
		paged_free(s->bytes, s->n, 1);
	if (s->knowledge)
		paged_free(s->knowledge, s->knowledge_n, 1);
	store_log_stop(s->log);
	free(s->seeds);
	*s = (struct snapshot){NULL};
}

/* --- writing */

struct sink {
	struct output *out;
	XXH3_state_t *sum;
	struct zstd_packer *packer;
	struct buf held, packed; /* a piece */
	uint64_t n;              /* the bytes of all pieces, and those held */
};

static void write_bytes(struct sink *s, const void *bytes, size_t n)
{
	XXH3_128bits_update(s->sum, bytes, n);
	output_bytes(s->out, bytes, n);
}

static void end_piece(struct sink *s)
{
	if (s->held.used)
		zstd_pack(&s->packer, LEVEL, s->held.at, s->held.used, &s->packed);
	write_bytes(s, s->packed.at, s->packed.used);
	buf_clear(&s->packed);
	buf_clear(&s->held);
}

static void take_bytes(void *ctx, const void *bytes, size_t n)
{
	struct sink *s = ctx;

	s->n += n;
	for (size_t done = 0, most; done < n; done += most) {
		most = n - done < PIECE - s->held.used ? n - done : PIECE - s->held.used;
		buf_add(&s->held, (const char *)bytes + done, most);
		if (s->held.used == PIECE)
			end_piece(s);
	}
}

/* Writes the snapshot to a file: the frontier, the knowledge, the tail, and a checksum that binds the snapshot to this file and
 * this program. */
static int write_file(const struct snapshot_keeper *k, const char *path, struct err_note *why)
{
	const int64_t ahead = clock_wall_ms() - k->source->ops->now(k->source);
	struct file_tail tail = {.magic = SNAPSHOT_MAGIC, .entries = store_log_length(k->store)};
	struct sink file = {NULL};

	if (!store_log_sum(k->store, &tail.log_sum))
		return err_set(why, ERR_OTHER, "the sum of the log is not known");
	TRY(output_open(&file.out, path, why));
	file.sum = XXH3_createState();
	const struct identity id = identity_of(output_descriptor(file.out));
	begin_sum(file.sum, k->place.code, &id);
	frontier_save(k->frontier, ahead, take_bytes, &file);
	end_piece(&file);
	tail.bytes = file.n;
	knowledge_save(k->knowledge, take_bytes, &file);
	end_piece(&file);
	tail.knowledge_bytes = file.n - tail.bytes;
	write_bytes(&file, &tail, sizeof tail);
	const XXH128_hash_t sum = XXH3_128bits_digest(file.sum);
	output_bytes(file.out, &sum, sizeof sum);
	XXH3_freeState(file.sum);
	zstd_packer_free(file.packer);
	buf_release(&file.held);
	buf_release(&file.packed);
	output_sync(file.out);
	return output_close(file.out, why);
}

/* Writes a snapshot. After an error no more snapshots are written, and the crawl goes on, since a snapshot only saves time. */
static void write_snapshot(struct snapshot_keeper *k)
{
	const int64_t started = clock_ms();
	AUTO(buf) path = BUF_EMPTY;
	struct frontier_counts n;
	struct err_note why;

	frontier_count(k->frontier, &n);
	buf_format(&path, "%s/" SNAPSHOT_NAME, k->place.dir);
	if (write_file(k, path.at, &why)) {
		k->is_off = 1;
		log_say("no snapshot of the frontier is kept from now on, and a later start reads the whole log: %s", why.text);
	}
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
	TRY(recorder_finish(k->recorder, why));
	write_snapshot(k);
	return 0;
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
	TRY(recorder_finish(k->recorder, why));
	if (!k->is_off && store_log_length(k->store) > k->entries)
		write_snapshot(k);
	return 0;
}
