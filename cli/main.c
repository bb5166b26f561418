#include "agents/bus.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libdeflate.h>
#include <libxml/xmlmemory.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_INTERRUPTED 130

/* Opens standard streams that are closed, so that no file opened later gets the number of one of them. What is read from stdin or
 * written to stdout fails then as it does with a stream that is closed. */
static void keep_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Makes glibc allocate blocks of 1 MiB and more by mmap(), so that growing arrays are moved by mremap() and not copied: copies
 * would leave free blocks that are too small for the next, larger array. (Without this call glibc raises its threshold when such
 * a block is freed.) */
static void set_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

/* Makes jansson, libxml2 and libdeflate allocate by base/mem.h, which ends the program if there is no memory: a library that
 * reports the lack may leave out a member of an object or the rest of a sitemap without a message. fetch/fetch.c does the same
 * for libcurl. */
static void set_library_memory(void)
{
	json_set_alloc_funcs(mem_bytes, free);
	xmlMemSetup(free, mem_bytes, mem_bytes_again, mem_text);
	libdeflate_set_memory_allocator(mem_bytes, free);
}

static void end_interrupted(int signal_number)
{
	(void)signal_number;
	_exit(STATUS_INTERRUPTED);
}

/* Graphs and stores are read through maps of their files. If the disk fails, or another program cuts the file, the read has no
 * way to return an error: the kernel sends SIGBUS. Another cause of this signal than a file ends the program as usual: the
 * signal comes again when this handler returns, and the handler is set for once only. */
static void end_unmapped(int signal_number, siginfo_t *info, void *context)
{
	static const char line[] = "lycosa: a file in use can no longer be read: its disk failed, or another program cut it; "
				   "the kernel's log names a disk that failed\n";

	(void)context;
	if (info->si_code != BUS_ADRERR) {
		raise(signal_number);
		return;
	}
	(void)!write(STDERR_FILENO, line, sizeof line - 1);
	_exit(err_status(ERR_FILE));
}

/* Sets the signals' handlers. A verb that has to clean up (crawl, serve) installs handlers of its own. SIGPIPE and SIGXFSZ are
 * ignored, so that a write to a closed pipe, or beyond a limit of file sizes, returns an error, and a store can still be
 * committed. */
static void set_signals(void)
{
	struct sigaction end = {.sa_handler = end_interrupted}, ignore = {.sa_handler = SIG_IGN};
	struct sigaction unmapped = {.sa_sigaction = end_unmapped, .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};
	struct sigaction old;

	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL);
	sigaction(SIGBUS, &unmapped, NULL);
	sigaction(SIGTERM, &end, NULL);
	/* under nohup or in the background of a script it stays ignored */
	if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &end, NULL);
}

/* Says whether the reader of our stdout has ended (`| head`). */
static int reader_is_gone(void)
{
	struct pollfd p = {STDOUT_FILENO, POLLOUT, 0};

	return poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP));
}

/* Results that could not be written are an error, unless nobody wants them. */
static int finish_stdout(int err, struct err_note *why)
{
	errno = 0;
	int failed = ferror(stdout);
	failed |= fflush(stdout);
	if (!failed)
		return err;
	if (reader_is_gone())
		return err == ERR_RESULTS ? 0 : err;
	if (err)
		return err;
	return err_set(why, ERR_RESULTS, "cannot write the results to stdout: %s",
		errno ? ascii_error(errno) : "is the disk full?");
}

int main(int argc, char **argv)
{
	struct err_note why = {""};

#ifdef AGENTS_PROGRAM /* only the core of lycosa, which leaves its place to the whole where this is installed */
	execv(AGENTS_PROGRAM, argv);
#endif
	keep_standard_streams();
	set_memory();
	set_library_memory();
	set_signals();
	int err = verb_main(argc, (const char *const *)argv, &why);
	bus_end();
	err = finish_stdout(err, &why);
	if (err)
		log_error("%s", *why.text ? why.text : err_text(err));
	return err_status(err);
}
