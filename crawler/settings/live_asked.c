#include "crawler/settings/live_asked.h"
#include "base/input.h"
#include "base/opt.h"
#include "parser/host_settings.h"
#include "policies/policies.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

/* --- the policy and its options */

struct member {
	const char *name; /* n bytes */
	size_t n;
	int is_there;
};

static void look_for(void *ctx, const struct policy *p)
{
	struct member *m = ctx;

	m->is_there |= strlen(p->name) == m->n && strncmp(p->name, m->name, m->n) == 0;
}

static int is_tol(const char *option)
{
	const char *dot = strrchr(option, '.');

	return strcmp(dot ? dot + 1 : option, "tol") == 0;
}

static int has_option(const struct flag_list *list, const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = 0; i < list->count; i++)
		if (strncmp(list->at[i], name, n) == 0 && list->at[i][n] == '=')
			return 1;
	return 0;
}

/* Rewrites the policy options to the form in which the policy knows them: "name." is removed unless the policy is a chain,
 * options of other policies are left out, and --tol is added. A policy that does not exist is left to policy_find() to report. */
static void settle_options(struct live_config *c, struct flag_texts *texts)
{
	struct flag_list given = c->policy_opt;
	const struct policy *policy = NULL;

	if (policy_find(c->policy, &policy, NULL))
		return;
	c->policy_opt = (struct flag_list){NULL, 0};
	struct flag row = {.name = "policy-opt", .kind = FLAG_EACH, .argument = "KEY=VALUE"};
	for (size_t i = 0; i < given.count; i++) {
		const char *option = given.at[i];
		struct member m = {option, strcspn(option, ".="), 0};
		const int is_named = option[m.n] == '.';
		policy_each(policy, look_for, &m);
		if (is_named && !m.is_there)
			continue;
		if (is_named && !policy->plan.n)
			option += m.n + 1;
		if (flag_take(&row, &c->policy_opt, option, texts, NULL))
			continue;
	}
	for (const struct opt *o = policy->opts; c->tol > 0 && o && o->name; o++) {
		struct buf text = BUF_EMPTY;
		if (!is_tol(o->name) || has_option(&c->policy_opt, o->name))
			continue;
		buf_format(&text, "%s=", o->name);
		opt_shortest(&text, c->tol);
		char *copy = flag_texts_add(texts, text.at, text.used);
		buf_release(&text);
		if (flag_take(&row, &c->policy_opt, copy, texts, NULL))
			break;
	}
	flag_list_release(&given);
	policy_free(policy);
}

/* --- files that are kept with their contents */

static int read_rules(struct live_config *c, struct flag_texts *texts, struct err_note *why)
{
	char *text;
	size_t n;
	int err = input_all(c->rules_file, STORE_TEXT_MAX, &text, &n, why);

	if (!err)
		c->rules = flag_texts_add(texts, text, n);
	if (!err)
		free(text);
	return err;
}

/* Returns the settings of one kind as a text; NULL if there are none. */
static const char *text_of_kind(const struct host_settings *h, enum host_settings_kind kind, struct flag_texts *texts)
{
	struct buf text = BUF_EMPTY;

	host_settings_text(h, kind, &text);
	const char *copy = text.used ? flag_texts_add(texts, text.at, text.used) : NULL;
	buf_release(&text);
	return copy;
}

static int read_host_settings(struct live_config *c, struct flag_texts *texts, struct err_note *why)
{
	struct host_settings *h = host_settings_new();
	char *text = NULL;
	size_t n;
	int err = input_all(c->host_settings_file, STORE_TEXT_MAX, &text, &n, why);

	if (!err)
		err = host_settings_read(h, c->host_settings_file, text, why);
	if (!err) {
		c->host_manners = text_of_kind(h, HOST_SETTINGS_MANNERS, texts);
		c->host_scope = text_of_kind(h, HOST_SETTINGS_SCOPE, texts);
	}
	host_settings_free(h);
	free(text);
	return err;
}

int live_asked_settle(struct live_config *c, const struct live_config *kept, struct flag_texts *texts, struct err_note *why)
{
	char *text;
	int err = 0;

	if (c->policy) {
		text = policy_spec_absolute(c->policy);
		c->policy = flag_texts_add(texts, text, strlen(text));
		free(text);
	} else {
		c->policy = kept->policy ? kept->policy : c->score_cmd ? LIVE_POLICY_SCORED : LIVE_POLICY;
	}
	settle_options(c, texts);
	if (c->rules_file)
		err = read_rules(c, texts, why);
	if (!err && c->host_settings_file)
		err = read_host_settings(c, texts, why);
	return err;
}
