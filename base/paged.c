#include "base/paged.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The unit in which memory is moved into the file: two huge pages. A chunk of the addresses is free, or ordinary memory, or mapped
 * from a chunk of the file:
 *
 *   FREE ---- take ----> IN_MEMORY ---- write out ----> IN_FILE ---- let go ----> FREE
 *     |                      |                             ^
 *     |                      +---- let go ----> FREE       |
 *     +---- take, while there is too much memory ----------+
 *
 * Chunks of one array are neighbours. An array that grows where its neighbour is not free moves, chunk by chunk, without being
 * copied. */
#define CHUNK ((size_t)4 << 20)
enum { FREE, IN_MEMORY, IN_FILE };

#define ADDRESSES ((size_t)1 << 40) /* if the process may have so many */
#define LEAST     ((size_t)1 << 32)

/* Half of the bound is for what is not in the file. The other half is for what is mapped from it, and from the store, whose pages a
 * crawl needs as often. */
#define ORDINARY(most) ((most) / 2)

/* What lies in no file and cannot be moved into one may take most of the bound, or more than all of it. So much of the bound is
 * mapped from files nevertheless, since the process would come to a halt otherwise. */
#define MAPPED(most) ((most) / 8)

/* What is mapped from files is unmapped from here on, and until there is this much room. */
#define BEGIN(most) ((most) - (most) / 16)
#define END(most)   ((most) - (most) / 8)

/* The calls of paged_settle() from one question to the kernel, how much memory the process has, to the next: a question takes a
 * microsecond. When the file is in use, little may be mapped between two questions. */
#define LOOK         32
#define LOOK_IN_FILE 4

#define PATIENCE 1000000 /* the time between two looks of the thread, in ns */
#define PIECES   1024    /* other maps are unmapped in pieces of a chunk, or in so many pieces */

/* The bytes of a write. The page cache may keep what one write brings as a unit, and map all of it when a byte is touched; then a
 * random access would make megabytes resident. */
#define PIECE ((size_t)16 << 10)

struct map_of_file {
	char *at; /* NULL: none */
	size_t bytes;
	int is_random; /* 1: the kernel is to be told that it is read at random */
};

static struct paged {
	uint64_t most;
	char *base, *reserved;
	size_t chunks, bytes_reserved;
	uint8_t *state;   /* chunks; changed under the lock */
	uint32_t *place;  /* chunks: of IN_FILE, the chunk of the file */
	size_t top;       /* no chunk from here on was ever taken */
	uint32_t in_file; /* chunks */
	size_t next_out;
	unsigned calls;
	struct err_note why; /* of `err` */
	int err;
	int has_said;
	/* the file; of its chunks, `spares` are free */
	int fd;
	uint32_t length, *spare;
	size_t spares, spare_room;
	/* what unmaps */
	int statm;
	int may_start; /* 1: the thread may begin */
	int has_thread, ends;
	pthread_t thread;
	pthread_cond_t wake;
	size_t next; /* chunk, or piece of a map behind all chunks */
} paged = {.fd = -1, .statm = -1};

static struct map_of_file maps[PAGED_MAPS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local int is_owner;

static char *address(size_t chunk)
{
	return paged.base + chunk * CHUNK;
}

static size_t chunk_at(const void *at)
{
	return (size_t)((const char *)at - paged.base) / CHUNK;
}

static size_t chunks_of(size_t bytes)
{
	return bytes / CHUNK + (bytes % CHUNK > 0);
}

/* Says whether an address lies in paged memory. */
static int is_paged(const void *at)
{
	const uintptr_t base = (uintptr_t)paged.base;

	return paged.base && (uintptr_t)at - base < paged.chunks * CHUNK;
}

struct paged_use paged_use(void)
{
	return is_owner ? (struct paged_use){paged.most, (uint64_t)paged.in_file * CHUNK} : (struct paged_use){0, 0};
}

struct memory {
	uint64_t resident, ordinary; /* in bytes: all of it, and what is mapped from no file */
};

/* Returns the memory of the process as it is now. */
static struct memory memory_now(void)
{
	char text[128];
	unsigned long long resident, shared;
	const ssize_t n = pread(paged.statm, text, sizeof text - 1, 0);
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	text[n > 0 ? n : 0] = 0;
	if (sscanf(text, "%*s %llu %llu", &resident, &shared) != 2)
		return (struct memory){0, 0};
	return (struct memory){resident * page, (resident > shared ? resident - shared : 0) * page};
}

static int has_too_much(void)
{
	return memory_now().ordinary > ORDINARY(paged.most);
}

/* --- unmapping. What keeps the resident memory of a process that has paged memory below its bound: the chunks that lie in the
 * file, and the maps of other files, are unmapped in turn. What is unmapped stays in the kernel's page cache, and comes back when
 * it is touched.
 *
 * The owner looks by itself every few pages of its crawl (paged_settle(), paged_trim()). A thread looks, too, for the stretches of
 * work in which the owner does not. It begins when there is something to unmap, and not before the first call of paged_settle():
 * until then the process may give up rights, which a thread that is there already would keep. */

static void *look_again_and_again(void *nothing);

static void start_thread(void)
{
	pthread_condattr_t clock;

	if (paged.has_thread)
		return;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&paged.wake, &clock);
	pthread_condattr_destroy(&clock);
	paged.ends = 0;
	if (pthread_create(&paged.thread, NULL, look_again_and_again, NULL))
		mem_exhausted();
	paged.has_thread = 1;
}

static size_t piece_of(const struct map_of_file *m)
{
	const size_t piece = (m->bytes / PIECES + CHUNK - 1) / CHUNK * CHUNK;

	return piece ? piece : CHUNK;
}

/* Under the lock: unmaps the next chunk, or piece of another map. Returns 0 if there is nothing behind the last one: the turn
 * begins again. */
static int unmap_next(void)
{
	size_t i = paged.next++;

	if (i < paged.top) {
		if (paged.state[i] == IN_FILE)
			madvise(address(i), CHUNK, MADV_DONTNEED);
		return 1;
	}
	i -= paged.top;
	for (int k = 0; k < PAGED_MAPS; k++) {
		struct map_of_file *m = &maps[k];
		const size_t piece = piece_of(m), pieces = (m->bytes + piece - 1) / piece;
		if (i < pieces) {
			const size_t rest = m->bytes - i * piece;
			/* not before the crawl goes on: a store is opened by reading it in order */
			if (m->is_random && paged.may_start) {
				madvise(m->at, m->bytes, MADV_RANDOM);
				m->is_random = 0;
			}
			madvise(m->at + i * piece, rest < piece ? rest : piece, MADV_DONTNEED);
			return 1;
		}
		i -= pieces;
	}
	paged.next = 0;
	return 0;
}

/* Under the lock. */
static void look(void)
{
	struct memory now = memory_now();
	const uint64_t least = now.ordinary + MAPPED(paged.most);
	const uint64_t most = paged.most > least ? paged.most : least;

	if (now.resident <= BEGIN(most))
		return;
	if (paged.may_start)
		start_thread();
	/* at most twice around, whatever other threads map meanwhile */
	for (int turns = 0; turns < 2 && now.resident > END(most); now = memory_now())
		turns += !unmap_next();
}

static void *look_again_and_again(void *nothing)
{
	struct timespec until;

	(void)nothing;
	pthread_mutex_lock(&lock);
	while (!paged.ends) {
		look();
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += PATIENCE;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&paged.wake, &lock, &until);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void end_thread(void)
{
	if (!paged.has_thread)
		return;
	pthread_mutex_lock(&lock);
	paged.ends = 1;
	pthread_cond_signal(&paged.wake);
	pthread_mutex_unlock(&lock);
	pthread_join(paged.thread, NULL);
	pthread_cond_destroy(&paged.wake);
	paged.has_thread = 0;
}

void paged_trim(void)
{
	if (!paged_use().most)
		return;
	pthread_mutex_lock(&lock);
	look();
	pthread_mutex_unlock(&lock);
}

static struct map_of_file *find_map(const void *at)
{
	for (int i = 0; i < PAGED_MAPS; i++)
		if (maps[i].at == at)
			return &maps[i];
	return NULL;
}

void paged_map_begins(void *at, size_t n, enum paged_reads reads)
{
	pthread_mutex_lock(&lock);
	struct map_of_file *m = find_map(at);
	if (!m)
		m = find_map(NULL);
	if (m)
		*m = (struct map_of_file){at, n, reads == PAGED_AT_RANDOM};
	pthread_mutex_unlock(&lock);
}

void paged_map_ends(const void *at)
{
	if (!at)
		return;
	pthread_mutex_lock(&lock);
	struct map_of_file *m = find_map(at);
	if (m)
		*m = (struct map_of_file){NULL, 0, 0};
	pthread_mutex_unlock(&lock);
}

/* --- the file */

static off_t offset(uint32_t place)
{
	return (off_t)(place * (uint64_t)CHUNK);
}

/* Opens a file without a name; where the file system has no such files, one whose name is removed at once. */
static int open_file(const char *folder)
{
	char path[4096];
	int fd = -1;

#ifdef O_TMPFILE
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof path, "%s/memory.tmp", folder) >= (int)sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* Keeps the first error. */
static int failed(int code)
{
	if (!paged.err)
		paged.err = err_set(&paged.why, ERR_FILE,
			"the crawl has more memory than --max-memory allows, and its store's folder takes no more of it: %s; make room there, "
			"or give a larger --max-memory",
			ascii_error(code));
	return -1;
}

/* Finds a free chunk of the file, which is zeros, and reserves its room on the disk, so that no later write through the map can
 * fail for lack of it. Returns 0 with *place, or -1 with the error kept. */
static int find_place(uint32_t *place)
{
	*place = paged.spares ? paged.spare[paged.spares - 1] : paged.length;
	const int code = posix_fallocate(paged.fd, offset(*place), CHUNK);
	if (code)
		return failed(code);
	if (paged.spares)
		paged.spares--;
	else
		paged.length++;
	return 0;
}

/* Writes CHUNK bytes. Returns 0 or an errno. */
static int write_chunk(uint32_t place, const char *bytes)
{
	for (size_t done = 0; done < CHUNK;) {
		const ssize_t n = pwrite(paged.fd, bytes + done, PIECE - done % PIECE, offset(place) + (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : ENOSPC;
		done += (size_t)n;
	}
	return 0;
}

/* Frees a chunk and its room. Where the file system cannot make it zeros, it is not used again. */
static void give_back(uint32_t place)
{
#ifdef FALLOC_FL_PUNCH_HOLE
	if (fallocate(paged.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset(place), CHUNK))
		return;
	paged.spare = mem_grow(paged.spare, &paged.spare_room, paged.spares + 1, sizeof *paged.spare);
	paged.spare[paged.spares++] = place;
#else
	(void)place;
#endif
}

/* Maps a chunk of the file in the place of a chunk of addresses. */
static void take_file(size_t chunk, uint32_t place)
{
	char *at = address(chunk);

	pthread_mutex_lock(&lock);
	if (mmap(at, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, paged.fd, offset(place)) == MAP_FAILED)
		mem_exhausted();
	/* a page that is not in the page cache is read alone: the kernel would read as far around it as the disk's readahead says,
	 * which may be megabytes */
	madvise(at, CHUNK, MADV_RANDOM);
	paged.state[chunk] = IN_FILE;
	paged.place[chunk] = place;
	paged.in_file++;
	if (paged.top <= chunk)
		paged.top = chunk + 1;
	pthread_mutex_unlock(&lock);
}

/* Says whether any of a chunk was ever written. */
static int is_touched(size_t chunk)
{
	unsigned char there[CHUNK / 4096];
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (page < 4096 || mincore(address(chunk), CHUNK, there))
		return 1;
	return memchr(there, 1, CHUNK / page) != NULL;
}

static void put_out(size_t chunk)
{
	uint32_t place;

	if (find_place(&place))
		return;
	const int code = write_chunk(place, address(chunk));
	if (code) {
		give_back(place);
		failed(code);
	} else {
		take_file(chunk, place);
	}
}

/* Called when nothing can be moved any more. */
static void say_if_it_cannot_be_kept(void)
{
	const uint64_t ordinary = memory_now().ordinary;

	if (paged.has_said || ordinary + MAPPED(paged.most) <= paged.most)
		return;
	log_say("--max-memory cannot be kept: %llu MB are in use that cannot lie on the disk, and this grows with the crawl; a limit of %llu MB "
		"could be kept now",
		(unsigned long long)(ordinary >> 20), (unsigned long long)((ordinary * 8 / 7 >> 20) + 1));
	paged.has_said = 1;
}

/* Moves chunks of memory into the file, until the process has no more of it than it should. */
static void write_out(void)
{
	for (size_t i = 0; i < paged.top && !paged.err; i++) {
		const size_t chunk = paged.next_out++ % paged.top;
		if (paged.state[chunk] != IN_MEMORY || !is_touched(chunk))
			continue;
		put_out(chunk);
		if (!has_too_much())
			return;
	}
	say_if_it_cannot_be_kept();
}

int paged_settle(struct err_note *why)
{
	if (!is_owner)
		return 0;
	if (paged.calls++ % (paged.in_file ? LOOK_IN_FILE : LOOK) == 0) {
		if (has_too_much())
			write_out();
		pthread_mutex_lock(&lock);
		paged.may_start = 1;
		look();
		pthread_mutex_unlock(&lock);
	}
	return paged.err ? err_set(why, (enum err)paged.err, "%s", paged.why.text) : 0;
}

/* --- chunks */

static void *map_nothing(size_t chunk, size_t n)
{
	return mmap(address(chunk), n * CHUNK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Makes n free chunks ordinary memory. */
static void take_memory(size_t chunk, size_t n)
{
	if (mmap(address(chunk), n * CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		mem_exhausted();
#ifdef MADV_HUGEPAGE
	madvise(address(chunk), n * CHUNK, MADV_HUGEPAGE);
#endif
	pthread_mutex_lock(&lock);
	memset(&paged.state[chunk], IN_MEMORY, n);
	if (paged.top < chunk + n)
		paged.top = chunk + n;
	pthread_mutex_unlock(&lock);
}

/* Frees a run. */
static void let_go(void *run, size_t bytes)
{
	const size_t chunk = chunk_at(run), n = chunks_of(bytes);

	pthread_mutex_lock(&lock);
	if (map_nothing(chunk, n) == MAP_FAILED)
		mem_exhausted();
	for (size_t i = chunk; i < chunk + n; i++) {
		if (paged.state[i] == IN_FILE) {
			give_back(paged.place[i]);
			paged.in_file--;
		}
		paged.state[i] = FREE;
	}
	pthread_mutex_unlock(&lock);
}

/* Makes n free chunks memory of zeros: ordinary memory, as far as the process may have more of it. */
static void take(size_t chunk, size_t n)
{
	uint64_t ordinary;
	uint32_t place;

	if (has_too_much())
		write_out();
	ordinary = memory_now().ordinary;
	for (size_t i = chunk + n; i-- > chunk; ordinary += CHUNK)
		if (ordinary + CHUNK <= ORDINARY(paged.most) || find_place(&place)) {
			take_memory(chunk, i + 1 - chunk);
			break;
		} else {
			take_file(i, place);
		}
}

/* Returns the first of n neighbours that are free, or paged.chunks if there are none. */
static size_t find(size_t n)
{
	size_t run = 0;

	for (size_t i = 0; i < paged.chunks; i++) {
		run = paged.state[i] == FREE ? run + 1 : 0;
		if (run == n)
			return i + 1 - n;
	}
	return paged.chunks;
}

/* Returns n zero bytes of paged memory, a run of chunks, to be freed by let_go(), or else by paged_close(); NULL if nothing
 * is open, if the calling thread does not own the file, or if the addresses have come to an end. */
static void *run_of(size_t bytes)
{
	const size_t n = chunks_of(bytes);

	if (!is_owner)
		return NULL;
	const size_t chunk = find(n);
	if (chunk == paged.chunks)
		return NULL;
	take(chunk, n);
	return address(chunk);
}

static int is_free(size_t chunk, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (chunk + i >= paged.chunks || paged.state[chunk + i] != FREE)
			return 0;
	return 1;
}

/* Moves n chunks to free addresses. */
static void move(size_t from, size_t to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pthread_mutex_lock(&lock);
		if (mremap(address(from + i), CHUNK, CHUNK, MREMAP_MAYMOVE | MREMAP_FIXED, address(to + i)) == MAP_FAILED ||
			map_nothing(from + i, 1) == MAP_FAILED)
			mem_exhausted();
		paged.state[to + i] = paged.state[from + i];
		paged.place[to + i] = paged.place[from + i];
		paged.state[from + i] = FREE;
		if (paged.top < to + i + 1)
			paged.top = to + i + 1;
		pthread_mutex_unlock(&lock);
	}
}

/* Lengthens a run from `had` bytes to `want`. Returns its new address, or NULL, with nothing changed, if the addresses have come to
 * an end. */
static void *lengthen(void *run, size_t had, size_t want)
{
	const size_t n = chunks_of(had), more = chunks_of(want) - n;
	size_t chunk = chunk_at(run);

	assert(is_owner);
	if (!more)
		return run;
	if (!is_free(chunk + n, more)) {
		const size_t to = find(n + more);
		if (to == paged.chunks)
			return NULL;
		move(chunk, to, n);
		chunk = to;
	}
	take(chunk + n, more);
	return address(chunk);
}

/* --- arrays: runs of chunks, or what base/mem.h has where there are none */

static size_t bytes_of(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted();
	return bytes;
}

void *paged_new(size_t n, size_t size)
{
	const size_t bytes = bytes_of(n, size);
	void *array = bytes >= CHUNK ? run_of(bytes) : NULL;

	return array ? array : mem_big(n, size);
}

void paged_free(void *array, size_t n, size_t size)
{
	if (is_paged(array))
		let_go(array, bytes_of(n, size));
	else
		mem_big_free(array, n, size);
}

void *paged_grow(void *old, size_t had, size_t want, size_t size)
{
	const size_t bytes = bytes_of(want, size);
	void *array;

	assert(want >= had);
	if (is_paged(old)) {
		array = lengthen(old, had * size, bytes);
		if (array)
			return array;
	} else if (bytes < CHUNK || !paged_use().most) {
		return mem_big_grow(old, had, want, size);
	}
	array = paged_new(want, size);
	if (had)
		memcpy(array, old, had * size);
	paged_free(old, had, size);
	return array;
}

void *paged_need(void *array, size_t *room, size_t need, size_t size)
{
	const size_t had = *room;

	if (need <= had && array)
		return array;
	*room = mem_grown(had, need);
	return paged_grow(array, array ? had : 0, *room, size);
}

/* --- blocks. A chunk is cut into blocks from its beginning on; a block that is freed is the first one to be used again
 * for its size. The sizes are those of lists and heaps that grow by fixed steps, so there are few of them, and blocks are never
 * joined. */

#define LINE  64
#define LINED 256         /* bytes from which on a block begins a cache line */
#define STEP  16          /* the unit of smaller blocks */
#define MOST  (CHUNK / 8) /* a larger block is an array of its own */
#define SMALL 64          /* an array of fewer elements is doubled, a larger one grows by a quarter */
#define SIZES (MOST / STEP + 1)

struct block {
	struct block *next;
};

/* Only the owner of the file touches it. */
static struct {
	struct block *spare[SIZES]; /* by size / STEP */
	char *at, *end;             /* what is left of the chunk that is being cut */
} blocks;

static size_t whole(size_t n)
{
	return n >= LINED ? (n + LINE - 1) / LINE * LINE : n ? (n + STEP - 1) / STEP * STEP : STEP;
}

static void *ordinary(size_t n)
{
	return n >= LINED ? mem_lined(n, 1) : mem_new(n, 1);
}

/* Cuts a block off the chunk, or off a new one. Returns NULL if there is none. */
static void *cut(size_t n)
{
	const size_t skip = n >= LINED ? (size_t)(-(uintptr_t)blocks.at) % LINE : 0;

	if (!blocks.at || (size_t)(blocks.end - blocks.at) < n + skip) {
		char *chunk = run_of(CHUNK);
		if (!chunk)
			return NULL;
		blocks.at = chunk;
		blocks.end = chunk + CHUNK;
		return cut(n);
	}
	void *block = blocks.at + skip;
	blocks.at += skip + n;
	return block;
}

void *paged_block(size_t n)
{
	const size_t size = whole(n);
	void *block;

	if (!paged_use().most)
		return ordinary(n);
	if (size > MOST) {
		block = run_of(size);
	} else if (blocks.spare[size / STEP]) {
		block = blocks.spare[size / STEP];
		blocks.spare[size / STEP] = blocks.spare[size / STEP]->next;
	} else {
		block = cut(size);
	}
	return block ? block : ordinary(n);
}

void paged_block_free(void *block, size_t n)
{
	const size_t size = whole(n);

	if (!is_paged(block)) {
		free(block);
	} else if (size > MOST) {
		let_go(block, size);
	} else {
		struct block *spare = block;
		spare->next = blocks.spare[size / STEP];
		blocks.spare[size / STEP] = spare;
	}
}

void *paged_block_grow(void *array, size_t *room, size_t need, size_t size)
{
	const size_t had = *room;

	if (need <= had && array)
		return array;
	*room = had < SMALL || need > had + had / 4 ? mem_grown(had, need) : had + had / 4;
	if (!paged_use().most && !is_paged(array))
		return mem_resize(array, *room, size);
	void *more = paged_block(*room * size);
	if (array)
		memcpy(more, array, had * size);
	paged_block_free(array, had * size);
	return more;
}

/* --- opening and closing */

static int reserve(void)
{
	size_t bytes = ADDRESSES;
	void *at;

	do
		at = mmap(NULL, bytes + CHUNK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	while (at == MAP_FAILED && (bytes /= 4) >= LEAST);
	if (at == MAP_FAILED)
		return -1;
	paged.reserved = at;
	paged.bytes_reserved = bytes + CHUNK;
	paged.base = paged.reserved + (size_t)(-(uintptr_t)at) % CHUNK;
	paged.chunks = bytes / CHUNK;
	paged.state = mem_zero(paged.chunks, sizeof *paged.state);
	paged.place = mem_zero(paged.chunks, sizeof *paged.place);
	return 0;
}

int paged_open(const char *folder, uint64_t most, struct err_note *why)
{
	int err = 0;

	assert(most);
	if (paged.base)
		return err_set(why, ERR_BUSY, "'%s': another crawl of this process keeps its memory in a file", folder);
	paged.fd = open_file(folder);
	if (paged.fd < 0)
		err = err_set(why, ERR_FILE, "cannot create a file for memory in '%s': %s", folder, ascii_error(errno));
	else if ((paged.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) < 0)
		err = err_set(why, ERR_FILE, "cannot read /proc/self/statm: %s; --max-memory needs it", ascii_error(errno));
	else if (reserve())
		err = err_set(why, ERR_FILE,
			"the process may not have the addresses that --max-memory needs: raise its limit (ulimit -v)");
	else
		(void)!posix_fadvise(paged.fd, 0, 0, POSIX_FADV_RANDOM);
	is_owner = !err;
	paged.most = most;
	if (err)
		paged_close();
	return err;
}

void paged_close(void)
{
	end_thread();
	if (paged.statm >= 0)
		close(paged.statm);
	if (paged.base)
		munmap(paged.reserved, paged.bytes_reserved);
	if (paged.fd >= 0)
		close(paged.fd);
	free(paged.spare);
	free(paged.state);
	free(paged.place);
	paged = (struct paged){.fd = -1, .statm = -1};
	is_owner = 0;
	memset(&blocks, 0, sizeof blocks);
}
