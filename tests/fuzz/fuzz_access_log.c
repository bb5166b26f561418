/* A line with a log_format (empty: the fake web's own), and a log, which is audited. */
#include "tests/fuzz/graph_input.h"

#include "base/mem.h"
#include "lab/measure/audit.h"

static void audit_log(struct access_log *log)
{
	static const char text[] = "User-agent: *\nDisallow: /a\nCrawl-delay: 1\n";
	struct robots *robots = robots_parse(text, sizeof text - 1, "lycosa");
	struct audit *a = audit_new(
		&(struct audit_rules){.delay = 1000000, .rest = 1000000, .tolerance = 2000, .at_once = 2, .robots = robots});
	struct err_note why = {""};
	struct access line;
	uint64_t breaches = 0, n = 0;

	while (access_log_next(log, &line, &why) > 0) {
		graph_input_require(line.begin <= line.end && line.retry_after >= -1);
		audit_add(a, &line);
		n++;
	}
	audit_judge(a);
	graph_input_require(audit_size(a).requests == n);
	for (int rule = 0; rule < AUDIT_RULES; rule++)
		breaches += audit_count(a, (enum audit_rule)rule).breaches;
	for (uint64_t i = 0; i < breaches; i++)
		graph_input_require(audit_breach(a, i) != NULL);
	graph_input_require(!audit_breach(a, breaches));
	audit_free(a);
	robots_free(robots);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	const uint8_t *end = n ? memchr(bytes, '\n', n) : NULL;
	struct err_note why = {""};
	struct access_log *log;
	char path[64];

	if (!end)
		return 0;
	char *format = mem_part((const char *)bytes, (size_t)(end - bytes));
	graph_input_file(&fd, end + 1, n - (size_t)(end + 1 - bytes), path);
	const int err = access_log_open(&log, path, *format ? format : NULL, &why);
	graph_input_require(err ? !log && *why.text : log != NULL);
	if (!err)
		audit_log(log);
	access_log_close(log);
	free(format);
	return 0;
}
