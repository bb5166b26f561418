/* What holds for a sitting: asked for, kept in the store, or the default. */
#include "crawler/settings/live_decision.h"
#include "parser/link_kind.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[64];
static struct store *store;

static int open_store(void **state)
{
	(void)state;
	snprintf(dir, sizeof dir, "decision.%ld", (long)getpid());
	return store_open(&store, dir, STORE_WRITE, NULL);
}

static int remove_store(void **state)
{
	char command[100];

	(void)state;
	store_drop(store);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

/* What flags would give: settings of this call. */
struct asking {
	struct live_asked a;
	struct live_config config;
	struct flag_texts texts;
};

static size_t row_of(const char *name)
{
	size_t i = 0;

	while (strcmp(live_config_row(i)->name, name) != 0)
		i++;
	return i;
}

static void begin(struct asking *s)
{
	*s = (struct asking){.config = live_config_defaults};
	s->a.dir = dir;
	s->a.config = &s->config;
}

/* "--name text"; a text of NULL is "--no-name". */
static void ask(struct asking *s, const char *name, const char *text)
{
	const size_t i = row_of(name);
	const struct flag *row = live_config_row(i);

	s->a.row[i] = text ? LIVE_ASKED : LIVE_ASKED_DEFAULT;
	if (text)
		assert_int_equal(flag_take(row, (char *)&s->config + row->at, row->kind == FLAG_SWITCH ? NULL : text, &s->texts,
					 NULL),
			0);
}

static int decide(struct asking *s, struct live_decision *d, struct err_note *why)
{
	s->a.config = &s->config;
	return live_decide(d, &s->a, store, why);
}

static void end(struct asking *s, struct live_decision *d)
{
	live_decision_release(d);
	live_config_release(&s->config);
	flag_texts_release(&s->texts);
}

/* A sitting that asks for what stands in name, text, ..., NULL, and keeps it. */
static void sit(const char *const *words, unsigned replace)
{
	struct live_decision d;
	struct asking s;

	begin(&s);
	s.a.replace = replace;
	for (; *words; words += 2)
		ask(&s, words[0], words[1]);
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_int_equal(live_decision_keep(&d, store, NULL), 0);
	end(&s, &d);
}

static void rows_are_sound(void **state)
{
	const struct flag *row, *other;
	size_t i;

	(void)state;
	for (i = 0; (row = live_config_row(i)) != NULL; i++) {
		assert_true(row->at + flag_size(row) <= sizeof(struct live_config));
		assert_true(strlen(row->name) <= STORE_NAME_MAX);
		for (size_t k = 0; k < i && (other = live_config_row(k)) != NULL; k++) {
			if (row->keeping && other->keeping)
				assert_string_not_equal(row->name, other->name);
			if (flag_size(row) && flag_size(other))
				assert_true(row->at != other->at);
		}
	}
	assert_int_equal(i, LIVE_CONFIG_ROWS);
}

static void a_field_has_the_name_of_its_flag(void **state)
{
	static const struct {
		const char *field, *name;
	} rows[] = {
#define SETTING(kind, field, value, name, ...) {#field, name},
#include "base/settings.h"
	};
	char field[64];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(field, sizeof field, "%s", rows[i].field);
		for (char *at = field; *at; at++)
			*at = *at == '_' ? '-' : *at;
		/* a file, of which the store keeps the contents under the same name, has a field for each of the two */
		if (strcmp(field, rows[i].name) != 0 && strcmp(rows[i].name, "rules") != 0 &&
			strcmp(rows[i].name, "host-settings") != 0)
			fail_msg("--%s is the field %s", rows[i].name, rows[i].field);
	}
}

/* Every setting that is kept comes back from the store as it was asked for. */
static void every_setting_comes_back(void **state)
{
	static const char *const text[] = {[FLAG_SWITCH] = "",
		[FLAG_TEXT] = "x",
		[FLAG_COUNT] = "7",
		[FLAG_REAL] = "0.5",
		[FLAG_BYTES] = "3000",
		[FLAG_TIME] = "2007ms",
		[FLAG_EACH] = "A: 1",
		[FLAG_COMMAS] = "nofollow",
		[FLAG_CHOICE] = "zstd"};
	struct live_decision first, again;
	struct asking s, nothing;
	const struct flag *row;

	(void)state;
	begin(&s);
	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		if (!row->keeping || row->at == offsetof(struct live_config, auth) ||
			row->at == offsetof(struct live_config, load_cookies) || row->at == offsetof(struct live_config, rules) ||
			row->at == offsetof(struct live_config, host_manners) ||
			row->at == offsetof(struct live_config, host_scope) || row->at == offsetof(struct live_config, year))
			continue;
		ask(&s, row->name,
			row->at == offsetof(struct live_config, policy)               ? "bfs"
				: row->at == offsetof(struct live_config, follow)     ? "object"
				: row->at == offsetof(struct live_config, policy_opt) ? "bfs.x=1"
										      : text[row->kind]);
	}
	assert_int_equal(decide(&s, &first, NULL), 0);
	assert_int_equal(live_decision_keep(&first, store, NULL), 0);
	begin(&nothing);
	nothing.a.replace = LIVE_VIEW; /* which asks for nothing again */
	assert_int_equal(decide(&nothing, &again, NULL), 0);
	assert_true(again.resumed);
	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		struct buf was = BUF_EMPTY, is = BUF_EMPTY;
		if (!row->keeping)
			continue;
		flag_keep(row, (char *)&first.config + row->at, &was);
		flag_keep(row, (char *)&again.config + row->at, &is);
		if (row->is_path) /* from any folder */
			assert_int_equal(store_get(store, row->name)[0], '/');
		if (!row->trust || row->keeping == FLAG_BY_SWAP) {
			assert_string_equal(is.used ? is.at : "", was.used ? was.at : "");
			if (s.a.row[i])
				assert_int_equal(again.origin[i], LIVE_KEPT);
		} else {
			assert_int_equal(again.origin[i], LIVE_DEFAULT);
		}
		buf_release(&was);
		buf_release(&is);
	}
	end(&nothing, &again);
	end(&s, &first);
}

/* The kinds of links are the default ones, and what --follow adds and takes away. */
static void kinds_of_links_are_added_and_taken_away(void **state)
{
	static const struct {
		const char *follow; /* NULL: no flag */
		unsigned kinds;
	} rows[] = {
		{NULL, LINK_DEFAULTS},
		{"object", LINK_DEFAULTS | 1u << LINK_OBJECT},
		{"no-alternate,no-hreflang", LINK_DEFAULTS & ~(1u << LINK_ALTERNATE | 1u << LINK_HREFLANG)},
		{"none,a", 1u << LINK_A},
		{"a,none", 0},
		{"all", LINK_DEFAULTS | 1u << LINK_OBJECT | 1u << LINK_LINK | 1u << LINK_SITEMAP},
	};
	struct err_note why;
	struct asking s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin(&s);
		if (rows[i].follow)
			ask(&s, "follow", rows[i].follow);
		assert_int_equal(live_config_kinds(&s.config), rows[i].kinds);
		live_config_release(&s.config);
		flag_texts_release(&s.texts);
	}
	begin(&s);
	const struct flag *row = live_config_row(row_of("follow"));
	assert_int_equal(flag_take(row, (char *)&s.config + row->at, "canonical", &s.texts, &why), ERR_USAGE);
	live_config_release(&s.config);
	flag_texts_release(&s.texts);
}

static void a_later_sitting_overrules_for_itself_alone(void **state)
{
	struct live_decision d;
	struct asking s;

	(void)state;
	sit((const char *const[]){"delay", "3", "max-pages", "40", NULL}, 0);
	begin(&s);
	ask(&s, "delay", "1");
	ask(&s, "tries", "5");
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_int_equal(d.config.delay, 1000);
	assert_int_equal(d.config.max_pages, 40);
	assert_string_equal(d.overruled.at, "--delay 1s (kept: 3s)");
	assert_int_equal(live_decision_keep(&d, store, NULL), 0);
	end(&s, &d);
	begin(&s);
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_int_equal(d.config.delay, 3000);
	/* what nobody had asked for before is the store's from then on */
	assert_int_equal(d.config.tries, 5);
	end(&s, &d);
	/* with --keep the store's is replaced, by nothing as well */
	sit((const char *const[]){"delay", "7", "max-pages", NULL, NULL}, LIVE_KEEP);
	begin(&s);
	s.a.replace = 0;
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_int_equal(d.config.delay, 7000);
	end(&s, &d);
}

static void the_default_can_be_asked_for(void **state)
{
	struct live_decision d;
	struct asking s;

	(void)state;
	sit((const char *const[]){"warc", "pages", "max-pages", "40", NULL}, 0);
	begin(&s);
	ask(&s, "warc", NULL);
	ask(&s, "max-pages", NULL);
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_null(d.config.warc);
	assert_int_equal(d.config.max_pages, 0);
	assert_int_equal(live_decision_keep(&d, store, NULL), 0);
	end(&s, &d);
	assert_non_null(strstr(store_get(store, "warc"), "/pages"));
}

static void aim_has_anchors_unless_they_are_refused(void **state)
{
	static const struct {
		const char *name, *text;
		int keeps;
	} rows[] = {{"policy", "aim", 1}, {"policy", "bfs", 0}, {"keep-anchors", NULL, 0}};
	struct live_decision d;
	struct asking s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin(&s);
		ask(&s, "score-cmd", "cat");
		ask(&s, rows[i].name, rows[i].text);
		assert_int_equal(decide(&s, &d, NULL), 0);
		assert_int_equal(d.config.keep_anchors, rows[i].keeps);
		end(&s, &d);
	}
}

static void what_is_crawled_does_not_change_in_silence(void **state)
{
	static const struct {
		const char *name, *text, *told;
	} other[] = {
		{"policy", "fica",
			"begun with --policy ieca, not fica; leave it out, or go on under another policy by --swap-policy"},
		{"policy-opt", "delta0=0.3", "not delta0=0.3"},
		{"max-depth", "4", "begun with --max-depth 3, not 4; leave it out, or replace the whole scope by --rescope"},
		{"span-hosts", NULL, "begun with --span-hosts; leave it out"},
		{"total", "7", "begun with --total 400, not 7; leave it out, or use another --store"},
		{"rng-seed", "7", "begun with --rng-seed 1, not 7"},
	};

	(void)state;
	sit((const char *const[]){"policy", "ieca", "policy-opt", "delta0=0.35", "max-depth", "3", "span-hosts", "", "total", "400",
		    NULL},
		0);
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		struct err_note why = {""};
		struct live_decision d;
		struct asking s;
		begin(&s);
		ask(&s, other[i].name, other[i].text);
		assert_int_equal(decide(&s, &d, &why), ERR_USAGE);
		if (!strstr(why.text, other[i].told))
			fail_msg("'%s' is not in '%s'", other[i].told, why.text);
		end(&s, &d);
	}
}

static void swap_and_rescope_replace(void **state)
{
	struct live_decision d;
	struct asking s;

	(void)state;
	sit((const char *const[]){"policy", "ieca", "policy-opt", "ieca.delta0=0.35", "max-depth", "3", "span-hosts", "", NULL}, 0);
	assert_string_equal(store_get(store, "policy-opt"), "delta0=0.35");
	begin(&s);
	ask(&s, "policy", "opic");
	s.a.replace = LIVE_SWAP;
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_true(d.is_swap);
	assert_int_equal(d.changes.used, 0);
	assert_string_equal(d.config.policy, "opic");
	assert_int_equal(d.config.policy_opt.count, 0);
	assert_int_equal(d.config.max_depth, 3);
	end(&s, &d);
	begin(&s);
	ask(&s, "max-depth", "5");
	s.a.replace = LIVE_RESCOPE;
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_false(d.is_swap);
	assert_string_equal(d.config.policy, "ieca");
	assert_int_equal(d.config.span_hosts, 0); /* the whole scope is that of this call */
	assert_non_null(strstr(d.changes.at, "max-depth=5\n"));
	assert_non_null(strstr(d.changes.at, "span-hosts=\n"));
	end(&s, &d);
	/* the same scope again is no change */
	begin(&s);
	ask(&s, "max-depth", "3");
	ask(&s, "span-hosts", "");
	s.a.replace = LIVE_RESCOPE;
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_int_equal(d.changes.used, 0);
	end(&s, &d);
}

static void no_secret_is_kept(void **state)
{
	static const struct {
		const char *name, *text;
	} secrets[] = {{"auth", "passwords"}, {"load-cookies", "cookies.txt"}, {"header", "Authorization: Basic eDp5"},
		{"header", "cookie: a=b"}, {"header", "X-Api-Key: 123"}, {"proxy", "http://me:word@127.0.0.1:1/"}};

	(void)state;
	for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
		struct err_note why = {""};
		struct live_decision d;
		struct asking s;
		const char *name = secrets[i].name;
		sit((const char *const[]){name, secrets[i].text, "delay", "0", NULL}, LIVE_KEEP);
		const char *kept = store_get(store, name);
		assert_true(!kept || !*kept);
		assert_true(live_decision_is_withheld(store, name));
		assert_false(live_decision_is_withheld(store, "delay"));
		begin(&s);
		assert_int_equal(decide(&s, &d, &why), ERR_USAGE);
		assert_non_null(strstr(why.text, "a store keeps no secret: give it again"));
		end(&s, &d);
		begin(&s);
		ask(&s, name, secrets[i].text);
		assert_int_equal(decide(&s, &d, &why), 0);
		assert_int_equal(live_decision_keep(&d, store, NULL), 0);
		end(&s, &d);
		/* still to be given in the next sitting, until it is dropped for good */
		assert_true(live_decision_is_withheld(store, name));
		sit((const char *const[]){name, NULL, NULL}, LIVE_KEEP);
		assert_false(live_decision_is_withheld(store, name));
	}
}

/* Says whether whoever decides the setting could have something loaded, run, written, or sent to a place or with words of his
 * choice. The names are listed here a second time on purpose: a setting that is new has to be judged by the one who adds it, and a
 * file or a command tells itself. */
static int has_power(const struct flag *row)
{
	static const char *const names[] = {"allow-private", "header", "connect-to", "proxy", "metrics", "monitor"};
	int found = row->file != FLAG_NO_FILE || row->is_path || (row->argument && strcmp(row->argument, "CMD") == 0);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		found |= strcmp(row->name, names[i]) == 0;
	return found;
}

/* The worst that a store can keep in a row. */
static const char *worst_of(const struct flag *row)
{
	static const char *const text[] = {[FLAG_SWITCH] = "1",
		[FLAG_TEXT] = "/tmp/of-a-stranger",
		[FLAG_COUNT] = "7",
		[FLAG_EACH] = "Host: /tmp/of-a-stranger\nX: y"};

	return row->at == offsetof(struct live_config, policy_opt) ? "scores=/tmp/of-a-stranger" : text[row->kind];
}

static void expect_left_out(const struct flag *row, const char *name, struct live_decision *d)
{
	struct buf is = BUF_EMPTY, by_default = BUF_EMPTY;

	flag_keep(row, (char *)&d->config + row->at, &is);
	flag_keep(row, (const char *)&live_config_defaults + row->at, &by_default);
	assert_string_equal(is.used ? is.at : "", by_default.used ? by_default.at : "");
	assert_true(d->left_out.used && strstr(d->left_out.at, name));
	buf_release(&is);
	buf_release(&by_default);
}

static void no_setting_of_a_store_alone_loads_runs_writes_or_sends(void **state)
{
	static const unsigned replace[] = {0, LIVE_KEEP, LIVE_RESCOPE, LIVE_RETRAP, LIVE_VIEW};
	const struct flag *row;
	size_t judged = 0;

	(void)state;
	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++) {
		char name[64];
		if (!row->keeping || !has_power(row)) {
			assert_int_equal(row->trust, FLAG_TRUSTED);
			continue;
		}
		assert_int_not_equal(row->trust, FLAG_TRUSTED);
		judged++;
		snprintf(name, sizeof name, "--%s", row->name);
		for (size_t k = 0; k < sizeof replace / sizeof *replace; k++) {
			struct err_note why = {""};
			struct live_decision d;
			struct asking s;
			const int is_options = row->at == offsetof(struct live_config, policy_opt);
			assert_int_equal(store_set(store, "policy", is_options ? "/tmp/of-a-stranger" : "bfs", NULL), 0);
			assert_int_equal(store_set(store, row->name, worst_of(row), NULL), 0);
			begin(&s);
			s.a.replace = replace[k];
			if (is_options)
				ask(&s, "policy", "/tmp/of-a-stranger");
			const int err = decide(&s, &d, &why);
			if (err) {
				assert_int_equal(err, ERR_USAGE);
				assert_int_equal(row->trust, FLAG_ASKED_AGAIN);
				if (replace[k] != LIVE_VIEW)
					assert_non_null(strstr(why.text, name));
			} else {
				assert_true(row->trust == FLAG_LEFT_OUT || replace[k] == LIVE_VIEW);
				expect_left_out(row, name, &d);
			}
			end(&s, &d);
		}
		assert_int_equal(store_set(store, row->name, "", NULL), 0);
	}
	assert_true(judged >= 15);
}

/* Given by this sitting, as in the store or otherwise, or revoked, each of them decides the sitting. */
static void what_a_sitting_names_itself_is_used(void **state)
{
	static const char *const names[] = {"proxy", "warc", "log", "previous", "mirror"};

	(void)state;
	assert_int_equal(store_set(store, "policy", "bfs", NULL), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct flag *row = live_config_row(row_of(names[i]));
		for (int is_given = 0; is_given < 2; is_given++) {
			struct live_decision d;
			struct asking s;
			assert_int_equal(store_set(store, row->name, "/tmp/of-a-stranger", NULL), 0);
			begin(&s);
			ask(&s, row->name, is_given ? "/tmp/own" : NULL);
			assert_int_equal(decide(&s, &d, NULL), 0);
			const char *const *text = (const char *const *)(const void *)((const char *)&d.config + row->at);
			if (is_given)
				assert_string_equal(*text, "/tmp/own");
			else
				assert_null(*text);
			assert_int_equal(d.left_out.used, 0);
			end(&s, &d);
		}
		assert_int_equal(store_set(store, row->name, "", NULL), 0);
	}
}

static void an_oracle_of_a_store_reads_no_file(void **state)
{
	struct err_note why = {""};
	struct live_decision d;
	struct asking s;

	(void)state;
	assert_int_equal(store_set(store, "policy", "static", NULL), 0);
	assert_int_equal(store_set(store, "policy-opt", "scores=/tmp/of-a-stranger", NULL), 0);
	begin(&s);
	assert_int_equal(decide(&s, &d, &why), ERR_USAGE);
	end(&s, &d);
}

/* What was written before there was this table: "1" for a switch, "0" for an unknown total, "" for what
 * was not given, and no setting that a sitting may change. */
static void a_store_of_before_is_read(void **state)
{
	static const char *const texts[][2] = {{"policy", "ieca"}, {"policy-opt", "delta0=0.3\nbeta=0.1"}, {"batch", "25"},
		{"total", "0"}, {"rng-seed", "1"}, {"span-hosts", "1"}, {"domains", ""}, {"accept", "html,pdf"}, {"no-parent", ""},
		{"max-depth", ""}, {"normalise", ""}, {"year", "2025"}, {"rules", "accept host x\n"},
		{"trap-opt", "copies=3\nforms=0"}};
	struct live_decision d;
	struct asking s;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(store_set(store, texts[i][0], texts[i][1], NULL), 0);
	begin(&s);
	assert_int_equal(decide(&s, &d, NULL), 0);
	assert_string_equal(d.config.policy, "ieca");
	assert_int_equal(d.config.policy_opt.count, 2);
	assert_string_equal(d.config.policy_opt.at[1], "beta=0.1");
	assert_int_equal(d.config.batch, 25);
	assert_int_equal(d.config.total, 0);
	assert_int_equal(d.config.span_hosts, 1);
	assert_int_equal(d.config.no_parent, 0);
	assert_null(d.config.domains);
	assert_string_equal(d.config.accept, "html,pdf");
	assert_true(d.config.max_depth == LIVE_ANY_DEPTH);
	assert_int_equal(d.config.year, 2025);
	assert_string_equal(d.config.rules, "accept host x\n");
	assert_int_equal(d.config.trap_opt.count, 2);
	assert_int_equal(d.config.delay, 1000);
	end(&s, &d);
}

static void a_damaged_setting_is_told(void **state)
{
	struct err_note why = {""};
	struct live_decision d;
	struct asking s;

	(void)state;
	assert_int_equal(store_set(store, "policy", "ieca", NULL), 0);
	assert_int_equal(store_set(store, "delay", "soon", NULL), 0);
	begin(&s);
	assert_int_equal(decide(&s, &d, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "--delay takes a time"));
	end(&s, &d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sound),
		cmocka_unit_test(a_field_has_the_name_of_its_flag),
		cmocka_unit_test_setup_teardown(every_setting_comes_back, open_store, remove_store),
		cmocka_unit_test(kinds_of_links_are_added_and_taken_away),
		cmocka_unit_test_setup_teardown(a_later_sitting_overrules_for_itself_alone, open_store, remove_store),
		cmocka_unit_test_setup_teardown(the_default_can_be_asked_for, open_store, remove_store),
		cmocka_unit_test_setup_teardown(aim_has_anchors_unless_they_are_refused, open_store, remove_store),
		cmocka_unit_test_setup_teardown(what_is_crawled_does_not_change_in_silence, open_store, remove_store),
		cmocka_unit_test_setup_teardown(swap_and_rescope_replace, open_store, remove_store),
		cmocka_unit_test_setup_teardown(no_secret_is_kept, open_store, remove_store),
		cmocka_unit_test_setup_teardown(no_setting_of_a_store_alone_loads_runs_writes_or_sends, open_store, remove_store),
		cmocka_unit_test_setup_teardown(what_a_sitting_names_itself_is_used, open_store, remove_store),
		cmocka_unit_test_setup_teardown(an_oracle_of_a_store_reads_no_file, open_store, remove_store),
		cmocka_unit_test_setup_teardown(a_store_of_before_is_read, open_store, remove_store),
		cmocka_unit_test_setup_teardown(a_damaged_setting_is_told, open_store, remove_store),
	};

	return cmocka_run_group_tests_name("live_decision", tests, NULL, NULL);
}
