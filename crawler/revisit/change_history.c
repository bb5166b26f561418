#include "crawler/revisit/change_history.h"

#define DAY 86400000.0 /* ms */

static double days(double ms)
{
	return ms > 0 ? ms / DAY : 0;
}

void change_history_crawled(struct change_history *h, struct store *s, uint32_t id)
{
	struct store_visited v;
	struct result result;

	*h = (struct change_history){.last = 0};
	if (!store_result(s, id, &result))
		return;
	h->last = result.ended;
	const int is_undated = store_visited(s, id, &v) && v.is_undated;
	if (result.validators.modified && !is_undated && result.validators.modified * 1000 <= result.ended)
		changes_dated(&h->changes, days((double)(result.ended - result.validators.modified * 1000)));
}

void change_history_visit(struct change_history *h, const struct store_visited *v, const struct store_change *c)
{
	if (!c) {
		h->last = v->last;
		h->quiet = (float)days((double)(v->last - v->first));
		return;
	}
	h->quiet -= (float)days((double)(c->at - c->before));
	if (c->modified)
		changes_dated(&h->changes, days((double)(c->at - c->modified * 1000)));
	else
		changes_seen(&h->changes, days((double)(c->at - c->before)));
}

/* Adds the quiet days of a page to its history. If the page has more changes than are kept, only the share of the days that belongs
 * to kept changes counts. */
void change_history_end(struct change_history *h, struct store *s, uint32_t id)
{
	struct store_visited v;
	double share = 1;

	if (h->quiet <= 0)
		return;
	if (store_visited(s, id, &v) && v.changes > CHANGES_MOST)
		share = (double)CHANGES_MOST / v.changes;
	changes_same(&h->changes, share * (double)h->quiet);
}

void change_history_read(struct change_history *h, struct store *s, uint32_t id)
{
	struct store_visited v;
	struct store_change c;

	change_history_crawled(h, s, id);
	if (!store_visited(s, id, &v))
		return;
	change_history_visit(h, &v, NULL);
	for (uint32_t i = 0; i < v.changes && store_change(s, id, i, &c); i++)
		change_history_visit(h, &v, &c);
	change_history_end(h, s, id);
}
