/* What a disk holds after a power failure in the middle of a traced program (trace.h).
 *
 *   powerloss commits TRACE            how often the store was committed
 *   powerloss commit TRACE FOLDER K    the files as they were when commit K (from 1) had returned
 *   powerloss names TRACE              each name that a file got, TAB, "whole" or "torn": whether all of its bytes were
 *                                      synced before, TAB, "lasts" or "may go": whether its folder was synced afterwards
 *   powerloss image TRACE FOLDER SEED  the files after a power failure at a moment drawn by SEED; prints
 *                                      how many commits had returned by then, and how the disk lost
 *
 * A disk keeps what was synced. Of what was written since, each sector of 512 bytes may hold any of its
 * contents since then: so writes are lost, overtake one another, and are torn. A file's length may be any
 * since then, with zeros where nothing was written; a name may be there or not before its folder was
 * synced. Sectors themselves are whole, as disks promise. */
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/rng.h"
#include "tests/powerloss/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR    512u
#define TRACE_MAX ((size_t)1 << 31)

struct operation {
	struct trace_head head;
	const char *bytes;
};

struct file {
	int is_store;     /* data.mdb */
	struct buf cache; /* as programs see it */
	struct buf disk;
};

struct name {
	char *path;
	uint32_t file;
};

struct world {
	struct operation *op;
	size_t ops, room;
	struct file *file;
	uint32_t files;
	struct name *name; /* on the disk */
	size_t names, name_room;
};

/* How a disk chooses, of what was not synced. */
enum loss { LOSE_ALL, LOSE_NONE, LOSE_LATE, LOSE_EARLY, LOSE_WRITES, LOSE_SECTORS, LOSE_FILES, LOSSES };

static const char *const loss_name[LOSSES] = {"everything is lost", "nothing is lost", "the late writes are lost",
	"the early writes are lost", "some writes are lost", "some sectors are lost", "some files are lost"};

static void give_up(const char *what)
{
	fprintf(stderr, "powerloss: %s\n", what);
	exit(1);
}

static void read_trace(struct world *w, const char *path)
{
	struct err_note why;
	char *all;
	size_t n, at = 0;

	if (input_all(path, TRACE_MAX, &all, &n, &why))
		give_up(why.text);
	while (at + sizeof(struct trace_head) <= n) {
		w->op = mem_grow(w->op, &w->room, w->ops + 1, sizeof *w->op);
		struct operation *op = &w->op[w->ops];
		memcpy(&op->head, all + at, sizeof op->head);
		at += sizeof op->head;
		if (op->head.n > n - at)
			break; /* the program was killed */
		op->bytes = all + at;
		at += op->head.n;
		w->ops++;
		if (op->head.kind == TRACE_NAME && op->head.file >= w->files)
			w->files = op->head.file + 1;
		if (op->head.kind == TRACE_WRITE && op->head.file >= w->files)
			w->files = op->head.file + 1;
	}
	w->file = mem_zero(w->files + 1, sizeof *w->file);
	for (size_t i = 0; i < w->ops; i++) {
		const struct trace_head *head = &w->op[i].head;
		if (head->kind == TRACE_NAME && memmem(w->op[i].bytes, head->n, "data.mdb", 8))
			w->file[head->file].is_store = 1;
	}
}

/* Whether an operation is the last write of a commit: a head of LMDB's. */
static int is_commit(const struct world *w, const struct operation *op)
{
	return op->head.kind == TRACE_WRITE_SYNCED && w->file[op->head.file].is_store && op->head.offset < 8192 &&
		op->head.n < 4096;
}

/* Which operations were sure to outlast a failure just before operation `end`. */
static uint8_t *find_synced(const struct world *w, size_t end)
{
	uint8_t *synced = mem_zero(end + 1, 1);
	uint64_t *until = mem_zero(w->files + 1, sizeof *until); /* by file: operations below it */

	for (size_t i = 0; i < end; i++)
		if (w->op[i].head.kind == TRACE_SYNCED && w->op[i].head.offset > until[w->op[i].head.file])
			until[w->op[i].head.file] = w->op[i].head.offset;
	for (size_t i = 0; i < end; i++) {
		const struct operation *op = &w->op[i];
		synced[i] = op->head.kind == TRACE_WRITE_SYNCED ||
			((op->head.kind == TRACE_WRITE || op->head.kind == TRACE_CUT) && i < until[op->head.file]);
	}
	free(until);
	return synced;
}

static int lies_in(const struct operation *named, const struct operation *folder)
{
	const char *slash = memrchr(named->bytes, '/', named->head.n);
	const size_t n = slash ? (size_t)(slash - named->bytes) : 0;

	return n == folder->head.n && memcmp(named->bytes, folder->bytes, n) == 0;
}

/* Likewise of the operations on names. */
static void find_named(const struct world *w, size_t end, uint8_t *synced)
{
	for (size_t i = 0; i < end; i++) {
		const struct operation *op = &w->op[i];
		if (op->head.kind != TRACE_NAME && op->head.kind != TRACE_UNNAME)
			continue;
		for (size_t k = i + 1; k < end && !synced[i]; k++)
			synced[i] = w->op[k].head.kind == TRACE_FOLDER_SYNCED && lies_in(op, &w->op[k]);
	}
}

/* Whether the bytes of the file that operation `named` names were on the disk before it. */
static int is_whole(const struct world *w, size_t named)
{
	uint8_t *synced = find_synced(w, named);
	int is = 1;

	for (size_t i = 0; i < named && is; i++) {
		const struct trace_head *head = &w->op[i].head;
		if (head->file == w->op[named].head.file &&
			(head->kind == TRACE_WRITE || head->kind == TRACE_WRITE_SYNCED || head->kind == TRACE_CUT))
			is = synced[i];
	}
	free(synced);
	return is;
}

static void tell_names(const struct world *w)
{
	uint8_t *lasts = mem_zero(w->ops + 1, 1);

	find_named(w, w->ops, lasts);
	for (size_t i = 0; i < w->ops; i++) {
		const struct operation *op = &w->op[i];
		if (op->head.kind == TRACE_NAME)
			printf("%.*s\t%s\t%s\n", (int)op->head.n, op->bytes, is_whole(w, i) ? "whole" : "torn",
				lasts[i] ? "lasts" : "may go");
	}
	free(lasts);
}

static void grow(struct buf *b, size_t n)
{
	if (n <= b->used)
		return;
	const size_t more = n - b->used;
	memset(buf_room(b, more), 0, more);
	b->used = n;
}

struct chance {
	struct rng rng;
	enum loss loss;
	size_t edge;      /* LATE, EARLY: the operation */
	uint64_t by_file; /* FILES: bits */
};

static int is_kept(struct chance *c, size_t i, uint32_t file)
{
	switch (c->loss) {
	case LOSE_NONE:
		return 1;
	case LOSE_LATE:
		return i < c->edge;
	case LOSE_EARLY:
		return i >= c->edge;
	case LOSE_WRITES:
	case LOSE_SECTORS:
		return rng_below(&c->rng, 2) != 0;
	case LOSE_FILES:
		return c->by_file >> (file % 64) & 1;
	default:
		return 0;
	}
}

/* A write: all of it to the cache, and of the sectors it touches those to the disk that last. */
static void write_some(struct world *w, size_t i, int synced, struct chance *c)
{
	const struct operation *op = &w->op[i];
	struct file *f = &w->file[op->head.file];
	const size_t from = op->head.offset, to = from + op->head.n;
	const int all = synced || is_kept(c, i, op->head.file);

	grow(&f->cache, to);
	memcpy(f->cache.at + from, op->bytes, op->head.n);
	for (size_t sector = from / SECTOR * SECTOR; sector < to; sector += SECTOR) {
		const int keep = synced || (c->loss == LOSE_SECTORS ? is_kept(c, i, op->head.file) : all);
		const size_t n = f->cache.used - sector < SECTOR ? f->cache.used - sector : SECTOR;
		if (!keep)
			continue;
		grow(&f->disk, sector + n);
		memcpy(f->disk.at + sector, f->cache.at + sector, n);
	}
	if (!all && c->loss >= LOSE_WRITES && rng_below(&c->rng, 4) == 0)
		grow(&f->disk, f->cache.used); /* its length came, its bytes did not */
}

static void cut(struct world *w, size_t i, int synced, struct chance *c)
{
	const struct operation *op = &w->op[i];
	struct file *f = &w->file[op->head.file];

	grow(&f->cache, op->head.offset);
	f->cache.used = op->head.offset;
	if (synced || is_kept(c, i, op->head.file)) {
		grow(&f->disk, op->head.offset);
		f->disk.used = op->head.offset;
	}
}

static struct name *find_name(struct world *w, const struct operation *op)
{
	for (size_t k = 0; k < w->names; k++)
		if (strlen(w->name[k].path) == op->head.n && memcmp(w->name[k].path, op->bytes, op->head.n) == 0)
			return &w->name[k];
	return NULL;
}

static void name(struct world *w, const struct operation *op)
{
	struct name *found = find_name(w, op);

	if (!found) {
		w->name = mem_grow(w->name, &w->name_room, w->names + 1, sizeof *w->name);
		found = &w->name[w->names++];
		found->path = strndup(op->bytes, op->head.n);
	}
	found->file = op->head.file;
}

static void unname(struct world *w, const struct operation *op)
{
	struct name *found = find_name(w, op);

	if (found) {
		free(found->path);
		*found = w->name[--w->names];
	}
}

/* All that happened before operation `end`. */
static void run(struct world *w, size_t end, struct chance *c)
{
	uint8_t *synced = find_synced(w, end);
	int last_kept = 0;

	find_named(w, end, synced);
	for (size_t i = 0; i < end; i++) {
		const struct operation *op = &w->op[i];
		const int is_moved = op->head.kind == TRACE_UNNAME && i && w->op[i - 1].head.kind == TRACE_NAME;
		switch ((enum trace_kind)op->head.kind) {
		case TRACE_WRITE:
		case TRACE_WRITE_SYNCED:
			write_some(w, i, synced[i], c);
			break;
		case TRACE_CUT:
			cut(w, i, synced[i], c);
			break;
		case TRACE_NAME:
			last_kept = synced[i] || is_kept(c, i, op->head.file);
			if (last_kept)
				name(w, op);
			break;
		case TRACE_UNNAME: /* a rename is one */
			if (is_moved ? last_kept : synced[i] || is_kept(c, i, 0))
				unname(w, op);
			break;
		default:
			break;
		}
	}
	free(synced);
}

static void make_folders(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = 0;
		mkdir(path, 0777);
		*slash = '/';
	}
}

static void write_disk(const struct world *w, const char *folder)
{
	struct buf path = BUF_EMPTY;

	for (size_t i = 0; i < w->names; i++) {
		const struct buf *disk = &w->file[w->name[i].file].disk;
		buf_clear(&path);
		buf_format(&path, "%s/%s", folder, w->name[i].path);
		make_folders(path.at);
		FILE *f = fopen(path.at, "wb");
		if (!f || (disk->used && fwrite(disk->at, 1, disk->used, f) != disk->used) || fclose(f))
			give_up("an image cannot be written");
	}
	buf_release(&path);
}

static size_t commits_before(const struct world *w, size_t end)
{
	size_t n = 0;

	for (size_t i = 0; i < end; i++)
		n += (size_t)is_commit(w, &w->op[i]);
	return n;
}

int main(int argc, char **argv)
{
	struct world w = {0};

	if (argc < 3)
		give_up("what, of which trace?");
	read_trace(&w, argv[2]);
	if (strcmp(argv[1], "commits") == 0) {
		printf("%zu\n", commits_before(&w, w.ops));
		return 0;
	}
	if (strcmp(argv[1], "names") == 0) {
		tell_names(&w);
		return 0;
	}
	if (argc != 5)
		give_up("into which folder, and which one?");
	const uint64_t which = strtoull(argv[4], NULL, 10);
	struct chance c = {.rng = {which}, .loss = LOSE_NONE};
	size_t end = 0;
	if (strcmp(argv[1], "commit") == 0) {
		for (uint64_t seen = 0; end < w.ops && seen < which; end++)
			seen += (uint64_t)is_commit(&w, &w.op[end]);
	} else {
		c.loss = (enum loss)(which % LOSSES);
		end = rng_below(&c.rng, w.ops + 1);
		/* most writes near the failure are the ones that are not synced */
		c.edge = end - rng_below(&c.rng, end < 40 ? end + 1 : 40);
		c.by_file = rng_next(&c.rng);
		printf("%zu %s\n", commits_before(&w, end), loss_name[c.loss]);
	}
	run(&w, end, &c);
	write_disk(&w, argv[3]);
	return 0;
}
