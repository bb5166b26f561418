/* One page under many URLs that differ in what says nothing of it: the order of the query's
 * parameters, a session id. Session ids are known by their names (parser/url_rules.h); under any name,
 * and in any place of a URL, they are learnt: from pages whose URLs differ only in parts that look
 * drawn at random (shape_drawn()) and stand in the same places of a host's URLs, and whose content is
 * the same. A page of which that is not so counts for four that are. */
#ifndef TRAPS_FORMS_H
#define TRAPS_FORMS_H

#include "base/map.h"
#include "parser/url.h"

/* So many such pages, and URLs are told apart without what stands in those places. */
#define FORMS_LEARNT 16

struct forms {
	int is_on;
	struct map known; /* forms of the URLs found */
	struct map drawn; /* of the pages crawled */
	struct map places;
	size_t learnt; /* places */
};

void forms_init(struct forms *, int is_on);
void forms_release(struct forms *);

/* A URL is known from now on. */
void forms_seen(struct forms *, const struct url *);
/* A page was crawled; `content` is the same number for pages of the same content. */
void forms_came(struct forms *, const struct url *, uint32_t content);

/* Whether a URL that is not known is one that is, in another form. */
int forms_has(const struct forms *, const struct url *);
/* Whether one that was not asked for is a page crawled, in another form. */
int forms_came_before(const struct forms *, const struct url *);

#endif
