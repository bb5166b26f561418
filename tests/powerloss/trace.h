/* The trace of what a program did to the files of a folder, which the recorder (recorder.c) writes and
 * powerloss.c reads: operations in the order in which they took place, each a head and, after it, n bytes. */
#ifndef TESTS_POWERLOSS_TRACE_H
#define TESTS_POWERLOSS_TRACE_H

#include <stdint.h>

enum trace_kind {
	TRACE_NAME,          /* file, bytes: its path in the folder, from now on */
	TRACE_UNNAME,        /* bytes: the path is gone */
	TRACE_WRITE,         /* file, offset, bytes */
	TRACE_WRITE_SYNCED,  /* likewise; the bytes were on the disk when it returned (O_DSYNC) */
	TRACE_CUT,           /* file, offset: its new length */
	TRACE_SYNC_BEGINS,   /* file */
	TRACE_SYNCED,        /* file; offset: the operation's number of its SYNC_BEGINS */
	TRACE_FOLDER_SYNCED, /* bytes: the path of the folder */
};

struct trace_head {
	uint32_t kind, file;
	uint64_t offset, n;
};

#endif
