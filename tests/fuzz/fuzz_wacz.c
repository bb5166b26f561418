/* A WACZ package of any program, or an index: the rules read it without harm, and tell nothing without words. */
#include "storage/wacz_rules.h"
#include "tests/fuzz/graph_input.h"

static void tell(void *ctx, const char *file, uint64_t line, enum warc_level level, const char *field, const char *what)
{
	(void)ctx;
	(void)line;
	(void)level;
	graph_input_require(file && field && *what);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	char path[64];

	graph_input_file(&fd, bytes, n, path);
	struct wacz_rules *rules = wacz_rules_new(path, tell, NULL);
	(void)!wacz_rules_check(rules, NULL);
	wacz_rules_free(rules);
	return 0;
}
