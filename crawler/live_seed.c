#include "crawler/live_seed.h"
#include "crawler/live.h"

int live_seed_parse(struct url *u, const char *url, size_t n, struct err_note *why)
{
	static const char *const problem[] = {[URL_BAD] = "is no URL",
		[URL_FOREIGN] = "is not http or https",
		[URL_TOO_LONG] = "is too long"};
	enum url_result result = url_parse(u, url, n, NULL);

	return result ? err_set(why, ERR_USAGE, "seed '%.*s' %s; http://example.org/ is one",
				(int)(n < 200 ? n : 200), url, problem[result])
		      : 0;
}

int live_seed_check(const char *url, size_t n, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = live_seed_parse(&u, url, n, why);

	url_release(&u);
	return err;
}
