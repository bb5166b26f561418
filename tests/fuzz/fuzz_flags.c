/* A file of settings. What it gives is told so that reading that gives it again. */
#include "tests/fuzz/graph_input.h"

#include "cli/flags/flags.h"

struct all {
	const char *config, *text, *empty;
	int on, choice;
	uint64_t count, bytes;
	double real;
	int64_t time;
	struct flag_list each, commas;
};

#define ALL(field) offsetof(struct all, field)

static const struct flag table[] = {
	{"config", 0, FLAG_CONFIG, ALL(config), "FILE", .help = "this"},
	{"text", 0, FLAG_TEXT, ALL(text), "TEXT", .help = "any"},
	{"empty", 0, FLAG_TEXT, ALL(empty), "TEXT", .help = "or none", .may_be_empty = 1},
	{"on", 0, FLAG_SWITCH, ALL(on), .help = "or off"},
	{"choice", 0, FLAG_CHOICE, ALL(choice), "one|two|three", .help = "of three"},
	{"count", 0, FLAG_COUNT, ALL(count), "N", .help = "how many", .max = 1e6},
	{"size", 0, FLAG_BYTES, ALL(bytes), "N", .help = "how much"},
	{"real", 0, FLAG_REAL, ALL(real), "X", .help = "a number"},
	{"time", 0, FLAG_TIME, ALL(time), "T", .help = "how long"},
	{"each", 0, FLAG_EACH, ALL(each), "TEXT", .help = "of many"},
	{"commas", 0, FLAG_COMMAS, ALL(commas), "LIST", .help = "some"},
	{.name = NULL},
};

/* Reads the file of these bytes, and tells it, without the lines that say where from; returns whether
 * it is one of settings. */
static int tell(int *fd, const void *bytes, size_t n, struct buf *told)
{
	struct all all = {.config = NULL};
	struct buf text = BUF_EMPTY;
	struct err_note why = {""};
	char path[64];
	struct flags f;

	graph_input_file(fd, bytes, n, path);
	const char *const argv[] = {"--config", path};
	graph_input_require(flags_read(&f, "lycosa fuzz", table, &all, argv, 2, &why) == 0);
	const int err = flags_read_file(&f, &why);
	graph_input_require(!err == !*why.text);
	if (!err)
		flags_print(&f, NULL, NULL, &text);
	for (size_t at = 0; at < text.used;) {
		const char *line = text.at + at;
		const size_t length = (size_t)((char *)memchr(line, '\n', text.used - at) - line) + 1;
		if (*line != '#')
			buf_add(told, line, length);
		at += length;
	}
	buf_release(&text);
	flags_release(&f);
	return !err;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	struct buf first = BUF_EMPTY, again = BUF_EMPTY;

	if (tell(&fd, bytes, n, &first)) {
		graph_input_require(tell(&fd, first.used ? first.at : "", first.used, &again));
		graph_input_require(again.used == first.used && (!first.used || !memcmp(again.at, first.at, first.used)));
	}
	buf_release(&first);
	buf_release(&again);
	return 0;
}
