#include "base/paged.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The unit in which memory is moved into the file: two huge pages. */
#define CHUNK ((size_t)4 << 20)

/* --- the file , in chunks, which are numbered from 0 */

/* --- the memory of the process, and what of it is unmapped */

struct memory {
	uint64_t resident, ordinary; /* in bytes: all of it, and what is mapped from no file */
};

/* What lies in no file and cannot be moved into one may take most of the bound, or more than all of it. So much of the bound is
 * mapped from files nevertheless, since the process would come to a halt otherwise. */
#define MAPPED(most) ((most) / 8)

/* --- blocks */

static void *paged_run(size_t n);
static void *paged_lengthen(void *run, size_t had, size_t want);
static void paged_let_go(void *run, size_t bytes);
static int paged_has(const void *at);
static size_t paged_top(void);
static int paged_unmap_chunk(size_t chunk);

/* What keeps the resident memory of a process that has paged memory below its bound: the chunks that lie in the file, and the maps
 * of other files, are unmapped in turn. What is unmapped stays in the kernel's page cache, and comes back when it is touched.
 *
 * The owner looks by itself every few pages of its crawl (paged_settle(), paged_trim()). A thread looks, too, for the stretches of
 * work in which the owner does not. It begins when there is something to unmap, and not before the first call of paged_settle():
 * until then the process may give up rights, which a thread that is there already would keep. */

/* the time between two looks of the thread, in ns */
#define PATIENCE 1000000

/* What is mapped from files is unmapped from here on, and until there is this much room. */
#define BEGIN(most) ((most) - (most) / 16)
#define END(most)   ((most) - (most) / 8)

/* Other maps are unmapped in pieces of a chunk, or in so many pieces. */
#define PIECES 1024

struct map_of_file {
	char *at; /* NULL: none */
	size_t bytes;
	int is_random; /* 1: the kernel is to be told that it is read at random */
};

static struct {
	uint64_t most;
	int statm;
	int may_start; /* 1: the thread may begin */
	int has_thread, ends;
	pthread_t thread;
	pthread_cond_t wake;
	size_t next; /* chunk, or piece of a map behind all chunks */
	struct map_of_file map[PAGED_MAPS];
} unmap = {.statm = -1};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The lock under which chunks change what they are. */
static void paged_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void paged_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* Returns the memory of the process as it is now. */
static struct memory paged_memory(void)
{
	char text[128];
	unsigned long long resident, shared;
	const ssize_t n = pread(unmap.statm, text, sizeof text - 1, 0);
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	text[n > 0 ? n : 0] = 0;
	if (sscanf(text, "%*s %llu %llu", &resident, &shared) != 2)
		return (struct memory){0, 0};
	return (struct memory){resident * page, (resident > shared ? resident - shared : 0) * page};
}

/* --- the thread */

static void look(void);

static void *look_again_and_again(void *nothing)
{
	struct timespec until;

	(void)nothing;
	paged_lock();
	while (!unmap.ends) {
		look();
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += PATIENCE;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&unmap.wake, &lock, &until);
	}
	paged_unlock();
	return NULL;
}

static void start_thread(void)
{
	pthread_condattr_t clock;

	if (unmap.has_thread)
		return;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&unmap.wake, &clock);
	pthread_condattr_destroy(&clock);
	unmap.ends = 0;
	if (pthread_create(&unmap.thread, NULL, look_again_and_again, NULL))
		mem_exhausted();
	unmap.has_thread = 1;
}

static void end_thread(void)
{
	if (!unmap.has_thread)
		return;
	paged_lock();
	unmap.ends = 1;
	pthread_cond_signal(&unmap.wake);
	paged_unlock();
	pthread_join(unmap.thread, NULL);
	pthread_cond_destroy(&unmap.wake);
	unmap.has_thread = 0;
}

/* --- unmapping, under the lock */

static size_t piece_of(const struct map_of_file *m)
{
	const size_t piece = (m->bytes / PIECES + CHUNK - 1) / CHUNK * CHUNK;

	return piece ? piece : CHUNK;
}

/* Unmaps the next chunk, or piece of another map. Returns 0 if there is nothing behind the last one: the turn begins again. */
static int unmap_next(void)
{
	size_t i = unmap.next++;

	if (i < paged_top()) {
		paged_unmap_chunk(i);
		return 1;
	}
	i -= paged_top();
	for (int k = 0; k < PAGED_MAPS; k++) {
		struct map_of_file *m = &unmap.map[k];
		const size_t piece = piece_of(m), pieces = (m->bytes + piece - 1) / piece;
		if (i < pieces) {
			const size_t rest = m->bytes - i * piece;
			/* not before the crawl goes on: a store is opened by reading it in order */
			if (m->is_random && unmap.may_start) {
				madvise(m->at, m->bytes, MADV_RANDOM);
				m->is_random = 0;
			}
			madvise(m->at + i * piece, rest < piece ? rest : piece, MADV_DONTNEED);
			return 1;
		}
		i -= pieces;
	}
	unmap.next = 0;
	return 0;
}

static void look(void)
{
	struct memory now = paged_memory();
	const uint64_t least = now.ordinary + MAPPED(unmap.most);
	const uint64_t most = unmap.most > least ? unmap.most : least;

	if (now.resident <= BEGIN(most))
		return;
	if (unmap.may_start)
		start_thread();
	/* at most twice around, whatever other threads map meanwhile */
	for (int turns = 0; turns < 2 && now.resident > END(most); now = paged_memory())
		turns += !unmap_next();
}

void paged_trim(void)
{
	if (!paged_use().most)
		return;
	paged_lock();
	look();
	paged_unlock();
}

/* As paged_trim(). From the first call on, a thread looks, too, once there was anything to unmap. */
static void paged_unmap_settle(void)
{
	paged_lock();
	unmap.may_start = 1;
	look();
	paged_unlock();
}

/* --- maps of other files */

static struct map_of_file *find_map(const void *at)
{
	for (int i = 0; i < PAGED_MAPS; i++)
		if (unmap.map[i].at == at)
			return &unmap.map[i];
	return NULL;
}

void paged_map_begins(void *at, size_t n, enum paged_reads reads)
{
	paged_lock();
	struct map_of_file *m = find_map(at);
	if (!m)
		m = find_map(NULL);
	if (m)
		*m = (struct map_of_file){at, n, reads == PAGED_AT_RANDOM};
	paged_unlock();
}

void paged_map_ends(const void *at)
{
	if (!at)
		return;
	paged_lock();
	struct map_of_file *m = find_map(at);
	if (m)
		*m = (struct map_of_file){NULL, 0, 0};
	paged_unlock();
}

/* --- opening and closing */

/* Prepares for a bound of the resident memory. Returns 0 or an errno. */
static int paged_unmap_open(uint64_t most)
{
	unmap.most = most;
	unmap.next = 0;
	unmap.may_start = 0;
	unmap.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	return unmap.statm < 0 ? errno : 0;
}

/* Ends what was prepared, with its thread. */
static void paged_unmap_close(void)
{
	end_thread();
	if (unmap.statm >= 0)
		close(unmap.statm);
	unmap.statm = -1;
	unmap.most = 0;
}

/* The file of paged memory. Only the owner of the memory calls these functions. */

/* The bytes of a write. The page cache may keep what one write brings as a unit, and map all of it when a byte is touched; then a
 * random access would make megabytes resident. */
#define PIECE ((size_t)16 << 10)

static struct {
	int fd;
	uint32_t length; /* chunks */
	uint32_t *spare; /* n: chunks that are free */
	size_t n, room;
} file = {.fd = -1};

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

/* Opens it. Returns 0 or an errno. */
static int paged_file_open(const char *folder)
{
	file.fd = open_file(folder);
	if (file.fd < 0)
		return errno;
	(void)!posix_fadvise(file.fd, 0, 0, POSIX_FADV_RANDOM);
	return 0;
}

static void paged_file_close(void)
{
	if (file.fd >= 0)
		close(file.fd);
	free(file.spare);
	file.fd = -1;
	file.spare = NULL;
	file.length = 0;
	file.n = file.room = 0;
}

/* Finds a free chunk, which is zeros, and reserves its room on the disk, so that no later write through the map can fail for lack
 * of it. Returns 0 with *place, or an errno. */
static int paged_file_find(uint32_t *place)
{
	*place = file.n ? file.spare[file.n - 1] : file.length;
	const int code = posix_fallocate(file.fd, offset(*place), CHUNK);
	if (code)
		return code;
	if (file.n)
		file.n--;
	else
		file.length++;
	return 0;
}

/* Writes CHUNK bytes. Returns 0 or an errno. */
static int paged_file_write(uint32_t place, const char *bytes)
{
	for (size_t done = 0; done < CHUNK;) {
		const ssize_t n = pwrite(file.fd, bytes + done, PIECE - done % PIECE, offset(place) + (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : ENOSPC;
		done += (size_t)n;
	}
	return 0;
}

/* Frees a chunk and its room. Where the file system cannot make it zeros, it is not used again. */
static void paged_file_give_back(uint32_t place)
{
#ifdef FALLOC_FL_PUNCH_HOLE
	if (fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset(place), CHUNK))
		return;
	file.spare = mem_grow(file.spare, &file.room, file.n + 1, sizeof *file.spare);
	file.spare[file.n++] = place;
#else
	(void)place;
#endif
}

/* Maps a chunk at an address, in the place of what is there. */
static void paged_file_map(uint32_t place, void *at)
{
	if (mmap(at, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.fd, offset(place)) == MAP_FAILED)
		mem_exhausted();
	/* a page that is not in the page cache is read alone: the kernel would read as far around it as the disk's readahead says,
	 * which may be megabytes */
	madvise(at, CHUNK, MADV_RANDOM);
}

/* Blocks of paged memory. A chunk is cut into blocks from its beginning on; a block that is freed is the first one to be used again
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
		char *chunk = paged_run(CHUNK);
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
		block = paged_run(size);
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

	if (!paged_has(block)) {
		free(block);
	} else if (size > MOST) {
		paged_let_go(block, size);
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
	if (!paged_use().most && !paged_has(array))
		return mem_resize(array, *room, size);
	void *more = paged_block(*room * size);
	if (array)
		memcpy(more, array, had * size);
	paged_block_free(array, had * size);
	return more;
}

/* Forgets all blocks, whose memory is freed already. */
static void paged_blocks_forget(void)
{
	memset(&blocks, 0, sizeof blocks);
}

/* Arrays of paged memory: runs of chunks, or what base/mem.h has where there are none. */

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
	void *array = bytes >= CHUNK ? paged_run(bytes) : NULL;

	return array ? array : mem_big(n, size);
}

void paged_free(void *array, size_t n, size_t size)
{
	if (paged_has(array))
		paged_let_go(array, bytes_of(n, size));
	else
		mem_big_free(array, n, size);
}

void *paged_grow(void *old, size_t had, size_t want, size_t size)
{
	const size_t bytes = bytes_of(want, size);
	void *array;

	assert(want >= had);
	if (paged_has(old)) {
		array = paged_lengthen(old, had * size, bytes);
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

/* A chunk of the addresses is free, or ordinary memory, or mapped from a chunk of the file:
 *
 *   FREE ---- take ----> IN_MEMORY ---- write out ----> IN_FILE ---- let go ----> FREE
 *     |                      |                             ^
 *     |                      +---- let go ----> FREE       |
 *     +---- take, while there is too much memory ----------+
 *
 * Chunks of one array are neighbours. An array that grows where its neighbour is not free moves, chunk by chunk, without being
 * copied. */
enum { FREE, IN_MEMORY, IN_FILE };

#define ADDRESSES ((size_t)1 << 40) /* if the process may have so many */
#define LEAST     ((size_t)1 << 32)

/* The calls of paged_settle() from one question to the kernel, how much memory the process has, to the next: a question takes a
 * microsecond. When the file is in use, little may be mapped between two questions. */
#define LOOK         32
#define LOOK_IN_FILE 4

/* Half of the bound is for what is not in the file. The other half is for what is mapped from it, and from the store, whose pages a
 * crawl needs as often. */
#define ORDINARY(most) ((most) / 2)

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
} paged;

static _Thread_local int is_owner;

static char *address(size_t chunk)
{
	return paged.base + chunk * CHUNK;
}

/* Says whether an address lies in paged memory. */
static int paged_has(const void *at)
{
	const uintptr_t base = (uintptr_t)paged.base;

	return paged.base && (uintptr_t)at - base < paged.chunks * CHUNK;
}

struct paged_use paged_use(void)
{
	return is_owner ? (struct paged_use){paged.most, (uint64_t)paged.in_file * CHUNK} : (struct paged_use){0, 0};
}

static int has_too_much(void)
{
	return paged_memory().ordinary > ORDINARY(paged.most);
}

/* --- for the part that unmaps */

/* Under the lock: no chunk from here on was ever taken. */
static size_t paged_top(void)
{
	return paged.top;
}

/* Under the lock: unmaps a chunk if it lies in the file, and says so. */
static int paged_unmap_chunk(size_t chunk)
{
	if (paged.state[chunk] != IN_FILE)
		return 0;
	madvise(address(chunk), CHUNK, MADV_DONTNEED);
	return 1;
}

/* --- the file */

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

/* Finds a free chunk of the file. Returns 0 with *place, or -1 with the error kept. */
static int find_place(uint32_t *place)
{
	const int code = paged_file_find(place);

	return code ? failed(code) : 0;
}

/* Maps a chunk of the file in the place of a chunk of addresses. */
static void take_file(size_t chunk, uint32_t place)
{
	paged_lock();
	paged_file_map(place, address(chunk));
	paged.state[chunk] = IN_FILE;
	paged.place[chunk] = place;
	paged.in_file++;
	if (paged.top <= chunk)
		paged.top = chunk + 1;
	paged_unlock();
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
	const int code = paged_file_write(place, address(chunk));
	if (code) {
		paged_file_give_back(place);
		failed(code);
	} else {
		take_file(chunk, place);
	}
}

/* Called when nothing can be moved any more. */
static void say_if_it_cannot_be_kept(void)
{
	const uint64_t ordinary = paged_memory().ordinary;

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
		paged_unmap_settle();
	}
	return paged.err ? err_set(why, (enum err)paged.err, "%s", paged.why.text) : 0;
}

/* --- chunks */

static size_t chunk_at(const void *at)
{
	return (size_t)((const char *)at - paged.base) / CHUNK;
}

static size_t chunks_of(size_t bytes)
{
	return bytes / CHUNK + (bytes % CHUNK > 0);
}

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
	paged_lock();
	memset(&paged.state[chunk], IN_MEMORY, n);
	if (paged.top < chunk + n)
		paged.top = chunk + n;
	paged_unlock();
}

/* Frees a run. */
static void paged_let_go(void *run, size_t bytes)
{
	const size_t chunk = chunk_at(run), n = chunks_of(bytes);

	paged_lock();
	if (map_nothing(chunk, n) == MAP_FAILED)
		mem_exhausted();
	for (size_t i = chunk; i < chunk + n; i++) {
		if (paged.state[i] == IN_FILE) {
			paged_file_give_back(paged.place[i]);
			paged.in_file--;
		}
		paged.state[i] = FREE;
	}
	paged_unlock();
}

/* Makes n free chunks memory of zeros: ordinary memory, as far as the process may have more of it. */
static void take(size_t chunk, size_t n)
{
	uint64_t ordinary;
	uint32_t place;

	if (has_too_much())
		write_out();
	ordinary = paged_memory().ordinary;
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

/* Returns n zero bytes of paged memory, a run of chunks, to be freed by paged_let_go(), or else by paged_close(); NULL if nothing
 * is open, if the calling thread does not own the file, or if the addresses have come to an end. */
static void *paged_run(size_t bytes)
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
		paged_lock();
		if (mremap(address(from + i), CHUNK, CHUNK, MREMAP_MAYMOVE | MREMAP_FIXED, address(to + i)) == MAP_FAILED ||
			map_nothing(from + i, 1) == MAP_FAILED)
			mem_exhausted();
		paged.state[to + i] = paged.state[from + i];
		paged.place[to + i] = paged.place[from + i];
		paged.state[from + i] = FREE;
		if (paged.top < to + i + 1)
			paged.top = to + i + 1;
		paged_unlock();
	}
}

/* Lengthens a run from `had` bytes to `want`. Returns its new address, or NULL, with nothing changed, if the addresses have come to
 * an end. */
static void *paged_lengthen(void *run, size_t had, size_t want)
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
	const int no_file = paged_file_open(folder);
	const int no_count = paged_unmap_open(most);
	if (no_file)
		err = err_set(why, ERR_FILE, "cannot create a file for memory in '%s': %s", folder, ascii_error(no_file));
	else if (no_count)
		err = err_set(why, ERR_FILE, "cannot read /proc/self/statm: %s; --max-memory needs it", ascii_error(no_count));
	else if (reserve())
		err = err_set(why, ERR_FILE,
			"the process may not have the addresses that --max-memory needs: raise its limit (ulimit -v)");
	is_owner = !err;
	paged.most = most;
	if (err)
		paged_close();
	return err;
}

void paged_close(void)
{
	paged_unmap_close();
	if (paged.base)
		munmap(paged.reserved, paged.bytes_reserved);
	paged_file_close();
	free(paged.state);
	free(paged.place);
	paged = (struct paged){0};
	is_owner = 0;
	paged_blocks_forget();
}
