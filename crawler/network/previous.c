#include "crawler/network/previous.h"
#include "frontier/policy.h"

#include <string.h>

void previous_init(struct previous *p, struct store *store, unsigned rules)
{
	*p = (struct previous){.store = store};
	page_build_init(&p->build, STORE_LINKS_MAX, 0);
	p->build.rules = rules;
}

void previous_release(struct previous *p)
{
	page_build_release(&p->build);
	url_release(&p->url);
}

static int find(struct previous *p, const struct store_page *page, uint32_t *id, struct result *out)
{
	return p->store && store_find(p->store, page->url, page->url_length, id) && store_result(p->store, *id, out) &&
		out->state == PAGE_CRAWLED;
}

struct validators previous_validators(struct previous *p, const struct store_page *page)
{
	struct result known;
	uint32_t id;

	if (!find(p, page, &id, &known))
		return (struct validators){0, NULL, 0};
	return known.validators;
}

static void add_links(struct previous *p, uint32_t id)
{
	const uint32_t *links;
	const uint8_t *kinds;
	struct store_page target;
	size_t anchor_n;
	const size_t n = store_links(p->store, id, &links, &kinds);

	for (size_t i = 0; i < n; i++)
		if (store_page(p->store, links[i], &target) && url_parse(&p->url, target.url, target.url_length, NULL) == URL_OK)
			page_build_add(&p->build, &p->url, kinds ? kinds[i] : 0,
				p->with_anchors ? store_anchor(p->store, id, i, &anchor_n) : "");
}

struct fetch_page *previous_take(struct previous *p, const struct store_page *page, struct fetch_page *fresh)
{
	struct fetch_page head = *fresh;
	struct result known;
	uint32_t id;

	if (!find(p, page, &id, &known))
		return fresh;
	head.result.digest[0] = known.digest[0];
	head.result.digest[1] = known.digest[1];
	head.result.fingerprint = known.fingerprint;
	head.result.simhash = known.simhash;
	head.result.is_scored = known.is_scored;
	head.result.score = known.score;
	if (!*head.about.type)
		strcpy(head.about.type, known.type);
	strcpy(head.about.language, known.language);
	strcpy(head.about.title, known.title);
	if (!head.result.validators.modified && !head.result.validators.etag_length)
		head.result.validators = known.validators;
	/* copied before the links are read, since the ETag may point into memory of the store that reading them overwrites */
	struct buf etag = BUF_EMPTY;
	buf_add(&etag, head.result.validators.etag, head.result.validators.etag_length);
	head.result.validators.etag = etag.at;
	add_links(p, id);
	struct fetch_page *whole = page_build_take(&p->build, &head);
	buf_release(&etag);
	fetch_page_free(fresh);
	return whole;
}
