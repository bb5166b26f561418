/* The check of a store that is opened: every record of it is read once. What a damaged record lacks would otherwise be missing in
 * an answer, or in a store that is built on this one. The rules that relate records to one another are store_verify()'s alone. */
#include "storage/handle.h"
#include "storage/visits.h"

/* Reports a record that cannot be read: why its chunk cannot, or else which record it is. */
static int unreadable(struct store *s, const char *what, uint64_t number, struct err_note *why)
{
	if (s->env.unread)
		return env_unread(&s->env, s->env.unread, &s->env.unread_why, why);
	return err_set(why, ERR_DAMAGED, "'%s' is damaged: %s %llu cannot be read", s->env.path, what, (unsigned long long)number);
}

static int check_names(struct store *s, struct err_note *why)
{
	struct store_page page;
	const char *name;
	size_t n;

	for (uint32_t i = 0; i < store_hosts(s); i++)
		if (!texts_read(&s->hosts, i, &name, &n))
			return unreadable(s, "the name of host", i, why);
	for (uint32_t i = 0; i < store_pages(s); i++)
		if (!store_page(s, i, &page))
			return unreadable(s, "the URL of page", i, why);
	return 0;
}

static int check_results(struct store *s, struct err_note *why)
{
	struct result result;
	const uint8_t *at;
	size_t n;

	for (uint64_t i = 0; i < s->results.n; i++)
		if (!records_get(&s->results, i, &at, &n) || result_read(s, at, n, &result))
			return unreadable(s, "result", i, why);
	return 0;
}

static int check_links(struct store *s, struct err_note *why)
{
	int with_kinds;
	uint32_t id;
	size_t n;

	for (uint64_t i = 0; i < s->links.n; i++)
		if (links_read(s, i, &id, &n, &with_kinds))
			return unreadable(s, "the record of links", i, why);
	return 0;
}

/* An entry of a kind that this version does not know is no damage, and is left to those who read the log. */
static int check_log(struct store *s, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	int more;

	while ((more = store_log_next(c, &e, why)) == 1)
		;
	store_log_stop(c);
	return more == ERR_NEWER ? 0 : more;
}

static int any_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *change, struct err_note *why)
{
	(void)ctx, (void)id, (void)v, (void)change, (void)why;
	return 0;
}

static int any_robots(void *ctx, struct bytes origin, struct bytes value, struct err_note *why)
{
	(void)ctx, (void)origin, (void)value, (void)why;
	return 0;
}

int store_check(struct store *s, struct err_note *why)
{
	int err = check_names(s, why);

	if (!err && s->env.format >= ENV_FORMAT_SUMS)
		err = env_walk(&s->env, ENV_ROBOTS, ENV_CHECKED, any_robots, NULL, why);
	if (!err)
		err = check_results(s, why);
	if (!err)
		err = check_links(s, why);
	if (!err)
		err = store_visits_each(s, any_visit, NULL, why);
	if (!err)
		err = check_log(s, why);
	env_map_let_go(&s->env.map); /* most of the file is not read again soon */
	return err;
}
