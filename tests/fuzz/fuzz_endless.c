/* A line with settings of an endless web, a host, and the target of a request. */
#include "tests/fuzz/graph_input.h"

#include "base/mem.h"
#include "parser/robots.h"
#include "simweb/endless.h"

/* What is answered is answered alike again, and a page has a whole HTML document. */
static void ask(const struct endless *e, const char *host, const char *target)
{
	struct endless_reply one = {0}, two = {0};
	struct address a;
	struct buf rules = BUF_EMPTY;

	if (address_of_request(&a, target, host)) {
		endless_answer(e, &a, 1800000000, &one);
		endless_answer(e, &a, 1800000000, &two);
		graph_input_require(one.status == 200 || one.status == 301 || one.status == 404 || one.status == 500);
		graph_input_require(one.status == two.status && one.page == two.page && one.modified == two.modified &&
			one.modified <= 1800000000);
		graph_input_require(
			one.body.used == two.body.used && (!one.body.used || memcmp(one.body.at, two.body.at, one.body.used) == 0));
		graph_input_require((one.status == 301) == (one.location.used > 0));
	}
	if (endless_robots(e, host, &rules))
		robots_free(robots_parse(rules.at, rules.used, "lycosa"));
	buf_release(&rules);
	endless_reply_release(&one);
	endless_reply_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct err_note why = {""};
	struct endless e;
	char *text = mem_part((const char *)bytes, n), *host = strchr(text, '\n'), *target = NULL;

	if (host) {
		*host++ = 0;
		target = strchr(host, '\n');
	}
	if (target) {
		*target++ = 0;
		const int err = endless_parse(&e, text, &why);
		graph_input_require(err ? *why.text != 0 : e.hosts > 0);
		/* pages of so many words say nothing new and take long */
		if (!err && e.words <= 100)
			ask(&e, host, target);
	}
	free(text);
	return 0;
}
