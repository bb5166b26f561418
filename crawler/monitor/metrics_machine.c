/* The metrics of the process and of its files, which are read when somebody asks. */
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/monitor/metrics.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t open_descriptors(void)
{
	DIR *all = opendir("/proc/self/fd");
	uint64_t n = 0;

	if (!all)
		return 0;
	while (readdir(all))
		n++;
	closedir(all);
	return n > 3 ? n - 3 : 0; /* ".", ".." and the folder itself */
}

void metrics_process(struct buf *out)
{
	const int64_t ns = clock_cpu_ns();
	struct rlimit most;

	metrics_head(out, "process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.");
	buf_format(out, "process_cpu_seconds_total %lld.%03lld\n", (long long)(ns / 1000000000), (long long)(ns / 1000000 % 1000));
	metrics_head(out, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.");
	metrics_sample(out, "process_resident_memory_bytes", NULL, NULL, tally_resident());
	metrics_head(out, "process_open_fds", "gauge", "Number of open file descriptors.");
	metrics_sample(out, "process_open_fds", NULL, NULL, open_descriptors());
	if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur != RLIM_INFINITY) {
		metrics_head(out, "process_max_fds", "gauge", "Maximum number of open file descriptors.");
		metrics_sample(out, "process_max_fds", NULL, NULL, most.rlim_cur);
	}
}

/* Returns the bytes of the files PREFIX-*.warc.gz. */
static uint64_t archive_bytes(const char *prefix)
{
	static const char end[] = ".warc.gz";
	const char *slash = strrchr(prefix, '/'), *name = slash ? slash + 1 : prefix;
	char *folder = slash ? mem_part(prefix, (size_t)(slash - prefix) + 1) : mem_text(".");
	DIR *all = opendir(folder);
	const size_t n = strlen(name);
	const struct dirent *e;
	uint64_t bytes = 0;
	struct stat st;

	while (all && (e = readdir(all)) != NULL) {
		const size_t length = strlen(e->d_name);
		if (length > n + sizeof end && strncmp(e->d_name, name, n) == 0 && e->d_name[n] == '-' &&
			strcmp(e->d_name + length - (sizeof end - 1), end) == 0 && fstatat(dirfd(all), e->d_name, &st, 0) == 0)
			bytes += (uint64_t)st.st_size;
	}
	if (all)
		closedir(all);
	free(folder);
	return bytes;
}

void metrics_files(struct buf *out, const char *store, const char *warc)
{
	struct buf path = BUF_EMPTY;
	struct stat st;

	if (store) {
		buf_format(&path, "%s/data.mdb", store);
		metrics_head(out, "lycosa_store_bytes", "gauge", "Bytes of the store on the disk.");
		metrics_sample(out, "lycosa_store_bytes", NULL, NULL, stat(path.at, &st) == 0 ? (uint64_t)st.st_blocks * 512u : 0);
		buf_release(&path);
	}
	if (warc) {
		metrics_head(out, "lycosa_warc_bytes", "gauge", "Bytes of the archive, of all sittings.");
		metrics_sample(out, "lycosa_warc_bytes", NULL, NULL, archive_bytes(warc));
	}
}
