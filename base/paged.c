#include "base/paged.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/paged_internal.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

int paged_has(const void *at)
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

size_t paged_top(void)
{
	return paged.top;
}

int paged_unmap_chunk(size_t chunk)
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

void paged_let_go(void *run, size_t bytes)
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

void *paged_run(size_t bytes)
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

void *paged_lengthen(void *run, size_t had, size_t want)
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
