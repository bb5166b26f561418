#include "agents/exchange.h"
#include "agents/letter.h"
#include "base/mem.h"

#include <stdlib.h>

#define LETTER_BYTES 400000 /* of the URLs of a letter, about; what is more goes into a second letter */
#define PER_URL      16     /* the most bytes of a URL's lengths, kind and mass */

/* A link, or a mass, on its way to a partition. */
struct outgoing {
	unsigned partition;
	uint32_t place; /* its position in the list that is sent, by which letters are ordered, too */
	uint32_t id;
	double mass;
};

struct exchange {
	struct frontier *frontier;
	const struct shares *shares;
	unsigned self;
	struct exchange_pages pages;
	struct exchange_post post;
	size_t letter_bytes;
	uint64_t reranks; /* of the frontier, when masses were sent last */
	struct letter_out out;
	struct outgoing *outgoing;
	size_t n_outgoing, outgoing_room;
	/* of the letter that is read; `kinds` is as long as `links` */
	uint32_t *links;
	uint8_t *kinds;
	size_t links_room;
};

struct exchange *exchange_new(struct frontier *f, const struct shares *shares, unsigned self, const struct exchange_pages *pages,
	const struct exchange_post *post)
{
	struct exchange *x = mem_zero(1, sizeof *x);

	x->frontier = f;
	x->shares = shares;
	x->self = self;
	x->pages = *pages;
	x->post = *post;
	x->letter_bytes = LETTER_BYTES;
	return x;
}

void exchange_limit(struct exchange *x, size_t bytes)
{
	x->letter_bytes = bytes < LETTER_BYTES ? bytes : LETTER_BYTES;
}

void exchange_free(struct exchange *x)
{
	if (!x)
		return;
	letter_out_release(&x->out);
	free(x->outgoing);
	free(x->links);
	free(x->kinds);
	free(x);
}

static unsigned partition_of_page(const struct exchange *x, uint32_t id)
{
	return x->pages.partition(x->pages.ctx, id);
}

static int is_own(const struct exchange *x, uint32_t id)
{
	return x->shares->owner[partition_of_page(x, id)] == x->self;
}

/* --- sending */

static void add_outgoing(struct exchange *x, unsigned partition, uint32_t id, uint32_t place, double mass)
{
	x->outgoing = mem_grow(x->outgoing, &x->outgoing_room, x->n_outgoing + 1, sizeof *x->outgoing);
	x->outgoing[x->n_outgoing++] = (struct outgoing){partition, place, id, mass};
}

static int by_partition(const void *a, const void *b)
{
	const struct outgoing *x = a, *y = b;

	if (x->partition != y->partition)
		return x->partition < y->partition ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts what goes out, so that what goes to a partition stands together. */
static void sort_outgoing(struct exchange *x)
{
	if (x->n_outgoing > 1)
		qsort(x->outgoing, x->n_outgoing, sizeof *x->outgoing, by_partition);
}

static const char *url_of(const struct exchange *x, uint32_t id, size_t *n)
{
	return x->pages.url(x->pages.ctx, id, n);
}

/* Returns the end of the outgoing entries from `first` on that go into one letter: those of its partition, as far as there is
 * room. */
static size_t end_of_run(const struct exchange *x, size_t first)
{
	size_t end = first + 1, n, bytes;

	(void)url_of(x, x->outgoing[first].id, &bytes);
	while (end < x->n_outgoing && x->outgoing[end].partition == x->outgoing[first].partition) {
		(void)url_of(x, x->outgoing[end].id, &n);
		bytes += n + PER_URL;
		if (bytes > x->letter_bytes)
			break;
		end++;
	}
	return end;
}

static int post(struct exchange *x, unsigned partition, struct err_note *why)
{
	return x->post.send(x->post.ctx, partition, x->out.bytes.at, x->out.bytes.used, why);
}

/* Sends the letter about page u with its links outgoing[first..end), all of one partition. */
static int send_page(struct exchange *x, uint32_t u, struct frontier_remote *page, size_t first, size_t end, struct err_note *why)
{
	size_t n;
	const char *url = url_of(x, u, &n);

	page->n_links = end - first;
	letter_write_page(&x->out, LETTER_PAGE, x->outgoing[first].partition, page, url, n);
	for (size_t i = first; i < end; i++) {
		const struct outgoing *link = &x->outgoing[i];
		url = url_of(x, link->id, &n);
		letter_write_link(&x->out, page, url, n, page->kinds ? page->kinds[link->place] : 0);
	}
	return post(x, x->outgoing[first].partition, why);
}

/* Describes a page in flight. */
static void describe(const struct exchange *x, uint32_t id, struct frontier_remote *page)
{
	frontier_describe(x->frontier, id, page);
	if (x->pages.depth)
		page->depth = x->pages.depth(x->pages.ctx, id);
}

/* Says whether the owner of a partition is to be told of a page of partition `own`. */
static int is_to_be_told(const struct exchange *x, unsigned partition, unsigned own)
{
	return x->shares->owner[partition] != x->self || (x->post.tells_self && partition != own);
}

int exchange_page(struct exchange *x, uint32_t id, const uint32_t *links, const uint8_t *kinds, size_t n, struct err_note *why)
{
	struct frontier_remote page = {.outdegree = n, .kinds = kinds};
	const unsigned own = partition_of_page(x, id);
	int err = 0;

	x->n_outgoing = 0;
	for (size_t i = 0; i < n; i++) {
		const unsigned partition = partition_of_page(x, links[i]);
		if (is_to_be_told(x, partition, own))
			add_outgoing(x, partition, links[i], (uint32_t)i, 0);
	}
	if (!x->n_outgoing)
		return 0;
	sort_outgoing(x);
	describe(x, id, &page);
	for (size_t first = 0, end; !err && first < x->n_outgoing; first = end) {
		end = end_of_run(x, first);
		err = send_page(x, id, &page, first, end, why);
	}
	return err;
}

int exchange_target(struct exchange *x, uint32_t id, uint32_t target, struct err_note *why)
{
	struct frontier_remote page = {.outdegree = 1, .n_links = 1};
	const unsigned partition = partition_of_page(x, target);
	size_t n;

	if (!is_to_be_told(x, partition, partition_of_page(x, id)))
		return 0;
	describe(x, id, &page);
	const char *url = url_of(x, id, &n);
	letter_write_page(&x->out, LETTER_TARGET, partition, &page, url, n);
	url = url_of(x, target, &n);
	letter_write_link(&x->out, &page, url, n, 0);
	return post(x, partition, why);
}

int exchange_seed(struct exchange *x, uint32_t id, struct err_note *why)
{
	const unsigned partition = partition_of_page(x, id);
	size_t n;

	if (x->shares->owner[partition] == x->self)
		return 0;
	const char *url = url_of(x, id, &n);
	letter_write_seed(&x->out, partition, url, n);
	return post(x, partition, why);
}

static void add_mass(void *ctx, uint32_t id, double mass)
{
	struct exchange *x = ctx;

	if (!is_own(x, id))
		add_outgoing(x, partition_of_page(x, id), id, (uint32_t)x->n_outgoing, mass);
}

int exchange_masses(struct exchange *x, struct err_note *why)
{
	const uint64_t reranks = frontier_reranks(x->frontier);
	int err = 0;

	if (reranks == x->reranks)
		return 0;
	x->reranks = reranks;
	x->n_outgoing = 0;
	frontier_take_mass(x->frontier, add_mass, x);
	sort_outgoing(x);
	for (size_t first = 0, end; !err && first < x->n_outgoing; first = end) {
		end = end_of_run(x, first);
		letter_write_masses(&x->out, x->outgoing[first].partition, end - first);
		for (size_t i = first; i < end; i++) {
			size_t n;
			const char *url = url_of(x, x->outgoing[i].id, &n);
			letter_write_mass(&x->out, url, n, x->outgoing[i].mass);
		}
		err = post(x, x->outgoing[first].partition, why);
	}
	return err;
}

/* --- receiving */

/* Finds the id of the URL that was read from a letter. `from` counts for links and targets. */
static int find(const struct exchange *x, const struct letter *l, enum exchange_role role, uint32_t from, uint32_t *id,
	struct err_note *why)
{
	return x->pages.find(x->pages.ctx,
		&(struct exchange_url){.url = l->url.at, .n = l->url.used, .role = role, .from = from, .depth = l->page.depth}, id,
		why);
}

/* Reads the links of page u that are ours into links[] and kinds[]; their number is in l->page.n_links. Returns 0 or an
 * error. */
static int read_links(struct exchange *x, struct letter *l, uint32_t u, struct err_note *why)
{
	size_t room = x->links_room, n = 0;
	uint32_t id;
	int more, err = 0;

	x->links = mem_grow(x->links, &x->links_room, l->left, sizeof *x->links);
	x->kinds = mem_grow(x->kinds, &room, l->left, sizeof *x->kinds);
	while (!err && (more = letter_url(l, why)) != 0) {
		err = more < 0 ? more : find(x, l, EXCHANGE_LINK, u, &id, why);
		if (!err)
			err = letter_kind_of_link(l, &x->kinds[n], why);
		if (!err && is_own(x, id))
			x->links[n++] = id;
	}
	l->page.links = x->links;
	l->page.kinds = l->has_kinds ? x->kinds : NULL;
	l->page.n_links = n;
	return err;
}

static int by_id_and_place(const void *a, const void *b)
{
	const struct outgoing *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Drops links that stand twice, since the frontier takes distinct links only: this agent may know two URLs as names of one
 * page. The first one stays. */
static void drop_twins(struct exchange *x, struct letter *l)
{
	const size_t n = l->page.n_links;
	size_t kept = 0;

	if (n < 2)
		return;
	x->outgoing = mem_grow(x->outgoing, &x->outgoing_room, n, sizeof *x->outgoing);
	for (size_t i = 0; i < n; i++)
		x->outgoing[i] = (struct outgoing){.id = x->links[i], .place = (uint32_t)i};
	qsort(x->outgoing, n, sizeof *x->outgoing, by_id_and_place);
	for (size_t i = 1; i < n; i++)
		if (x->outgoing[i].id == x->outgoing[i - 1].id)
			x->links[x->outgoing[i].place] = UINT32_MAX;
	for (size_t i = 0; i < n; i++) {
		if (x->links[i] == UINT32_MAX)
			continue;
		x->kinds[kept] = x->kinds[i];
		x->links[kept++] = x->links[i];
	}
	l->page.n_links = kept;
}

int exchange_partition(const void *letter, size_t n, unsigned *partition)
{
	struct letter l;
	const int err = letter_open(&l, letter, n, NULL);

	*partition = l.partition;
	letter_release(&l);
	return err;
}

/* Reads the target of page u, which was redirected. */
static int take_target(struct exchange *x, struct letter *l, uint32_t u, struct err_note *why)
{
	uint8_t kind;
	uint32_t target;
	const int more = letter_url(l, why);

	if (more <= 0)
		return more < 0 ? more : err_set(why, ERR_FORMAT, "a letter of an agent has a redirect without a target");
	int err = find(x, l, EXCHANGE_TARGET, u, &target, why);
	if (!err)
		err = letter_kind_of_link(l, &kind, why);
	if (!err)
		err = letter_url(l, why);
	if (!err && is_own(x, target))
		frontier_tell_target(x->frontier, u, target, &l->page);
	return err > 0 ? err_set(why, ERR_FORMAT, "a letter of an agent has a redirect with two targets") : err;
}

static int take_page(struct exchange *x, struct letter *l, struct err_note *why)
{
	const struct policy *p = frontier_policy(x->frontier);
	uint32_t u;

	if (l->page.n_private != p->page_sent)
		return err_set(why, ERR_FORMAT,
			"a letter of an agent has %zu bytes of the policy, not the %zu of '%s': all agents need the same version and policy",
			l->page.n_private, p->page_sent, p->name);
	int err = letter_url(l, why);
	err = err < 0 ? err : find(x, l, EXCHANGE_PAGE, 0, &u, why);
	if (!err && l->kind == LETTER_TARGET)
		return take_target(x, l, u, why);
	if (!err)
		err = read_links(x, l, u, why);
	if (err)
		return err;
	drop_twins(x, l);
	frontier_tell(x->frontier, u, &l->page);
	return 0;
}

/* Reads a letter with mass for pages of a partition, and, if the partition still belongs to this agent, adds the mass to its pages.
 * Nothing is added before the whole letter has been read. */
static int take_masses(struct exchange *x, struct letter *l, struct err_note *why)
{
	double mass;
	uint32_t id;
	int more, err = 0;

	x->n_outgoing = 0; /* believed only once all of it is read */
	while (!err && (more = letter_url(l, why)) != 0) {
		err = more < 0 ? more : find(x, l, EXCHANGE_MASS, 0, &id, why);
		if (!err)
			err = letter_mass(l, &mass, why);
		if (err)
			break;
		x->outgoing = mem_grow(x->outgoing, &x->outgoing_room, x->n_outgoing + 1, sizeof *x->outgoing);
		x->outgoing[x->n_outgoing++] = (struct outgoing){.id = id, .mass = mass};
	}
	if (x->shares->owner[l->partition] != x->self)
		return err;
	for (size_t i = 0; !err && i < x->n_outgoing; i++)
		frontier_add_mass(x->frontier, x->outgoing[i].id, x->outgoing[i].mass);
	return err;
}

static int take_seed(struct exchange *x, struct letter *l, struct err_note *why)
{
	uint32_t id;
	int got = letter_url(l, why);

	if (got > 0)
		got = find(x, l, EXCHANGE_SEED, 0, &id, why);
	if (!got)
		got = letter_url(l, why);
	if (!got && x->pages.seed && is_own(x, id))
		x->pages.seed(x->pages.ctx, id);
	return got;
}

int exchange_take(struct exchange *x, const void *bytes, size_t n, struct err_note *why)
{
	struct letter l;
	int err = letter_open(&l, bytes, n, why);

	if (!err)
		err = l.kind == LETTER_MASS     ? take_masses(x, &l, why)
			: l.kind == LETTER_SEED ? take_seed(x, &l, why)
						: take_page(x, &l, why);
	letter_release(&l);
	return err;
}
