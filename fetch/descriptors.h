/* File descriptors: how many connections a crawl may have open at once, and whether the kernel gave no
 * socket for want of something that passes.
 *
 *     unsigned connections = descriptors_for_connections(threads);
 *     if (parallel > connections) parallel = connections;
 *
 * A process that runs out of descriptors loses pages for no fault of theirs, and may fail to open a file
 * of its own in the middle of a commit. So transfers and idle connections together are kept below the
 * limit of open files, less DESCRIPTORS_RESERVE and DESCRIPTORS_A_THREAD for each fetcher thread. */
#ifndef FETCH_DESCRIPTORS_H
#define FETCH_DESCRIPTORS_H

/* Kept for the store, the archive and its index, logs, orders, the server of metrics, name servers and
 * certificates. */
#define DESCRIPTORS_RESERVE 16
/* Kept for what wakes a fetcher thread up (libcurl's pair of sockets), and for looking names up. */
#define DESCRIPTORS_A_THREAD 4
/* The soft limit is raised no further: the kernel's tables cost memory. */
#define DESCRIPTORS_MOST (1u << 20)

/* Raises the soft limit of open files to the hard one, and returns how many connections may be open at
 * once beside what is open now and the reserve: 1 or more. */
unsigned descriptors_for_connections(unsigned threads);

/* Whether no file can be opened now. */
int descriptors_are_gone(void);

/* Whether an errno says that this machine, or process, has run out of something that comes back:
 * descriptors, buffers, memory, ports to connect from. */
int descriptors_are_short(int os_error);

#endif
