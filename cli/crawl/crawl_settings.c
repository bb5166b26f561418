#include "cli/crawl/crawl_settings.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/crawl/crawl_options.h"
#include "cli/flags/flags.h"
#include "cli/store/store_endings.h"
#include "parser/url_rules.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

/* --- lines that go into requests or to libcurl unchanged */

/* Checks, before the first request, the settings that go into requests or to libcurl unchanged: headers, rules of
 * --connect-to, the user agent, the file of certificates. */

static int has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return 1;
	return 0;
}

/* Says whether the text up to `end` is a port, or empty. */
static int is_port(const char *text, const char *end)
{
	uint64_t port;
	AUTO_FREE char *copy = mem_part(text, (size_t)(end - text));

	return text == end || num_count(copy, 65535, &port) == 0;
}

/* Says whether a rule has the form HOST:PORT:TO:PORT, where a host may be in brackets with colons of its own. */
static int has_ports(const char *rule)
{
	const char *host_end = *rule == '[' ? strchr(rule, ']') : rule;
	const char *port = host_end ? strchr(host_end, ':') : NULL;
	const char *to = port ? strchr(port + 1, ':') : NULL, *last = strrchr(rule, ':');

	return to && last > to && is_port(port + 1, to) && is_port(last + 1, rule + strlen(rule));
}

#define CACERT_MAX (16u << 20)

/* Refuses a file from which libcurl would read no certificate, and so trust no server. */
static int check_cacert(const char *path, struct err_note *why)
{
	static const char *const labels[] = {"-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----",
		"-----BEGIN X509 CERTIFICATE-----"};
	char *bytes;
	size_t n;
	int found = 0;

	TRY(input_all(path, CACERT_MAX, &bytes, &n, why));
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		found |= memmem(bytes, n, labels[i], strlen(labels[i])) != NULL;
	free(bytes);
	return found ? 0 : err_set(why, ERR_FORMAT, "--cacert '%s': no certificate (PEM) is in it", path);
}

/* Checks the settings; user_agent and cacert may be NULL. Returns 0; ERR_USAGE for a header that is not "Name:
 * value", a rule that is not HOST:PORT:TO:PORT, or a control character; ERR_FILE for a file of certificates that
 * cannot be read; or ERR_FORMAT for a file without a certificate. */
static int crawl_lines_check(const struct flag_list *headers, const struct flag_list *connect_to, const char *user_agent,
	const char *cacert, struct err_note *why)
{
	for (size_t i = 0; i < headers->count; i++)
		if (has_control(headers->at[i]) || strcspn(headers->at[i], ":") == 0 || !strchr(headers->at[i], ':'))
			return err_set(why, ERR_USAGE, "--header '%s' is not of the form 'Name: value'", headers->at[i]);
	for (size_t i = 0; i < headers->count; i++)
		if (ascii_same(headers->at[i], "authorization:", 14) || ascii_same(headers->at[i], "cookie:", 7))
			log_say("a --header goes to every host: --auth and --load-cookies keep a secret to its own");
	for (size_t i = 0; i < connect_to->count; i++) {
		size_t colons = 0;
		for (const char *c = connect_to->at[i]; *c; c++)
			colons += *c == ':';
		if (colons < 3 || has_control(connect_to->at[i]) || !has_ports(connect_to->at[i]))
			return err_set(why, ERR_USAGE, "--connect-to '%s' is not of the form HOST:PORT:TO:PORT", connect_to->at[i]);
	}
	if (user_agent && has_control(user_agent))
		return err_set(why, ERR_USAGE, "--user-agent '%s' has a control character", user_agent);
	return cacert ? check_cacert(cacert, why) : 0;
}

static int check_swap(const struct crawl_options *o, struct err_note *why)
{
	if (!o->swap_policy)
		return 0;
	if (o->config.policy)
		return err_set(why, ERR_USAGE,
			"--policy and --swap-policy: the store knows the policy it was begun with; leave out --policy");
	if (!store_is(o->store))
		return err_set(why, ERR_USAGE, "--swap-policy: there is no crawl in '%s' to go on with; begin it with --policy",
			o->store);
	return 0;
}

/* Checks the policy and its options before a store is created, and refuses an oracle. Returns 0 or an error of
 * policy_options_read(). */
static int check_policy(const struct crawl_options *o, struct err_note *why)
{
	const char *spec = o->swap_policy ? o->swap_policy : o->config.policy;
	const struct policy_options given = {.policy_opt = o->config.policy_opt, .tol = o->config.tol};
	const struct policy *policy, *hidden;
	struct opt_set opts;

	if (!spec)
		return 0;
	int err = policy_options_read(spec, &given, &policy, &opts, why);
	hidden = err ? NULL : policy_with_oracle(policy);
	if (hidden)
		err = err_set(why, ERR_USAGE,
			"the policy '%s' looks at the whole graph, which a live crawl has not seen; 'lycosa replay' can",
			hidden->name);
	opt_release(&opts);
	policy_free(policy);
	return err;
}

/* Notes in a->row[i] whether the command line gives row i of the configuration a value, resets it (--no-NAME), or leaves it out. */
static void note_rows(const struct command *c, struct live_asked *a)
{
	static const uint8_t asking[] =
		{[FLAG_ABSENT] = LIVE_UNASKED, [FLAG_GIVEN] = LIVE_ASKED, [FLAG_RESET] = LIVE_ASKED_DEFAULT};
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		for (const struct flag_entry *e = c->flags->entry; e->row; e++)
			if (e->row == row)
				a->row[i] = asking[e->given];
}

static int decide(const struct command *c, struct store *store, struct live_decision *d, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct live_config given = o->config;
	struct live_asked a = {.dir = o->store,
		.config = &given,
		.joins = o->join != NULL,
		.replace = (o->swap_policy ? LIVE_SWAP : 0u) | (o->rescope ? LIVE_RESCOPE : 0u) | (o->keep ? LIVE_KEEP : 0u) |
			(o->retry_skipped ? LIVE_RETRAP : 0u)};

	note_rows(c, &a);
	if (o->swap_policy)
		LIVE_ASK(&a, &given, policy, o->swap_policy);
	return live_decide(d, &a, store, why);
}

/* If another crawl is using the store, puts that error, which is the more important one, in place of `err`. Returns the error. */
static int check_free(const char *dir, int err, struct err_note *why)
{
	struct err_note busy = {""};
	struct store *store = NULL;
	const int problem = store_open(&store, dir, STORE_WRITE, &busy);

	store_drop(store);
	if (problem && why)
		*why = busy;
	return problem ? problem : err;
}

int crawl_decide(const struct command *c, struct live_decision *d, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct store *store = NULL;

	*d = (struct live_decision){.resumed = 0};
	int err = check_swap(o, why);
	if (!err)
		err = check_policy(o, why);
	if (!err && store_is(o->store))
		err = store_open(&store, o->store, STORE_SETTINGS, why);
	if (!err)
		err = decide(c, store, d, why);
	const int is_differing = err == ERR_USAGE && store && !o->dry_run;
	err = store_close(store, err, why);
	if (is_differing)
		err = check_free(o->store, err, why);
	if (!err && d->left_out.used)
		log_error(
			"left out, since only the store '%s' asks for them, and it may come from anywhere: %s; they hold when this command gives them",
			o->store, d->left_out.at);
	const struct live_config *now = &d->config;
	if (!err)
		err = crawl_lines_check(&now->header, &now->connect_to, now->user_agent, now->cacert, why);
	return err;
}

/* --- how a crawl would begin */

/* The store of an earlier sitting: a setting that it keeps is printed in place of the default. */
struct keeper {
	struct store *store; /* NULL: none */
	int wants_anchors;
	char name[300];
};

static int open_keeper(struct keeper *k, const struct crawl_options *o, struct err_note *why)
{
	const char *dir = o->store;

	*k = (struct keeper){.wants_anchors = live_config_wants_anchors(&o->config)};
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

	if (k->wants_anchors && row && strcmp(name, "keep-anchors") == 0 && !(k->store && store_get(k->store, "policy"))) {
		*value = "yes";
		return "policy '" LIVE_POLICY_SCORED "'";
	}
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
	AUTO(buf) text = BUF_EMPTY;

	flags_print(c->flags, origin_in_store, k, &text);
	for (size_t i = 0; i < c->flags->operands; i++) {
		char *url = flags_text(c->flags, c->flags->operand[i], strlen(c->flags->operand[i]));
		err_escape(url);
		buf_format(&text, "# command line, a seed: %s\n", url);
	}
	fputs(text.used ? text.at : "", stdout);
	return fflush(stdout) ? err_set(why, ERR_RESULTS, "cannot write the settings to stdout") : 0;
}

int crawl_print_settings(const struct command *c, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct keeper k;
	int err = open_keeper(&k, o, why);

	if (!err)
		err = print_settings(c, &k, why);
	return store_close(k.store, err, why);
}

/* --- what the store holds */

static int tell_held(struct store *store, struct results *r, struct err_note *why)
{
	AUTO(endings) e = {0};

	if (!store)
		return 0;
	endings_init(&e);
	const int err = endings_add_store(&e, store, why);
	RESULTS_COUNTS(r, {"holds_crawled", e.state[PAGE_CRAWLED]}, {"holds_failed", e.state[PAGE_FAILED]},
		{"holds_refused", e.state[PAGE_REFUSED]}, {"holds_redirected", e.state[PAGE_REDIRECTED]},
		{"holds_queued", e.state[PAGE_QUEUED]});
	return err;
}

/* --- the settings, those that were given and those the store keeps */

static void tell_settings(const struct command *c, struct keeper *k, struct results *r)
{
	AUTO(buf) text = BUF_EMPTY, origin = BUF_EMPTY, line = BUF_EMPTY;

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
		results_fact(r, "setting", cell_text(line.at));
	}
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

/* Puts a seed into j->url, as the crawl knows its page. */
static void take_seed(struct judging *j, const struct url *seed)
{
	url_copy(&j->url, seed);
	url_drop_user(&j->url);
	url_rules_apply(j->rules, &j->url);
}

/* Adds all seeds to the scope, before any of them is judged: each seed widens the scope. */
static void add_seeds(struct judging *j, const struct crawl_seeds *seeds)
{
	for (size_t i = 0; i < seeds->n; i++) {
		take_seed(j, &seeds->url[i]);
		scope_add_seed(j->scope, &j->url);
	}
}

static void judge(struct judging *j, const struct url *seed, struct results *r)
{
	uint32_t id;

	take_seed(j, seed);
	buf_clear(&j->text);
	buf_add(&j->text, j->url.text.at, j->url.text.used);
	RESULTS_CELLS(r, cell_text(j->text.at));
	if (j->store && store_find(j->store, j->text.at, j->text.used, &id)) {
		RESULTS_CELLS(r, cell_text(page_state_name(ending_of(j->store, id, j->refusal).state)));
	} else {
		RESULTS_CELLS(r, cell_text("new"));
	}
	const struct url_traits traits = url_traits(&j->url);
	const enum outcome refusal = scope_judge_known(j->scope, &traits, 0);
	RESULTS_CELLS(r, cell_text(refusal ? outcome_word(refusal) : "in"));
}

static int tell(const struct command *c, struct keeper *k, struct judging *j, const struct crawl_seeds *seeds, struct err_note *why)
{
	static const char *const columns[] = {"seed", "state", "scope", NULL};
	const struct crawl_options *o = c->options;
	struct results r;

	report_begin(&o->report, &r);
	results_fact(&r, "store", cell_text(o->store));
	results_fact(&r, "resumed", cell_text(k->store ? "yes" : "no"));
	tell_settings(c, k, &r);
	const int err = tell_held(k->store, &r, why);
	results_columns(&r, columns);
	for (size_t i = 0; i < seeds->n; i++)
		judge(j, &seeds->url[i], &r);
	const int failed = results_end(&r, err ? NULL : why);
	return err ? err : failed;
}

int crawl_plan(const struct command *c, struct live *live, const struct crawl_seeds *seeds, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct judging j = {.url = URL_EMPTY, .text = BUF_EMPTY, .scope = live_scope(live), .rules = live_url_rules(live)};
	struct keeper k;
	int err = open_keeper(&k, o, why);

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
	return store_close(k.store, err, why);
}
