/* Graph files within a bounded memory: bench_files [NODES:ARCS_PER_NODE [FOLDER]]
 *
 * Makes a graph in a new folder below FOLDER (/tmp), and in a process of its own each reads it as
 * text, CSR and BVGraph, and transposes it, without and with bounds of the memory. Prints CPU and
 * elapsed seconds, ns of CPU an arc, and the peak of the memory. */
#include "base/clock.h"
#include "base/mem.h"
#include "graph/formats/format.h"
#include "graph/kernels/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct bench {
	char folder[512];
	struct generate how;
	uint64_t memory;
	const char *format; /* of the file that is read */
};

static void path_of(const struct bench *b, const char *format, char path[600])
{
	snprintf(path, 600, "%s/%s", b->folder, format);
}

static struct graph_load load_of(const struct bench *b)
{
	return (struct graph_load){.threads = 1, .space = {.memory = b->memory, .folder = b->folder}};
}

static int write_all(const struct bench *b, struct err_note *why)
{
	static const char *const formats[] = {"edges", "csr", "bvgraph"};
	struct graph g;
	char path[600];
	int err = 0;

	generate(&b->how, &g);
	for (size_t i = 0; i < 3 && !err; i++) {
		path_of(b, formats[i], path);
		err = graph_format_named(formats[i])->save(&g, path, why);
	}
	printf("# %u nodes, %llu arcs, %.1f MB of targets\n", g.nodes, (unsigned long long)g.arcs, (double)g.arcs * 4 / 1e6);
	graph_release(&g);
	return err;
}

static int read_file(const struct bench *b, struct err_note *why)
{
	const struct graph_load load = load_of(b);
	struct graph g;
	char path[600];

	path_of(b, b->format, path);
	const int err = graph_format_named(b->format)->load(path, &load, &g, why);
	graph_release(&g);
	return err;
}

static int transpose(const struct bench *b, struct err_note *why)
{
	const struct graph_load load = load_of(b);
	struct graph g, reverse = {0};
	char path[600];

	path_of(b, "csr", path);
	int err = graph_format_named("csr")->load(path, &load, &g, why);
	if (!err && b->memory)
		err = graph_transpose_within(&g, &load.space, &reverse, why);
	else if (!err)
		graph_transpose(&g, &reverse, 1);
	graph_release(&reverse);
	graph_release(&g);
	return err;
}

static void measure(const struct bench *b, const char *what, int (*work)(const struct bench *, struct err_note *))
{
	const double arcs = b->how.nodes * b->how.arcs_per_node;
	const int64_t begin = clock_ns();
	struct err_note why = {""};
	struct rusage use;
	int status;

	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		const int err = work(b, &why);
		if (err)
			fprintf(stderr, "bench_files: %s\n", why.text);
		fflush(stdout);
		_exit(err ? 1 : 0);
	}
	if (child < 0 || wait4(child, &status, 0, &use) < 0 || status)
		exit(1);
	const double cpu = (double)use.ru_utime.tv_sec + (double)use.ru_stime.tv_sec +
		(double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
	printf("%-18s %6.0f MB  %8.2f s CPU %8.2f s  %7.1f ns/arc  peak %6.0f MB\n", what, (double)b->memory / (1 << 20), cpu,
		(double)(clock_ns() - begin) / 1e9, cpu * 1e9 / arcs, (double)use.ru_maxrss / 1024);
}

static void remove_files(const struct bench *b)
{
	static const char *const names[] = {"edges", "csr", "bvgraph.graph", "bvgraph.offsets", "bvgraph.properties"};
	char path[600];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		path_of(b, names[i], path);
		unlink(path);
	}
	rmdir(b->folder);
}

int main(int argc, char **argv)
{
	static const uint64_t bounds[] = {0, 256 << 20, 64 << 20, 16 << 20};
	struct bench b = {.how = GENERATE_DEFAULT};
	char *colon = argc > 1 ? strchr(argv[1], ':') : NULL;

	b.how.nodes = colon ? (uint32_t)strtoul(argv[1], NULL, 10) : 200000;
	b.how.arcs_per_node = colon ? strtod(colon + 1, NULL) : 14.7;
	snprintf(b.folder, sizeof b.folder, "%s/lycosa-bench-XXXXXX", argc > 2 ? argv[2] : "/tmp");
	if (!b.how.nodes || !mkdtemp(b.folder))
		return 1;
	measure(&b, "generate, write", write_all);
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		b.memory = bounds[i];
		b.format = "edges";
		measure(&b, "read edges", read_file);
		b.format = "csr";
		measure(&b, "read CSR", read_file);
		b.format = "bvgraph";
		measure(&b, "read BVGraph", read_file);
		measure(&b, "transpose", transpose);
	}
	remove_files(&b);
	return 0;
}
