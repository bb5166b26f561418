/* An archive of any program, WARC or WAT, plain or packed: its records lie within it, and so do the pages in them. */
#include "storage/warc_wat.h"
#include "tests/fuzz/graph_input.h"

static int take_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct capture *c = ctx;
	struct buf body = BUF_EMPTY;

	graph_input_require(item->header.n > 0 && item->header.at[item->header.n - 1] == '\n');
	if (!capture_of(c, item)) {
		wat_capture(c, item);
		return 0;
	}
	if (capture_take(c, item, SIZE_MAX, why))
		return ERR_FORMAT;
	graph_input_require(c->head_n <= c->block.used);
	(void)capture_decode(c, &body);
	(void)capture_status(c);
	(void)capture_type(c);
	buf_release(&body);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct warc_damage damage = {.places = 0};
	struct capture c = {.time = 0};
	static int fd = -1;
	char path[64];

	graph_input_file(&fd, bytes, n, path);
	(void)!warc_items(path, take_item, &c, &damage, NULL);
	graph_input_require(!damage.places || *damage.first.text);
	capture_release(&c);
	return 0;
}
