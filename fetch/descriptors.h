/* File descriptors: computes how many connections a crawl may have open at once, and recognises errors that come from a
 * temporary lack of descriptors, ports or memory on this machine.
 *
 *     unsigned connections = descriptors_for_connections(threads);
 *     if (parallel > connections) parallel = connections;
 *
 * A process that runs out of descriptors fails pages that are not at fault, and may be unable to open a file of its own
 * during a commit. So the number of connections, idle ones included, stays below the limit of open files less
 * DESCRIPTORS_RESERVE and less DESCRIPTORS_A_THREAD for each fetcher thread. */
#ifndef FETCH_DESCRIPTORS_H
#define FETCH_DESCRIPTORS_H

/* Descriptors for the store, the archive and its index, logs, the metrics server, and certificates. */
#define DESCRIPTORS_RESERVE 16
/* Descriptors for each fetcher thread: the pair of sockets by which libcurl is woken, and name resolution. */
#define DESCRIPTORS_A_THREAD 4
/* The highest soft limit that is set, since the kernel's tables take memory. */
#define DESCRIPTORS_MOST (1u << 20)

/* Raises the soft limit of open files to the hard limit (at most DESCRIPTORS_MOST), and returns how many connections
 * may be open at once, at least 1. The files that are open now, the reserve and the threads' share are subtracted. */
unsigned descriptors_for_connections(unsigned threads);

/* Says whether this process cannot open a file at this moment. */
int descriptors_are_gone(void);

/* Says whether an errno means that this machine or process lacks something for a while: descriptors, buffers, memory, or
 * local ports. */
int descriptors_are_short(int os_error);

#endif
