/* The disks of the agents of a simulated crawl, in place of the C library's calls for the whole program: a disk can be full, and a
 * process can be killed while it commits. Nothing outlives a run, so no file needs to reach a real disk.
 *
 * The owner of a thread (tests/agents/sim/sim_time.h) begins with a struct sim_line, which has the struct here. */
#ifndef TESTS_AGENTS_SIM_DISK_H
#define TESTS_AGENTS_SIM_DISK_H

struct sim_disk {
	int is_full;   /* no file can be written */
	int is_caught; /* the next commit stops in its middle, until its process is dead; */
	int is_inside; /* it has stopped */
};

#endif
