/* A job as JSON: manifest.json. */
#include "base/mem.h"
#include "base/nearest.h"
#include "cli/lab/study_job.h"
#include "config.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define FORM 3 /* "manifest"; earlier forms were comparisons' alone */

/* --- writing */

/* Returns a text as JSON; null for a path that is not UTF-8: the reader of the manifest has to name the file. */
static json_t *text_or_null(const char *text)
{
	json_t *value = json_string(text);

	return value ? value : json_null();
}

static void write_section(const struct job_section *s, json_t *object)
{
	for (size_t key = 0; key < JOB_KEY_COUNT; key++) {
		const size_t n = s->value[key].n;
		if (!n)
			continue;
		json_t *value = NULL;
		if (job_key_adds((enum job_key)key)) {
			value = json_array();
			for (size_t i = 0; i < n; i++)
				json_array_append_new(value, text_or_null(s->value[key].text[i]));
		} else {
			value = text_or_null(s->value[key].text[n - 1]);
		}
		json_object_set_new(object, job_key_name((enum job_key)key), value);
	}
}

void job_manifest(const struct job *j, struct buf *out)
{
	json_t *root = json_object(), *global = json_object(), *graphs = json_array();

	write_section(&j->global, global);
	for (size_t i = 0; i < j->graphs; i++) {
		json_t *graph = json_object();
		json_object_set_new(graph, "name", text_or_null(j->graph[i].name));
		write_section(&j->graph[i], graph);
		json_array_append_new(graphs, graph);
	}
	json_object_set_new(root, "manifest", json_integer(FORM));
	json_object_set_new(root, "lycosa", json_string(PACKAGE_VERSION));
	json_object_set_new(root, "compiler", json_string(__VERSION__));
	json_object_set_new(root, "global", global);
	json_object_set_new(root, "graphs", graphs);
	char *text = json_dumps(root, JSON_INDENT(2));
	buf_text(out, text);
	buf_byte(out, '\n');
	free(text);
	json_decref(root);
}

/* --- reading */

static int bad(const struct job *j, struct err_note *why, const char *what, const char *name)
{
	return err_set(why, ERR_FORMAT, "%s: no manifest of a study: %s%s%s", j->path, what, *name ? " " : "", name);
}

static int unknown_key(const struct job *j, const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; i < JOB_KEY_COUNT; i++)
		nearest_try(name, job_key_name((enum job_key)i), &best, &distance);
	return err_set(why, ERR_FORMAT, "%s: no manifest of a study: no key '%s'%s%s", j->path, name,
		best ? "; the nearest is " : "", best ? best : "");
}

/* Says whether a value is code (a policy in a file), which runs only if the user names it. */
static int is_code(enum job_key key, const char *text)
{
	return key == JOB_POLICIES && strchr(text, '/') != NULL;
}

static int take_text(const struct job *j, struct job_section *s, enum job_key key, const json_t *value, struct err_note *why)
{
	if (json_is_null(value))
		return 0;
	if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
		return bad(j, why, "a text is wanted for", job_key_name(key));
	if (is_code(key, json_string_value(value)))
		return bad(j, why, "a policy in a file is only run when --policies names it", "");
	job_set(s, key, json_string_value(value));
	return 0;
}

static int take_value(const struct job *j, struct job_section *s, const char *name, const json_t *value, struct err_note *why)
{
	enum job_key key;
	int err = 0;

	if (!job_key_named(name, &key))
		return unknown_key(j, name, why);
	if (job_key_is_global(key) && s != &j->global)
		return bad(j, why, "a key of \"global\" alone:", name);
	if (!job_key_adds(key))
		return take_text(j, s, key, value, why);
	if (!json_is_array(value))
		return bad(j, why, "a list is wanted for", name);
	for (size_t i = 0; !err && i < json_array_size(value); i++)
		err = take_text(j, s, key, json_array_get(value, i), why);
	return err;
}

static int take_section(const struct job *j, struct job_section *s, json_t *object, struct err_note *why)
{
	const char *name;
	json_t *value;
	int err = 0;

	if (!json_is_object(object))
		return bad(j, why, "it has no object", s == &j->global ? "\"global\"" : "of a graph");
	json_object_foreach(object, name, value)
	{
		if (!err && (s == &j->global || strcmp(name, "name") != 0))
			err = take_value(j, s, name, value, why);
	}
	return err;
}

static int take_graphs(struct job *j, const json_t *graphs, struct err_note *why)
{
	int err = json_is_array(graphs) ? 0 : bad(j, why, "it has no list \"graphs\"", "");

	for (size_t i = 0; !err && i < json_array_size(graphs); i++) {
		json_t *graph = json_array_get(graphs, i);
		const char *name = json_string_value(json_object_get(graph, "name"));
		const size_t before = j->graphs;
		if (!name)
			return bad(j, why, "a graph has no name", "");
		struct job_section *s = job_graph(j, name);
		if (j->graphs == before)
			return bad(j, why, "two graphs of one name:", name);
		err = take_section(j, s, graph, why);
	}
	return err;
}

int job_from_manifest(struct job *j, const char *bytes, size_t n, struct err_note *why)
{
	json_error_t wrong;
	json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &wrong);

	if (!root)
		return err_set(why, ERR_FORMAT, "%s: line %d is no JSON: %s", j->path, wrong.line, wrong.text);
	const json_int_t form = json_integer_value(json_object_get(root, "manifest"));
	int err = 0;
	if (form > FORM)
		err = err_set(why, ERR_NEWER, "%s: a manifest of form %lld; this lycosa reads form %d", j->path, (long long)form,
			FORM);
	else if (form != FORM)
		err = bad(j, why, "it does not say \"manifest\": 3", "");
	if (!err)
		err = take_section(j, &j->global, json_object_get(root, "global"), why);
	if (!err)
		err = take_graphs(j, json_object_get(root, "graphs"), why);
	json_decref(root);
	return err;
}
