#include "crawler/network/net_beside.h"

#include <string.h>

void net_beside_judge(const struct net_beside *b, struct store *store, const struct store_page *page, int64_t now,
	struct taken_verdict *turn, int64_t *pause)
{
	const char *host = b->rests_until && !turn->outcome ? store_host_name(store, page->host) : NULL;

	if (!host)
		return;
	if (b->has_crawled && b->has_crawled(b->ctx, page->url, page->url_length)) {
		*turn = (struct taken_verdict){OUTCOME_IS_PAGE, PAGE_REFUSED, STORE_NO_PAGE};
		return;
	}
	const int64_t until = b->rests_until(b->ctx, host, strlen(host));
	if (until > now) {
		*turn = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
		*pause = until;
	}
}
