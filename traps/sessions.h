/* Session ids: parts of a URL that look drawn at random and say nothing of the page.
 *
 * Session ids that are known by their names (parser/url_rules.h) are a rule on the URL alone, in
 * traps/limits.h. Under any name, and in any part of a URL, they are learnt: two pages of a host
 * whose URLs differ only in parts that look drawn (shape_drawn()) have the same content. Where that is
 * so again and again for URLs with such parts in the same places, what stands there is a session id. */
#ifndef TRAPS_SESSIONS_H
#define TRAPS_SESSIONS_H

#include "base/map.h"
#include "parser/url.h"

struct sessions {
	struct map forms; /* of the pages crawled: their URLs without the parts that look drawn */
};

/* A URL compared with the first one crawled that differs from it in its drawn parts only. */
struct sessions_match {
	int is_known;     /* there is one */
	uint64_t place;   /* host and parts of the URL where it looks drawn; 0 where it looks so nowhere */
	uint32_t first;   /* the page of that URL, where it is known */
	uint32_t content; /* the first page with that page's content */
};

void sessions_init(struct sessions *);
void sessions_release(struct sessions *);

/* What is known of a URL. */
struct sessions_match sessions_find(const struct sessions *, const struct url *);

/* A page was crawled, whose content page `content` was the first to have. Returns what was known of its
 * URL before. */
struct sessions_match sessions_add(
	struct sessions *, const struct url *, uint32_t id, uint32_t content);

#endif
