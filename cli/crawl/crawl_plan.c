#include "cli/crawl/crawl_plan.h"
#include "cli/store/store_endings.h"
#include "cli/crawl/crawl_options.h"
#include "cli/crawl/crawl_settings.h"
#include "parser/url_rules.h"

#include <stdlib.h>
#include <string.h>

/* The store of an earlier sitting: a setting that it keeps is printed in place of the default. */
struct keeper {
	struct store *store; /* NULL: none */
	char name[300];
};

static int open_keeper(struct keeper *k, const char *dir, struct err_note *why)
{
	*k = (struct keeper){.store = NULL};
	snprintf(k->name, sizeof k->name, "kept in '%.200s'", dir ? dir : "");
	err_escape(k->name);
	return dir && store_is(dir) ? store_open(&k->store, dir, STORE_READ, why) : 0;
}

/* Returns the row of crawler/settings/live_config.h whose value a store keeps under this name, or NULL. */
static const struct flag *row_of(const char *name)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (row->keeping && strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

static const char *origin_in_store(void *ctx, const char *name, const char **value)
{
	struct keeper *k = ctx;
	const struct flag *row = row_of(name);

	if (!k->store || !row)
		return NULL;
	if (live_decision_is_withheld(k->store, name)) {
		*value = "(a secret, which no store keeps: to be given again)";
		return k->name;
	}
	*value = store_get(k->store, name);
	if (!*value || !**value)
		return NULL;
	if (row->kind == FLAG_SWITCH)
		*value = "yes";
	return k->name;
}

static int print_settings(const struct command *c, struct keeper *k, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	flags_print(c->flags, origin_in_store, k, &text);
	for (size_t i = 0; i < c->flags->operands; i++) {
		char *url = flags_text(c->flags, c->flags->operand[i], strlen(c->flags->operand[i]));
		err_escape(url);
		buf_format(&text, "# command line, a seed: %s\n", url);
	}
	fputs(text.used ? text.at : "", stdout);
	buf_release(&text);
	return fflush(stdout) ? err_set(why, ERR_RESULTS, "cannot write the settings to stdout") : 0;
}

int crawl_print_settings(const struct command *c, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct keeper k;
	int err = open_keeper(&k, o->store, why);

	if (!err)
		err = print_settings(c, &k, why);
	store_close(k.store);
	return err;
}

/* --- what the store holds */

static void tell_held(struct store *store, const uint8_t *refusal, struct results *r)
{
	static const struct {
		const char *name;
		enum page_state state;
	} rows[] = {{"holds_crawled", PAGE_CRAWLED}, {"holds_failed", PAGE_FAILED}, {"holds_refused", PAGE_REFUSED},
		{"holds_redirected", PAGE_REDIRECTED}, {"holds_queued", PAGE_QUEUED}};
	uint64_t count[PAGE_STATES] = {0};

	for (uint32_t id = 0; store && id < store_pages(store); id++)
		count[ending_of(store, id, refusal).state]++;
	for (size_t i = 0; store && i < sizeof rows / sizeof *rows; i++) {
		results_name(r, rows[i].name);
		results_count(r, count[rows[i].state]);
	}
}

/* --- the settings, those that were given and those the store keeps */

static void tell_settings(const struct command *c, struct keeper *k, struct results *r)
{
	struct buf text = BUF_EMPTY, origin = BUF_EMPTY, line = BUF_EMPTY;

	flags_print(c->flags, origin_in_store, k, &text);
	for (char *at = text.at, *next; at && *at; at = next) {
		next = strchr(at, '\n');
		*next++ = 0;
		if (at[0] == '#' && at[1] == ' ') {
			buf_clear(&origin);
			buf_text(&origin, at + 2);
			continue;
		}
		at += *at == '#';
		if (!strchr(at, '=')[1])
			continue; /* the setting has its default, which is empty */
		buf_clear(&line);
		buf_format(&line, "%s (%s)", at, origin.at);
		results_name(r, "setting");
		results_text(r, line.at);
	}
	buf_release(&text);
	buf_release(&origin);
	buf_release(&line);
}

/* --- seeds */

struct judging {
	struct store *store;
	uint8_t *refusal; /* of the pages of the store */
	struct scope *scope;
	unsigned rules;
	struct url url;
	struct buf text;
};

/* Adds all seeds to the scope, before any of them is judged: each seed widens the scope. */
static void add_seeds(struct judging *j, const struct crawl_seeds *seeds)
{
	for (size_t i = 0; i < seeds->n; i++) {
		if (url_parse(&j->url, seeds->url[i], strlen(seeds->url[i]), NULL) != URL_OK)
			continue;
		url_drop_user(&j->url);
		url_rules_apply(j->rules, &j->url);
		scope_add_seed(j->scope, &j->url);
	}
}

static void judge(struct judging *j, const char *seed, struct results *r)
{
	uint32_t id;

	if (url_parse(&j->url, seed, strlen(seed), NULL) != URL_OK)
		return;
	url_drop_user(&j->url);
	url_rules_apply(j->rules, &j->url);
	buf_clear(&j->text);
	buf_add(&j->text, j->url.text.at, j->url.text.used);
	results_text(r, j->text.at);
	if (j->store && store_find(j->store, j->text.at, j->text.used, &id)) {
		results_text(r, page_state_name(ending_of(j->store, id, j->refusal).state));
	} else {
		results_text(r, "new");
	}
	const struct url_traits traits = url_traits(&j->url);
	const enum outcome refusal = scope_judge_known(j->scope, &traits, 0);
	results_text(r, refusal ? outcome_word(refusal) : "in");
}

static int tell(const struct command *c, struct keeper *k, struct judging *j, const struct crawl_seeds *seeds, struct err_note *why)
{
	static const char *const columns[] = {"seed", "state", "scope", NULL};
	const struct crawl_options *o = c->options;
	struct results r;

	report_begin(&o->report, &r);
	results_name(&r, "store");
	results_text(&r, o->store);
	results_name(&r, "resumed");
	results_text(&r, k->store ? "yes" : "no");
	tell_settings(c, k, &r);
	tell_held(k->store, j->refusal, &r);
	results_columns(&r, columns);
	for (size_t i = 0; i < seeds->n; i++)
		judge(j, seeds->url[i], &r);
	return results_end(&r, why);
}

int crawl_plan(const struct command *c, struct live *live, const struct crawl_seeds *seeds, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct judging j = {.url = URL_EMPTY, .text = BUF_EMPTY, .scope = live_scope(live), .rules = live_url_rules(live)};
	struct keeper k;
	int err = open_keeper(&k, o->store, why);

	j.store = k.store;
	if (!err && k.store)
		err = endings_refusals(k.store, &j.refusal, why);
	if (!err) {
		add_seeds(&j, seeds);
		err = tell(c, &k, &j, seeds, why);
	}
	url_release(&j.url);
	buf_release(&j.text);
	free(j.refusal);
	store_close(k.store);
	return err;
}
