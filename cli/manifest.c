#include "cli/manifest.h"
#include "base/input.h"
#include "base/mem.h"
#include "config.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST_VERSION 1
#define MOST_BYTES       (64u << 20)
#define MOST_DRAWS       1000000

/* --- writing */

static json_t *hex(uint64_t fingerprint)
{
	return json_sprintf("%016" PRIx64, fingerprint);
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
	const struct graph *g = &x->data.graph;
	json_t *graph = json_object();

	json_object_set_new(graph, "path", text_or_null(x->graph_options->graph));
	json_object_set_new(graph, "urls", text_or_null(x->graph_options->urls));
	json_object_set_new(graph, "hosts", text_or_null(x->graph_options->hosts));
	json_object_set_new(graph, "format", json_string(x->data.format));
	json_object_set_new(graph, "nodes", count(g->nodes));
	json_object_set_new(graph, "arcs", count(g->arcs));
	json_object_set_new(graph, "fingerprint", hex(graph_fingerprint(g)));
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

void manifest_write(const struct experiment *x, struct buf *out)
{
	const struct compare *c = &x->compare;
	json_t *root = json_object(), *policies = json_array(), *at = json_array();

	for (size_t i = 0; i < c->n_policies; i++) {
		json_t *policy = json_object();
		json_object_set_new(policy, "name", json_string(c->policies[i]->name));
		json_object_set_new(policy, "options", options_of(&c->opts[i]));
		json_array_append_new(policies, policy);
	}
	for (size_t i = 0; i < c->n_at; i++)
		json_array_append_new(at, json_real(c->at[i]));
	json_object_set_new(root, "manifest", json_integer(MANIFEST_VERSION));
	json_object_set_new(root, "lycosa", json_string(PACKAGE_VERSION));
	json_object_set_new(root, "compiler", json_string(__VERSION__));
	json_object_set_new(root, "graph", graph_of(x));
	json_object_set_new(root, "seeds", seeds_of(c));
	json_object_set_new(root, "policies", policies);
	json_object_set_new(root, "batch", count(c->batch));
	json_object_set_new(root, "total",
		c->total == COMPARE_REACHABLE ? json_string("reachable")
					      : count(c->total ? c->total : x->data.graph.nodes));
	json_object_set_new(root, "max_pages", count(c->max_pages));
	json_object_set_new(root, "tolerance", json_real(x->benchmark.tolerance));
	json_object_set_new(root, "at", at);
	json_object_set_new(root, "tau", json_boolean(c->with_tau));
	json_object_set_new(root, "numbers", hex(compare_fingerprint(c)));
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
	m->version = json_string_value(json_object_get(root, "lycosa"));
	return err ? err : read_hex(r, json_object_get(root, "numbers"), &m->numbers);
}

int manifest_parse(
	struct manifest *m, const char *bytes, size_t n, const char *name, struct err_note *why)
{
	const struct reading r = {m, name, why};
	json_error_t wrong;

	*m = (struct manifest){0};
	m->root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &wrong);
	if (!m->root)
		return err_set(why, ERR_FORMAT, "%s: line %d is no JSON: %s", name, wrong.line,
			wrong.text);
	json_int_t version = json_integer_value(json_object_get(m->root, "manifest"));
	if (version > MANIFEST_VERSION)
		return err_set(why, ERR_NEWER,
			"%s: a manifest of form %lld; this lycosa reads form %d", name,
			(long long)version, MANIFEST_VERSION);
	if (version != MANIFEST_VERSION)
		return bad(&r, "it does not say \"manifest\": 1");
	int err = read_graph(&r);
	if (!err)
		err = read_seeds(&r);
	if (!err)
		err = read_policies(&r);
	return err ? err : read_rest(&r);
}

int manifest_read(struct manifest *m, const char *path, struct err_note *why)
{
	char *bytes;
	size_t n;

	*m = (struct manifest){0};
	int err = input_all(path, MOST_BYTES, &bytes, &n, why);
	if (err)
		return err;
	err = manifest_parse(m, bytes, n, path, why);
	free(bytes);
	return err;
}

void manifest_release(struct manifest *m)
{
	for (size_t i = 0; i < m->texts; i++)
		free(m->text[i]);
	free(m->text);
	free(m->experiment.at.at);
	free(m->policy.policy_opt.at);
	free(m->policies.at);
	free(m->seed_fingerprints);
	json_decref(m->root);
	*m = (struct manifest){0};
}
