/* What keeps the resident memory of a process that has paged memory below its bound: the chunks that lie in the file, and the maps
 * of other files, are unmapped in turn. What is unmapped stays in the kernel's page cache, and comes back when it is touched.
 *
 * The owner looks by itself every few pages of its crawl (paged_settle(), paged_trim()). A thread looks, too, for the stretches of
 * work in which the owner does not. It begins when there is something to unmap, and not before the first call of paged_settle():
 * until then the process may give up rights, which a thread that is there already would keep. */
#include "base/mem.h"
#include "base/paged.h"
#include "base/paged_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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

void paged_lock(void)
{
	pthread_mutex_lock(&lock);
}

void paged_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

struct memory paged_memory(void)
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

void paged_unmap_settle(void)
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

int paged_unmap_open(uint64_t most)
{
	unmap.most = most;
	unmap.next = 0;
	unmap.may_start = 0;
	unmap.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	return unmap.statm < 0 ? errno : 0;
}

void paged_unmap_close(void)
{
	end_thread();
	if (unmap.statm >= 0)
		close(unmap.statm);
	unmap.statm = -1;
	unmap.most = 0;
}
