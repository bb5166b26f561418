/* An edge list, repeated until it is several runs: within a tiny memory the same graph comes out, or
 * the same error. */
#include "tests/fuzz/graph_input.h"

#define REPEATED ((size_t)1 << 14) /* 2048 arcs are sorted at once */

static char *repeat(const uint8_t *bytes, size_t n, size_t *whole)
{
	const size_t times = n < REPEATED ? REPEATED / n + 1 : 1;
	char *text = malloc(times * n);

	graph_input_require(text != NULL);
	for (size_t i = 0; i < times; i++)
		memcpy(text + i * n, bytes, n);
	*whole = times * n;
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct graph_format *f = graph_format_named("edges");
	const struct graph_load roomy = {.threads = 1};
	const struct graph_load tight = {.threads = 1, .space = {.memory = 1}};
	struct err_note why = {""}, again = {""};
	struct graph g, other;
	static int fd = -1;
	char path[64];
	size_t whole;

	if (!n)
		return 0;
	char *text = repeat(bytes, n, &whole);
	graph_input_file(&fd, (uint8_t *)text, whole, path);
	free(text);
	const int err = f->load(path, &roomy, &g, &why);
	graph_input_require(f->load(path, &tight, &other, &again) == err);
	graph_input_require(strcmp(why.text, again.text) == 0);
	if (!err) {
		graph_input_check(&other);
		graph_input_require(graph_fingerprint(&g) == graph_fingerprint(&other));
		for (uint32_t u = 0; u < g.nodes; u++)
			graph_input_require(graph_label(&g, u) == graph_label(&other, u));
	}
	graph_release(&g);
	graph_release(&other);
	return 0;
}
