#include "crawler/settings/live_decision.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/opt.h"
#include "crawler/settings/live_config.h"
#include "parser/host_settings.h"
#include "scope/rules.h"
#include "policies/policies.h"
#include "storage/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- what is asked for, in the form in which a store keeps and compares it */

/* Puts the settings that a user asks for into the form in which a store keeps and compares them
 * (crawler/settings/live_decision.h). */

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
		AUTO(buf) text = BUF_EMPTY;
		if (!is_tol(o->name) || has_option(&c->policy_opt, o->name))
			continue;
		buf_format(&text, "%s=", o->name);
		opt_shortest(&text, c->tol);
		char *copy = flag_texts_add(texts, text.at, text.used);
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

	if (err)
		return err;
	struct rules *rules;
	err = rules_new(&rules, c->rules_file, text, why);
	if (!err)
		c->rules = flag_texts_add(texts, text, n);
	rules_free(rules);
	free(text);
	return err;
}

/* Returns the settings of one kind as a text; NULL if there are none. */
static const char *text_of_kind(const struct host_settings *h, enum host_settings_kind kind, struct flag_texts *texts)
{
	AUTO(buf) text = BUF_EMPTY;

	host_settings_text(h, kind, &text);
	return text.used ? flag_texts_add(texts, text.at, text.used) : NULL;
}

static int read_host_settings(struct live_config *c, struct flag_texts *texts, struct err_note *why)
{
	struct host_settings *h = host_settings_new();
	AUTO_FREE char *text = NULL;
	size_t n;
	int err = input_all(c->host_settings_file, STORE_TEXT_MAX, &text, &n, why);

	if (!err)
		err = host_settings_read(h, c->host_settings_file, text, why);
	if (!err) {
		c->host_manners = text_of_kind(h, HOST_SETTINGS_MANNERS, texts);
		c->host_scope = text_of_kind(h, HOST_SETTINGS_SCOPE, texts);
	}
	host_settings_free(h);
	return err;
}

/* Settles what is asked for: names the policy, by `kept` if the user names none, with an absolute path if it is a file; leaves out
 * options of other policies; and reads the files of --rules and --host-settings, of which a store keeps the contents. The texts
 * are copied into `texts`. Returns 0; ERR_FILE for a file that cannot be read; or ERR_USAGE, with file and line, for settings of
 * hosts that are malformed. */
static int live_asked_settle(struct live_config *c, const struct live_config *kept, int joins, struct flag_texts *texts,
	struct err_note *why)
{
	char *text;

	if (c->policy) {
		text = policy_spec_absolute(c->policy);
		c->policy = flag_texts_add(texts, text, strlen(text));
		free(text);
	} else {
		c->policy = kept->policy ? kept->policy
			: c->score_cmd   ? LIVE_POLICY_SCORED
			: joins          ? LIVE_POLICY_JOINED
					 : LIVE_POLICY;
	}
	settle_options(c, texts);
	if (c->rules_file)
		TRY(read_rules(c, texts, why));
	if (c->host_settings_file)
		TRY(read_host_settings(c, texts, why));
	return 0;
}

/* The setting in which a store lists the names of the settings that it does not keep, because they are secret. */
#define SECRETS "withheld"

static void *setting_at(struct live_config *c, const struct flag *row)
{
	return (char *)c + row->at;
}

static int is_list(const struct flag *row)
{
	return row->kind == FLAG_EACH || row->kind == FLAG_COMMAS;
}

/* Returns the index of the row with this name, the name of a flag or of a setting in the store. */
static size_t row_named(const char *name)
{
	const struct flag *row;
	size_t i = 0;

	while ((row = live_config_row(i)) != NULL && strcmp(row->name, name) != 0)
		i++;
	return i;
}

/* Returns the name of the flag whose file was read into a row; NULL if the row has a flag of its own. */
static const char *file_flag(const struct flag *row)
{
	if (row->at == offsetof(struct live_config, rules))
		return "rules";
	if (row->at == offsetof(struct live_config, host_manners) || row->at == offsetof(struct live_config, host_scope))
		return "host-settings";
	return NULL;
}

enum live_origin live_decision_origin(const struct live_decision *d, const char *name)
{
	return (enum live_origin)d->origin[row_named(name)];
}

/* --- secrets */

static int list_has(const char *list, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = list; p && *p; p += strcspn(p, ",")) {
		p += *p == ',';
		if (strncmp(p, name, n) == 0 && (p[n] == ',' || !p[n]))
			return 1;
	}
	return 0;
}

int live_decision_is_withheld(struct store *store, const char *name)
{
	return store && list_has(store_get(store, SECRETS), name);
}

static int ask_again(const char *dir, const char *name, struct err_note *why)
{
	return err_set(why, ERR_USAGE,
		"the crawl in '%s' was given --%s, and a store keeps no secret: give it again, or go on without by --no-%s", dir,
		name, name);
}

/* --- values */

/* Returns the text that a store keeps for a row; relative paths become absolute. The caller frees it. */
static char *text_of(const struct live_config *c, const struct flag *row)
{
	AUTO(buf) text = BUF_EMPTY;

	flag_keep(row, (const char *)c + row->at, &text);
	if (row->is_path && text.used && strcmp(text.at, "-") == 0) {
		buf_clear(&text); /* "-", stdout, is not kept: it belongs to this sitting */
	} else if (row->is_path && text.used && *text.at != '/') {
		AUTO_FREE char *path = buf_take(&text), *folder = getcwd(NULL, 0);
		buf_format(&text, "%s/%s", folder ? folder : ".", path);
	}
	if (text.used)
		return buf_take(&text);
	return mem_text("");
}

/* Copies the settings that are asked for, with lists of its own. */
static void copy_asked(struct live_config *to, const struct live_asked *a)
{
	const struct flag *row;

	*to = *a->config;
	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		struct flag_list *list = setting_at(to, row);
		if (is_list(row) && list->count)
			list->at = mem_copy(list->at, (list->count + 1) * sizeof *list->at);
	}
}

/* Reads the settings that the store keeps; all others get their defaults. */
static int read_kept(struct live_config *to, struct store *store, const char *dir, struct flag_texts *texts, struct err_note *why)
{
	struct err_note note = {""};
	const struct flag *row;

	*to = live_config_defaults;
	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		const char *text = row->keeping ? store_get(store, row->name) : NULL;
		if (text && flag_recall(row, setting_at(to, row), text, texts, &note))
			return err_set(why, ERR_DAMAGED, "the settings that '%s' keeps: %s", dir, note.text);
	}
	return 0;
}

/* Puts the texts "key=value" of `kept` whose keys `now` does not have before those of `now`. */
static void add_kept(struct flag_list *now, const struct flag_list *kept)
{
	const char **all = mem_zero(kept->count + now->count + 1, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < kept->count; i++) {
		size_t k = 0;
		while (k < now->count && strncmp(kept->at[i], now->at[k], strcspn(kept->at[i], "=") + 1) != 0)
			k++;
		if (k == now->count)
			all[n++] = kept->at[i];
	}
	for (size_t k = 0; k < now->count; k++)
		all[n++] = now->at[k];
	flag_list_release(now);
	*now = (struct flag_list){all, n};
}

/* Moves a row's value. */
static void move_value(struct live_config *to, struct live_config *from, const struct flag *row)
{
	if (is_list(row))
		flag_list_release(setting_at(to, row));
	memcpy(setting_at(to, row), setting_at(from, row), flag_size(row));
	if (is_list(row))
		memset(setting_at(from, row), 0, flag_size(row));
}

/* --- a new crawl */

static uint64_t this_year(void)
{
	const time_t now = (time_t)(clock_read_ns(CLOCK_REALTIME) / 1000000000);
	struct tm tm;

	gmtime_r(&now, &tm);
	return (uint64_t)tm.tm_year + 1900;
}

/* Decides a row for a new crawl. The store keeps the rows that decide what is crawled, and of the others those that the user has
 * given. */
static void decide_first(struct live_decision *d, const struct live_asked *a, size_t i, const struct flag *row,
	struct live_config *now)
{
	move_value(&d->config, now, row);
	if (row->keeping > FLAG_FREE || (row->keeping == FLAG_FREE && a->row[i] == LIVE_ASKED))
		d->keep[i] = text_of(&d->config, row);
}

/* --- a crawl that goes on */

static int is_replaced(const struct live_asked *a, const struct flag *row)
{
	return (row->keeping == FLAG_BY_SWAP && (a->replace & LIVE_SWAP)) ||
		(row->at == offsetof(struct live_config, trap_opt) && (a->replace & LIVE_RETRAP)) ||
		(row->keeping == FLAG_BY_RESCOPE && (a->replace & LIVE_RESCOPE));
}

static const char *text_in_message(const struct flag *row, const char *text)
{
	if (*text && row->at == offsetof(struct live_config, host_scope))
		return "these sections";
	return !*text ? "nothing" : row->kind == FLAG_SWITCH ? "yes" : text;
}

/* Writes how the crawl was begun, and how that differs from what is asked for, as in "with --policy echo, not bfs" or "without
 * --span-hosts". */
static void put_difference(struct buf *out, const struct flag *row, const char *was, const char *is)
{
	const char *name = file_flag(row) ? file_flag(row) : row->name;

	if (!*was)
		buf_format(out, "without --%s", name);
	else if (row->kind == FLAG_SWITCH)
		buf_format(out, "with --%s", name);
	else if (*is && row->at == offsetof(struct live_config, host_scope))
		buf_format(out, "with other sections of --%s", name);
	else
		buf_format(out, "with --%s %s%s%s", name, text_in_message(row, was), *is ? ", not " : "", is);
}

/* Decides a row that fixes what is crawled: the value is the store's, unless --swap-policy or --rescope replaces it. Returns
 * ERR_USAGE if the user gives another value without one of them. */
static int decide_fixed(struct live_decision *d, const struct live_asked *a, size_t i, const struct flag *row,
	struct live_config *now, struct live_config *kept, struct err_note *why)
{
	static const char *const way[] = {[FLAG_BY_SWAP] = "go on under another policy by --swap-policy",
		[FLAG_BY_RESCOPE] = "replace the whole scope by --rescope",
		[FLAG_FIXED] = "use another --store"};
	AUTO_FREE char *is = text_of(now, row), *was = text_of(kept, row);
	const int is_other = strcmp(is, was) != 0, replaces = is_replaced(a, row);
	struct buf difference = BUF_EMPTY;
	int err = 0;

	if (is_other && a->row[i] && !replaces) {
		put_difference(&difference, row, was, is);
		err = err_set(why, ERR_USAGE, "the crawl in '%s' was begun %s; leave it out, or %s", a->dir, difference.at,
			way[row->keeping]);
		buf_release(&difference);
	}
	move_value(&d->config, replaces ? now : kept, row);
	if (replaces && is_other) {
		d->keep[i] = mem_text(is);
		d->is_swap |= row->keeping == FLAG_BY_SWAP;
		if (row->keeping == FLAG_BY_RESCOPE)
			buf_format(&d->changes, "%s=%s\n", row->name, is);
	}
	if (!a->row[i] && !replaces)
		d->origin[i] = *was ? LIVE_KEPT : LIVE_DEFAULT;
	return err;
}

static void note_overruled(struct live_decision *d, const struct flag *row, const char *is, const char *was)
{
	buf_format(&d->overruled, "%s--%s", d->overruled.used ? ", " : "", row->name);
	if (!is_list(row) && row->kind != FLAG_SWITCH && !file_flag(row))
		buf_format(&d->overruled, " %s (kept: %s)", text_in_message(row, is), was);
}

/* Decides a row that may have another value in each sitting. */
static int decide_free(struct live_decision *d, const struct live_asked *a, size_t i, const struct flag *row,
	struct live_config *now, struct live_config *kept, struct store *store, struct err_note *why)
{
	const char *stored = store_get(store, row->name);
	const int has = (stored && *stored) || live_decision_is_withheld(store, row->name);
	AUTO_FREE char *is = text_of(now, row), *was = text_of(kept, row);
	int err = 0;

	if (!a->row[i] && !(a->replace & LIVE_VIEW) && live_decision_is_withheld(store, row->name))
		err = ask_again(a->dir, row->name, why);
	if (!a->row[i])
		d->origin[i] = has && *was ? LIVE_KEPT : LIVE_DEFAULT;
	else if (has ? a->replace & LIVE_KEEP : a->row[i] == LIVE_ASKED)
		d->keep[i] = mem_text(a->row[i] == LIVE_ASKED ? is : "");
	else if (has && strcmp(is, was) != 0)
		note_overruled(d, row, is, was);
	move_value(&d->config, a->row[i] ? now : kept, row);
	return err;
}

/* --- what a store alone cannot ask for */

static int refuse(const struct live_asked *a, const struct flag *row, const char *text, struct err_note *why)
{
	if (a->replace & LIVE_VIEW)
		return err_set(why, ERR_USAGE,
			"the crawl in '%s' goes by a policy in a file, %s, whose code is not run to look at a crawl; 'lycosa store' reads the store without it",
			a->dir, text);
	return err_set(why, ERR_USAGE,
		"the crawl in '%s' goes by --%s '%s', which is only used when this command names it, since a store may come from anywhere: give it again%s%s",
		a->dir, row->name, text,
		row->keeping == FLAG_BY_SWAP ? ", or go on under another policy by --swap-" : ", or go on without by --no-",
		row->keeping == FLAG_BY_SWAP ? "policy" : row->name);
}

/* Takes the values out of `kept` that a store may not decide and this sitting does not give. Returns ERR_USAGE if the crawl does
 * not go on without one of them. A crawl that is only looked at needs none but its policy. */
static int distrust(struct live_decision *d, const struct live_asked *a, struct live_config *kept, struct err_note *why)
{
	struct live_config defaults = live_config_defaults;
	const struct flag *row;
	int err = 0;

	for (size_t i = 0; !err && (row = live_config_row(i)) != NULL; i++) {
		const enum flag_trust trust = row->keeping ? live_config_trust(row, kept) : FLAG_TRUSTED;
		char *text = trust && !a->row[i] && !is_replaced(a, row) ? text_of(kept, row) : NULL;
		if (!text || !*text) {
			free(text);
			continue;
		}
		if (trust == FLAG_ASKED_AGAIN && (!(a->replace & LIVE_VIEW) || row->keeping == FLAG_BY_SWAP))
			err = refuse(a, row, text, why);
		else
			buf_format(&d->left_out, "%s--%s%s%s", d->left_out.used ? ", " : "", row->name,
				row->kind == FLAG_SWITCH ? "" : " ", row->kind == FLAG_SWITCH ? "" : text);
		move_value(kept, &defaults, row);
		free(text);
	}
	return err;
}

void live_decision_needs(struct store *store, const char *dir, struct buf *out)
{
	AUTO(flag_texts) texts = {0};
	struct live_config kept;
	const struct flag *row;
	const int err = read_kept(&kept, store, dir, &texts, NULL);

	for (size_t i = 0; !err && (row = live_config_row(i)) != NULL; i++) {
		const int is_asked = row->keeping && live_config_trust(row, &kept) == FLAG_ASKED_AGAIN;
		AUTO_FREE char *text = is_asked ? text_of(&kept, row) : NULL;
		if ((text && *text) || live_decision_is_withheld(store, row->name))
			buf_format(out, "%s--%s", out->used ? ", " : "", row->name);
	}
	live_config_release(&kept);
}

/* --- all rows */

/* Removes secret values from the texts that the store will keep, and lists their names. */
static void withhold(struct live_decision *d, struct store *store)
{
	const struct flag *row;
	struct buf names = BUF_EMPTY;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		const int was = row->keeping && live_decision_is_withheld(store, row->name);
		const int is = d->keep[i] && live_config_is_secret(row, &d->config);
		if (is ? 1 : was && !d->keep[i])
			buf_format(&names, "%s%s", names.used ? "," : "", row->name);
		if (is)
			*d->keep[i] = 0;
	}
	d->secrets = names.used ? buf_take(&names) : mem_text("");
}

static int decide_rows(struct live_decision *d, const struct live_asked *a, struct live_config *now, struct live_config *kept,
	struct store *store, struct err_note *why)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		d->origin[i] = a->row[i] ? LIVE_GIVEN : LIVE_DEFAULT;
		if (!d->resumed)
			decide_first(d, a, i, row, now);
		else if (row->keeping == FLAG_NOT_KEPT)
			move_value(&d->config, now, row);
		else if (row->keeping == FLAG_FREE)
			TRY(decide_free(d, a, i, row, now, kept, store, why));
		else
			TRY(decide_fixed(d, a, i, row, now, kept, why));
	}
	return 0;
}

/* Switches on what --mirror and --wacz need: an archive. */
static void imply_archive(struct live_config *c, const char *dir, struct flag_texts *texts)
{
	AUTO(buf) prefix = BUF_EMPTY;

	if (c->warc)
		return;
	buf_format(&prefix, "%s/" LIVE_MIRROR_ARCHIVE, dir);
	c->warc = flag_texts_add(texts, prefix.at, prefix.used);
}

void live_ask(struct live_asked *a, size_t at)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (row->at == at && row->kind != FLAG_ALIAS)
			a->row[i] = LIVE_ASKED;
}

int live_config_wants_anchors(const struct live_config *c)
{
	return c->score_cmd && (!c->policy || strcmp(c->policy, LIVE_POLICY_SCORED) == 0);
}

int live_decide(struct live_decision *d, const struct live_asked *asked, struct store *store, struct err_note *why)
{
	struct live_config now, kept = live_config_defaults;
	struct live_asked a = *asked;
	int err = 0;

	*d = (struct live_decision){.changes = BUF_EMPTY, .overruled = BUF_EMPTY, .left_out = BUF_EMPTY};
	d->config = live_config_defaults;
	d->resumed = store && store_get(store, "policy") != NULL;
	copy_asked(&now, &a);
	/* a row with the contents of a file counts as given if the flag with the file's name was given */
	const struct flag *row;
	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (file_flag(row))
			a.row[i] = a.row[row_named(file_flag(row))];
	if (d->resumed)
		err = read_kept(&kept, store, a.dir, &d->texts, why);
	const int is_mirrored = kept.mirror && a.row[row_named("mirror")] == LIVE_UNASKED;
	const int is_packed = kept.wacz && a.row[row_named("wacz")] == LIVE_UNASKED;
	if (!err && d->resumed)
		err = distrust(d, &a, &kept, why);
	if (!err)
		err = live_asked_settle(&now, &kept, a.joins, &d->texts, why);
	if (!err && !kept.policy && !a.row[row_named("keep-anchors")])
		now.keep_anchors = live_config_wants_anchors(&now);
	if (!err && !d->resumed)
		now.year = this_year();
	else if (!err && (a.replace & LIVE_RETRAP) && !(a.replace & LIVE_RESCOPE))
		add_kept(&now.trap_opt, &kept.trap_opt);
	if (!err)
		err = decide_rows(d, &a, &now, &kept, store, why);
	if (!err)
		withhold(d, store);
	if (!err && (d->config.mirror || is_mirrored))
		d->config.requisites = 1;
	if (!err && (d->config.mirror || is_mirrored || d->config.wacz || is_packed))
		imply_archive(&d->config, a.dir, &d->texts);
	live_config_release(&now);
	live_config_release(&kept);
	return err;
}

/* --- the store */

int live_decision_keep(const struct live_decision *d, struct store *store, struct err_note *why)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (d->keep[i])
			TRY(store_set(store, row->name, d->keep[i], why));
	if (*d->secrets || store_get(store, SECRETS))
		TRY(store_set(store, SECRETS, d->secrets, why));
	return 0;
}

void live_decision_each(const struct live_decision *d,
	void (*each)(void *ctx, const struct flag *row, const char *name, const char *value), void *ctx)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (d->keep[i])
			each(ctx, row, row->name, d->keep[i]);
	if (*d->secrets)
		each(ctx, NULL, SECRETS, d->secrets);
}

void live_decision_release(struct live_decision *d)
{
	for (size_t i = 0; i < LIVE_CONFIG_ROWS; i++)
		free(d->keep[i]);
	live_config_release(&d->config);
	buf_release(&d->changes);
	buf_release(&d->overruled);
	buf_release(&d->left_out);
	free(d->secrets);
	flag_texts_release(&d->texts);
	*d = (struct live_decision){.resumed = 0};
}
