#include "cli/lab/manifest.h"
#include "base/num.h"
#include "base/input.h"
#include "base/mem.h"
#include "config.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define ONE_GRAPH      1 /* "manifest" */
#define SEVERAL_GRAPHS 2
#define MOST_BYTES     (64u << 20)
#define MOST_DRAWS     1000000

/* --- writing */

static json_t *hex(uint64_t fingerprint)
{
	char text[FINGERPRINT_ROOM];

	return json_string(fingerprint_text(fingerprint, text));
}

/* A JSON integer has 63 bits; what has more is a text. */
static json_t *count(uint64_t n)
{
	return n <= INT64_MAX ? json_integer((json_int_t)n) : json_sprintf("%" PRIu64, n);
}

/* A path may be no UTF-8: then it is null, and --graph must say where. */
static json_t *text_or_null(const char *text)
{
	json_t *value = text ? json_string(text) : NULL;

	return value ? value : json_null();
}

static json_t *options_of(const struct opt_set *set)
{
	json_t *options = json_object();

	for (size_t i = 0; set->table && set->table[i].name; i++) {
		const struct opt *o = &set->table[i];
		const struct opt_value *v = &set->value[i];
		struct buf text = BUF_EMPTY;
		if (o->kind == OPT_TEXT || (o->kind == OPT_CHOICE && v->text))
			buf_text(&text, v->text ? v->text : "");
		else if (o->kind == OPT_CHOICE)
			buf_add(&text, o->choices, strcspn(o->choices, "|"));
		else
			opt_shortest(&text, v->number);
		if (o->kind != OPT_TEXT || v->text)
			json_object_set_new(options, o->name, text_or_null(text.at ? text.at : ""));
		buf_release(&text);
	}
	return options;
}

static json_t *graph_of(const struct experiment *x)
{
	json_t *graph = json_object();

	json_object_set_new(graph, "path", text_or_null(x->graph_options->graph));
	json_object_set_new(graph, "urls", text_or_null(x->graph_options->urls));
	json_object_set_new(graph, "hosts", text_or_null(x->graph_options->hosts));
	json_object_set_new(graph, "format", json_string(x->format));
	json_object_set_new(graph, "nodes", count(x->compare.nodes));
	json_object_set_new(graph, "arcs", count(x->compare.arcs));
	json_object_set_new(graph, "fingerprint", hex(x->found));
	return graph;
}

static json_t *seeds_of(const struct compare *c)
{
	json_t *seeds = json_object(), *prints = json_array();

	for (size_t i = 0; i < c->draws; i++)
		json_array_append_new(prints, hex(c->drawn[i]));
	json_object_set_new(seeds, "spec", text_or_null(c->seeds));
	json_object_set_new(seeds, "draws", count(c->draws));
	json_object_set_new(seeds, "rng_seed", count(c->rng_seed));
	json_object_set_new(seeds, "fingerprints", prints);
	return seeds;
}

/* Into root, one graph's. */
static void add_experiment(const struct experiment *x, json_t *root)
{
	const struct compare *c = &x->compare;
	json_t *policies = json_array(), *at = json_array();

	for (size_t i = 0; i < c->n_policies; i++) {
		json_t *policy = json_object();
		json_object_set_new(policy, "name", json_string(c->policies[i]->name));
		json_object_set_new(policy, "options", options_of(&c->opts[i]));
		json_array_append_new(policies, policy);
	}
	for (size_t i = 0; i < c->n_at; i++)
		json_array_append_new(at, json_real(c->at[i]));
	json_object_set_new(root, "graph", graph_of(x));
	json_object_set_new(root, "seeds", seeds_of(c));
	json_object_set_new(root, "policies", policies);
	json_object_set_new(root, "batch", count(c->batch));
	json_object_set_new(root, "total",
		c->total == COMPARE_REACHABLE ? json_string("reachable")
					      : count(c->total ? c->total : c->nodes));
	json_object_set_new(root, "max_pages", count(c->max_pages));
	json_object_set_new(root, "tolerance", json_real(c->tolerance));
	json_object_set_new(root, "at", at);
	json_object_set_new(root, "tau", json_boolean(c->with_tau));
	if (x->options->ties)
		json_object_set_new(root, "ties", json_true());
	json_object_set_new(root, "numbers", hex(compare_fingerprint(c)));
}

void manifest_write(const struct experiment *x, size_t n, struct buf *out)
{
	json_t *root = json_object(), *graphs = json_array();

	json_object_set_new(root, "manifest", json_integer(n > 1 ? SEVERAL_GRAPHS : ONE_GRAPH));
	json_object_set_new(root, "lycosa", json_string(PACKAGE_VERSION));
	json_object_set_new(root, "compiler", json_string(__VERSION__));
	for (size_t i = 0; n > 1 && i < n; i++) {
		json_t *graph = json_object();
		add_experiment(&x[i], graph);
		json_array_append_new(graphs, graph);
	}
	if (n > 1)
		json_object_set(root, "graphs", graphs);
	else
		add_experiment(x, root);
	json_decref(graphs);
	char *text = json_dumps(root, JSON_INDENT(2));
	buf_text(out, text);
	buf_byte(out, '\n');
	free(text);
	json_decref(root);
}

/* --- reading */

struct reading {
	struct manifest *m;
	const char *name;
	struct err_note *why;
};

static int bad(const struct reading *r, const char *what)
{
	return err_set(r->why, ERR_FORMAT, "%s: no manifest of a comparison: %s", r->name, what);
}

/* The manifest's own copy. */
static const char *keep(struct manifest *m, char *text)
{
	m->text = mem_grow(m->text, &m->text_room, m->texts + 1, sizeof *m->text);
	m->text[m->texts++] = text;
	return text;
}

static void list_add(struct flag_list *list, const char *text)
{
	list->at = mem_resize(list->at, list->count + 2, sizeof *list->at);
	list->at[list->count++] = text;
	list->at[list->count] = NULL;
}

static int read_hex(const struct reading *r, const json_t *value, uint64_t *out)
{
	const char *text = json_string_value(value);

	if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
		return bad(r, "a fingerprint is 16 hexadecimal digits");
	*out = strtoull(text, NULL, 16);
	return 0;
}

static int read_count(
	const struct reading *r, const json_t *object, const char *name, uint64_t *out)
{
	const json_t *value = json_object_get(object, name);
	char *end;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*out = (uint64_t)json_integer_value(value);
		return 0;
	}
	const char *text = json_string_value(value);
	if (text && *text >= '0' && *text <= '9' && strlen(text) <= 20) {
		*out = strtoull(text, &end, 10);
		if (!*end)
			return 0;
	}
	struct buf what = BUF_EMPTY;
	buf_format(&what, "\"%s\" is to be a whole number", name);
	int err = bad(r, what.at);
	buf_release(&what);
	return err;
}

static int read_graph(const struct reading *r)
{
	const json_t *graph = json_object_get(r->m->root, "graph");

	r->m->graph.graph = json_string_value(json_object_get(graph, "path"));
	r->m->graph.urls = json_string_value(json_object_get(graph, "urls"));
	r->m->graph.hosts = json_string_value(json_object_get(graph, "hosts"));
	return read_hex(r, json_object_get(graph, "fingerprint"), &r->m->graph_fingerprint);
}

static int read_seeds(const struct reading *r)
{
	const json_t *seeds = json_object_get(r->m->root, "seeds");
	const json_t *prints = json_object_get(seeds, "fingerprints");
	struct manifest *m = r->m;
	int err = read_count(r, seeds, "draws", &m->draws);

	if (!err)
		err = read_count(r, seeds, "rng_seed", &m->policy.rng_seed);
	if (err)
		return err;
	m->experiment.seeds = json_string_value(json_object_get(seeds, "spec"));
	if (!m->draws || m->draws > MOST_DRAWS || json_array_size(prints) != m->draws)
		return bad(r, "there is to be a fingerprint for each draw");
	m->seed_fingerprints = mem_new(m->draws, sizeof *m->seed_fingerprints);
	for (size_t i = 0; !err && i < m->draws; i++)
		err = read_hex(r, json_array_get(prints, i), &m->seed_fingerprints[i]);
	return err;
}

static int read_policies(const struct reading *r)
{
	const json_t *policies = json_object_get(r->m->root, "policies");
	size_t n = json_array_size(policies);

	if (!n)
		return bad(r, "it names no policy");
	for (size_t i = 0; i < n; i++) {
		json_t *policy = json_array_get(policies, i), *value;
		json_t *options = json_object_get(policy, "options");
		const char *name = json_string_value(json_object_get(policy, "name")), *key;
		if (!name || !json_is_object(options))
			return bad(r, "a policy has a name and options");
		if (strchr(name, '/')) /* code is run where a user names it alone */
			return bad(r, "a policy in a file is only run when --policies names it");
		list_add(&r->m->policies, name);
		json_object_foreach(options, key, value)
		{
			struct buf text = BUF_EMPTY;
			if (!json_is_string(value))
				return bad(r, "the options of a policy are texts");
			buf_format(&text, "%s.%s=%s", name, key, json_string_value(value));
			list_add(&r->m->policy.policy_opt, keep(r->m, buf_take(&text)));
		}
	}
	return 0;
}

static int read_rest(const struct reading *r)
{
	const json_t *root = r->m->root, *at = json_object_get(root, "at");
	const json_t *total = json_object_get(root, "total");
	struct manifest *m = r->m;
	struct buf text = BUF_EMPTY;
	uint64_t n = 0;
	int err = read_count(r, root, "batch", &m->policy.batch);

	if (!err)
		err = read_count(r, root, "max_pages", &m->policy.max_pages);
	if (!err && json_is_string(total)) {
		m->policy.total = json_string_value(total);
	} else if (!err) {
		err = read_count(r, root, "total", &n);
		buf_format(&text, "%" PRIu64, n);
		m->policy.total = keep(m, buf_take(&text));
	}
	m->policy.tol = json_number_value(json_object_get(root, "tolerance"));
	if (!err && !(m->policy.tol > 0 && m->policy.tol <= 1 && m->policy.batch))
		err = bad(r, "the tolerance is to lie in 0 to 1, the batch above 0");
	for (size_t i = 0; i < json_array_size(at); i++) {
		opt_shortest(&text, json_number_value(json_array_get(at, i)));
		list_add(&m->experiment.at, keep(m, buf_take(&text)));
	}
	m->tau = json_is_true(json_object_get(root, "tau"));
	m->experiment.ties = json_is_true(json_object_get(root, "ties"));
	return err ? err : read_hex(r, json_object_get(root, "numbers"), &m->numbers);
}

/* One graph's, from r->m->root. */
static int read_one(const struct reading *r)
{
	int err = read_graph(r);

	if (!err)
		err = read_seeds(r);
	if (!err)
		err = read_policies(r);
	return err ? err : read_rest(r);
}

/* What holds for all graphs. */
static int is_like(const struct manifest *a, const struct manifest *b)
{
	const struct flag_list *x = &a->experiment.at, *y = &b->experiment.at;

	if (a->draws != b->draws || a->tau != b->tau || x->count != y->count ||
		a->experiment.ties != b->experiment.ties)
		return 0;
	for (size_t i = 0; i < x->count; i++)
		if (strcmp(x->at[i], y->at[i]) != 0)
			return 0;
	return 1;
}

static int read_several(const struct reading *first, json_t *graphs)
{
	struct manifest *m = first->m;
	size_t n = json_array_size(graphs);
	int err = 0;

	if (!n)
		return bad(first, "it names no graph");
	m->more = mem_zero(n - 1, sizeof *m->more);
	for (size_t i = 0; !err && i < n; i++) {
		struct reading r = {i ? &m->more[i - 1] : m, first->name, first->why};
		if (i) {
			m->graphs++;
			r.m->version = m->version;
		}
		r.m->root = json_incref(json_array_get(graphs, i));
		err = read_one(&r);
		if (!err && i && !is_like(m, r.m))
			err = bad(first, "its graphs differ in draws, fractions, tau or ties");
	}
	return err;
}

int manifest_parse(
	struct manifest *m, const char *bytes, size_t n, const char *name, struct err_note *why)
{
	const struct reading r = {m, name, why};
	json_error_t wrong;

	*m = (struct manifest){.graphs = 1};
	json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &wrong);
	if (!root)
		return err_set(why, ERR_FORMAT, "%s: line %d is no JSON: %s", name, wrong.line,
			wrong.text);
	m->whole = root;
	m->version = json_string_value(json_object_get(root, "lycosa"));
	json_int_t version = json_integer_value(json_object_get(root, "manifest"));
	if (version > SEVERAL_GRAPHS)
		return err_set(why, ERR_NEWER,
			"%s: a manifest of form %lld; this lycosa reads forms up to %d", name,
			(long long)version, SEVERAL_GRAPHS);
	if (version == SEVERAL_GRAPHS)
		return read_several(&r, json_object_get(root, "graphs"));
	const char *study = json_string_value(json_object_get(root, "study"));
	if (study)
		return err_set(why, ERR_USAGE,
			"%s is of an evaluation by 'lycosa %s', which --from does not do again: give that verb the \"options\" that stand there",
			name, study);
	if (version != ONE_GRAPH)
		return bad(&r, "it does not say \"manifest\": 1");
	m->root = json_incref(root);
	return read_one(&r);
}

int manifest_read(struct manifest *m, const char *path, struct err_note *why)
{
	char *bytes;
	size_t n;

	*m = (struct manifest){.graphs = 1};
	int err = input_all(path, MOST_BYTES, &bytes, &n, why);
	if (err)
		return err;
	err = manifest_parse(m, bytes, n, path, why);
	free(bytes);
	return err;
}

void manifest_release(struct manifest *m)
{
	for (size_t i = 0; m->more && i + 1 < m->graphs; i++)
		manifest_release(&m->more[i]);
	free(m->more);
	for (size_t i = 0; i < m->texts; i++)
		free(m->text[i]);
	free(m->text);
	free(m->experiment.at.at);
	free(m->policy.policy_opt.at);
	free(m->policies.at);
	free(m->seed_fingerprints);
	json_decref(m->root);
	json_decref(m->whole);
	*m = (struct manifest){0};
}
