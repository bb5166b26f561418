/* The three files of a BVGraph: properties up to the first NUL byte, a byte that says how many
 * bytes of offsets follow, these, and the bits of the graph. */
#include "tests/fuzz/graph_input.h"
#include "graph/formats/bvrandom.h"

/* A folder with links to the three, since they go by their names. */
struct folder {
	char path[32];
	int fd[3];
};

static void place(struct folder *f, int i, const char *tail, const uint8_t *bytes, size_t n)
{
	const int is_new = f->fd[i] < 0;
	char target[64], name[64];

	graph_input_file(&f->fd[i], bytes, n, target);
	if (!is_new)
		return;
	snprintf(name, sizeof name, "%s/g%s", f->path, tail);
	if (symlink(target, name) < 0)
		abort();
}

static struct folder *folder(void)
{
	static struct folder f = {"/tmp/lycosa-fuzz-XXXXXX", {-1, -1, -1}};

	return &f;
}

static void remove_folder(void)
{
	static const char *const tail[] = {".properties", ".offsets", ".graph"};
	char name[64];

	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%s/g%s", folder()->path, tail[i]);
		unlink(name);
	}
	rmdir(folder()->path);
}

/* Each row alone, with whatever offsets: a row, or refused. */
static void read_at_random(const char *path)
{
	struct bvrandom *g;
	const uint32_t *row;
	uint32_t n;

	if (bvrandom_open(&g, path, NULL))
		return;
	for (uint32_t x = bvrandom_nodes(g); x--;) {
		if (bvrandom_row(g, x, &row, &n, NULL))
			continue;
		for (uint32_t i = 0; i < n; i++)
			graph_input_require(row[i] < bvrandom_nodes(g) && (!i || row[i - 1] < row[i]));
	}
	bvrandom_close(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct folder *f = folder();
	const uint8_t *end = n ? memchr(bytes, 0, n) : NULL;
	char path[64];

	if (!end || (size_t)(end + 2 - bytes) > n || (size_t)(end + 2 - bytes) + end[1] > n)
		return 0;
	if (f->fd[0] < 0) {
		if (!mkdtemp(f->path))
			abort();
		atexit(remove_folder);
	}
	place(f, 0, ".properties", bytes, (size_t)(end - bytes));
	place(f, 1, ".offsets", end + 2, end[1]);
	place(f, 2, ".graph", end + 2 + end[1], n - (size_t)(end + 2 - bytes) - end[1]);
	snprintf(path, sizeof path, "%s/g", f->path);
	graph_input_load(graph_format_named("bvgraph"), path, 0, graph_input_threads(n));
	read_at_random(path);
	return 0;
}
