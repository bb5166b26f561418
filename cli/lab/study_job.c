#include "cli/lab/study_job.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "config.h"
#include "graph/catalogue.h"
#include "lab/study/dataset.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20) /* of a file */

static const struct {
	const char *name;
	enum { JOB_GLOBAL, JOB_EACH } where;
	enum { JOB_LAST, JOB_ADDS } how;
	const char *usual;
} keys[] = {
#define JOB_ROW(key, name, where, how, usual) {name, where, how, usual},
	JOB_KEYS(JOB_ROW)
#undef JOB_ROW
};

const char *job_key_name(enum job_key key)
{
	return keys[key].name;
}

static void add_value(struct job_section *s, enum job_key key, char *take_text, uint64_t line)
{
	const size_t n = keys[key].how == JOB_ADDS ? s->value[key].n : 0;

	if (n < s->value[key].n)
		free(s->value[key].text[n]);
	s->value[key].text = mem_resize(s->value[key].text, n + 1, sizeof *s->value[key].text);
	s->value[key].line = mem_resize(s->value[key].line, n + 1, sizeof *s->value[key].line);
	s->value[key].text[n] = take_text;
	s->value[key].line[n] = line;
	s->value[key].n = n + 1;
}

void job_set(struct job_section *s, enum job_key key, const char *text)
{
	add_value(s, key, mem_text(text), 0);
}

void job_take(struct job_section *s, enum job_key key, char *take_text)
{
	add_value(s, key, take_text, 0);
}

void job_clear(struct job_section *s, enum job_key key)
{
	for (size_t i = 0; i < s->value[key].n; i++)
		free(s->value[key].text[i]);
	s->value[key].n = 0;
}

int job_key_is_global(enum job_key key)
{
	return keys[key].where == JOB_GLOBAL;
}

static int job_key_adds(enum job_key key)
{
	return keys[key].how == JOB_ADDS;
}

int job_key_named(const char *name, enum job_key *key)
{
	for (size_t i = 0; i < JOB_KEY_COUNT; i++)
		if (strcmp(keys[i].name, name) == 0) {
			*key = (enum job_key)i;
			return 1;
		}
	return 0;
}

struct job_section *job_graph(struct job *j, const char *name)
{
	for (size_t i = 0; i < j->graphs; i++)
		if (strcmp(j->graph[i].name, name) == 0)
			return &j->graph[i];
	j->graph = mem_grow(j->graph, &j->room, j->graphs + 1, sizeof *j->graph);
	j->graph[j->graphs] = (struct job_section){.name = mem_text(name)};
	return &j->graph[j->graphs++];
}

/* --- reading */

struct reading {
	struct job *job;
	struct job_section *section; /* NULL before the first */
	uint64_t line;
};

static int wrong_line(const struct reading *r, struct err_note *why, const char *what, const char *text)
{
	return err_set(why, ERR_USAGE, "%s:%llu: %s '%s'", r->job->path, (unsigned long long)r->line, what, text);
}

static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (end > text && ascii_is_space(end[-1]))
		*--end = 0;
	while (ascii_is_space(*text))
		text++;
	return text;
}

/* Copies a text with each ${NAME} replaced by the environment variable. Returns 0, or ERR_USAGE if the variable is not set.
 * *expanded is the caller's to free. */
static int expand(const struct reading *r, const char *text, char **expanded, struct err_note *why)
{
	struct buf out = BUF_EMPTY;
	int err = 0;

	buf_text(&out, "");
	while (*text && !err) {
		const char *end = strncmp(text, "${", 2) == 0 ? strchr(text, '}') : NULL;
		if (!end) {
			buf_byte(&out, *text++);
			continue;
		}
		char name[100] = "";
		const size_t n = (size_t)(end - text) - 2;
		if (n < sizeof name)
			memcpy(name, text + 2, n);
		const char *value = getenv(name);
		if (value)
			buf_text(&out, value);
		else
			err = wrong_line(r, why, "the environment has no", name);
		text = end + 1;
	}
	*expanded = buf_take(&out);
	if (err)
		free(*expanded);
	return err;
}

static int begin_section(struct reading *r, char *name, struct err_note *why)
{
	struct job *j = r->job;
	char *end = strchr(name, ']');

	if (!end || end[1] || end == name)
		return wrong_line(r, why, "no [SECTION]:", name);
	*end = 0;
	name = trimmed(name);
	if (strcmp(name, "global") == 0) {
		r->section = &j->global;
		return 0;
	}
	r->section = job_graph(j, name);
	return 0;
}

/* Returns the key whose name is nearest, or NULL. */
static const char *nearest_key(const char *name)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; i < JOB_KEY_COUNT; i++)
		nearest_try(name, keys[i].name, &best, &distance);
	return best;
}

static int take_pair(struct reading *r, char *line, struct err_note *why)
{
	char *equals = strchr(line, '='), *value;
	enum job_key key;

	if (!equals)
		return wrong_line(r, why, "neither KEY = VALUE nor [SECTION]:", line);
	if (!r->section)
		return wrong_line(r, why, "before the first [SECTION]:", line);
	*equals = 0;
	line = trimmed(line);
	if (!job_key_named(line, &key)) {
		const char *best = nearest_key(line);
		return err_set(why, ERR_USAGE, "%s:%llu: no key '%s'%s%s", r->job->path, (unsigned long long)r->line, line,
			best ? "; the nearest is " : "", best ? best : "");
	}
	if (keys[key].where == JOB_GLOBAL && r->section != &r->job->global)
		return wrong_line(r, why, "a key of [global] alone:", line);
	TRY(expand(r, trimmed(equals + 1), &value, why));
	add_value(r->section, key, value, r->line);
	return 0;
}

static void release_section(struct job_section *s)
{
	for (size_t key = 0; key < JOB_KEY_COUNT; key++) {
		for (size_t i = 0; i < s->value[key].n; i++)
			free(s->value[key].text[i]);
		free(s->value[key].text);
		free(s->value[key].line);
	}
	free(s->name);
}

static int read_lines(struct job *j, char *bytes, size_t n, struct err_note *why)
{
	struct reading r = {.job = j};
	char *line = bytes, *end = bytes + n;
	int err = 0;

	while (!err && line < end) {
		char *next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next : end; /* a NUL stands behind the bytes */
		*next = 0;
		r.line++;
		char *text = trimmed(line);
		err = !*text || *text == '#' || *text == ';' ? 0
			: *text == '['                       ? begin_section(&r, text + 1, why)
							     : take_pair(&r, text, why);
		line = next + 1;
	}
	return err;
}

/* --- manifest.json, writing */

#define FORM 3 /* "manifest"; earlier forms were comparisons' alone */

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
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	buf_text(out, text);
	buf_byte(out, '\n');
	free(text);
	json_decref(root);
}

/* --- manifest.json, reading */

static int bad(const struct job *j, struct err_note *why, const char *what, const char *name)
{
	return err_set(why, ERR_FORMAT, "%s: no manifest of a study: %s%s%s", j->path, what, *name ? " " : "", name);
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

	if (!job_key_named(name, &key)) {
		const char *best = nearest_key(name);
		return err_set(why, ERR_FORMAT, "%s: no manifest of a study: no key '%s'%s%s", j->path, name,
			best ? "; the nearest is " : "", best ? best : "");
	}
	if (job_key_is_global(key) && s != &j->global)
		return bad(j, why, "a key of \"global\" alone:", name);
	if (!job_key_adds(key))
		return take_text(j, s, key, value, why);
	if (!json_is_array(value))
		return bad(j, why, "a list is wanted for", name);
	for (size_t i = 0; i < json_array_size(value); i++)
		TRY(take_text(j, s, key, json_array_get(value, i), why));
	return 0;
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
	TRY(json_is_array(graphs) ? 0 : bad(j, why, "it has no list \"graphs\"", ""));
	for (size_t i = 0; i < json_array_size(graphs); i++) {
		json_t *graph = json_array_get(graphs, i);
		const char *name = json_string_value(json_object_get(graph, "name"));
		const size_t before = j->graphs;
		if (!name)
			return bad(j, why, "a graph has no name", "");
		struct job_section *s = job_graph(j, name);
		if (j->graphs == before)
			return bad(j, why, "two graphs of one name:", name);
		TRY(take_section(j, s, graph, why));
	}
	return 0;
}

/* Reads a manifest into an empty job. */
static int job_from_manifest(struct job *j, const char *bytes, size_t n, struct err_note *why)
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

/* --- both */

int job_parse(struct job *j, const char *name, char *bytes, size_t n, struct err_note *why)
{
	size_t blank = 0;

	free(j->path);
	j->path = mem_text(name);
	while (blank < n && ascii_is_space(bytes[blank]))
		blank++;
	return blank < n && bytes[blank] == '{' ? job_from_manifest(j, bytes, n, why) : read_lines(j, bytes, n, why);
}

static int read_file(struct job *j, const char *path, struct err_note *why)
{
	char *bytes;
	size_t n;
	int err = input_all(path, MOST_BYTES, &bytes, &n, why);

	if (err)
		return err;
	bytes = mem_resize(bytes, n + 1, 1);
	bytes[n] = 0;
	err = job_parse(j, path, bytes, n, why);
	free(bytes);
	return err;
}

/* Says whether a list with commas contains a name. */
static int has_name(const char *list, const char *name)
{
	const size_t n = strlen(name);

	for (;; list++) {
		list += strspn(list, " \t");
		size_t length = strcspn(list, ",");
		const char *end = list + length;
		while (length && (list[length - 1] == ' ' || list[length - 1] == '\t'))
			length--;
		if (length == n && strncmp(list, name, n) == 0)
			return 1;
		if (!*end)
			return 0;
		list = end;
	}
}

static int is_there(const char *graph)
{
	AUTO(buf) base = buf_of("%s.graph", graph);

	return dataset_is_endless(graph) || (catalogue_is(graph) && catalogue_is_here(catalogue_named(graph, NULL))) ||
		access(graph, R_OK) == 0 || access(base.at, R_OK) == 0;
}

static int select_graphs(struct job *j, struct err_note *why)
{
	const char *only = job_text(j, NULL, JOB_ONLY), *missing = job_text(j, NULL, JOB_IF_MISSING);
	const int leave_out = strcmp(missing, "leave-out") == 0;
	size_t n = 0;

	if (!leave_out && strcmp(missing, "fail") != 0)
		return job_wrong(j, NULL, JOB_IF_MISSING, "fail or leave-out is wanted", why);
	for (size_t i = 0; i < j->graphs; i++) {
		struct job_section *s = &j->graph[i];
		const char *graph = job_text(j, s, JOB_GRAPH);
		if (!graph)
			return err_set(why, ERR_USAGE, "%s: [%s] has no 'graph = PATH'", j->path, s->name);
		const int is_meant = !only || has_name(only, s->name);
		const int is_kept = is_meant && (!leave_out || is_there(graph));
		if (is_meant && !is_kept)
			log_say("'%s' is left out: '%s' is not there", s->name, graph);
		if (is_kept) {
			struct job_section kept = *s;
			/* the dropped sections are moved to the end of the array, where the next loop releases them */
			*s = j->graph[n];
			j->graph[n++] = kept;
		}
	}
	for (size_t i = n; i < j->graphs; i++)
		release_section(&j->graph[i]);
	j->graphs = n;
	return n || job_text(j, NULL, JOB_MADE_SITES)
		? 0
		: err_set(why, ERR_USAGE, "%s: no graph: each section but [global] is one", j->path);
}

void job_init(struct job *j)
{
	*j = (struct job){.global.name = mem_text("global")};
}

int job_read(struct job *j, const char *const *paths, size_t n, struct err_note *why)
{
	job_init(j);
	for (size_t i = 0; i < n; i++)
		TRY(read_file(j, paths[i], why));
	return select_graphs(j, why);
}

void job_release(struct job *j)
{
	release_section(&j->global);
	for (size_t i = 0; i < j->graphs; i++)
		release_section(&j->graph[i]);
	free(j->graph);
	free(j->path);
	*j = (struct job){0};
}

/* --- what it says */

const char *job_text(const struct job *j, const struct job_section *graph, enum job_key key)
{
	if (graph && graph->value[key].n)
		return graph->value[key].text[graph->value[key].n - 1];
	if (j->global.value[key].n)
		return j->global.value[key].text[j->global.value[key].n - 1];
	return keys[key].usual;
}

size_t job_texts(const struct job *j, const struct job_section *graph, enum job_key key, const char ***texts)
{
	const size_t all = j->global.value[key].n, own = graph ? graph->value[key].n : 0;

	*texts = mem_zero(all + own + 1, sizeof **texts);
	for (size_t i = 0; i < all; i++)
		(*texts)[i] = j->global.value[key].text[i];
	for (size_t i = 0; i < own; i++)
		(*texts)[all + i] = graph->value[key].text[i];
	return all + own;
}

int job_wrong(const struct job *j, const struct job_section *graph, enum job_key key, const char *wanted, struct err_note *why)
{
	const struct job_section *s = graph && graph->value[key].n ? graph : &j->global;
	const size_t n = s->value[key].n;

	if (!j->path)
		return err_set(why, ERR_USAGE, "--%s %s: %s", keys[key].name, n ? s->value[key].text[n - 1] : "", wanted);
	if (n && s->value[key].line[n - 1])
		return err_set(why, ERR_USAGE, "%s:%llu: %s = %s: %s", j->path, (unsigned long long)s->value[key].line[n - 1],
			keys[key].name, s->value[key].text[n - 1], wanted);
	return err_set(why, ERR_USAGE, "%s: [%s] %s: %s", j->path, s->name, keys[key].name, wanted);
}

/* --- flags as keys */

/* Says whether a flag's text is the same as not giving the flag: empty, or the first word of a FLAG_CHOICE. */
static int is_silent(const struct flag *row, const char *shown)
{
	return !*shown ||
		(row->kind == FLAG_CHOICE && row->argument && shown[0] == row->argument[0] &&
			strncmp(shown, row->argument, strlen(shown)) == 0);
}

static void take_flag(struct job *j, struct job_section *graph, const struct flag *row, const void *field)
{
	enum job_key key;
	AUTO(buf) text = BUF_EMPTY;

	if (!job_key_named(row->name, &key) || key == JOB_GRAPH)
		return;
	struct job_section *const s =
		!graph || job_key_is_global(key) || key == JOB_DRAWS || key == JOB_RNG_SEED ? &j->global : graph;
	const struct flag_list *list = field;
	for (size_t i = 0; row->kind == FLAG_EACH && i < list->count; i++)
		job_set(s, key, list->at[i]);
	for (size_t i = 0; row->kind == FLAG_COMMAS && i < list->count; i++)
		buf_format(&text, "%s%s", i ? ", " : "", list->at[i]);
	if (row->kind == FLAG_SWITCH && *(const int *)field)
		buf_text(&text, "yes");
	flag_show(row, field, &text);
	if (key == JOB_RNG_SEED && !text.used) /* 0 is a seed, and not the usual one */
		buf_text(&text, "0");
	if (text.at && !is_silent(row, text.at))
		job_set(s, key, text.at);
}

void job_take_flags(struct job *j, struct job_section *graph, const struct command *c)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(c->verb->flags, i, &at)) != NULL; i++)
		take_flag(j, graph, row, (const char *)c->options + at);
}

/* --- files */

static void add_files(const struct job_section *section, struct destinations *d)
{
	for (int key = 0; key < JOB_KEY_COUNT; key++)
		for (size_t i = 0; i < section->value[key].n; i++)
			flag_files_add(NULL, NULL,
				key == JOB_GRAPH || key == JOB_INTO ? FLAG_READS_GRAPH
					: key == JOB_SEEDS          ? FLAG_READS_SEEDS
								    : FLAG_READS,
				keys[key].name, section->value[key].text[i], d);
}

int job_check_files(const struct job *j, const struct command *c, struct err_note *why)
{
	AUTO(destinations) d = DESTINATIONS_NONE;

	command_files(c, c->options, &d);
	add_files(&j->global, &d);
	for (size_t i = 0; i < j->graphs; i++)
		add_files(&j->graph[i], &d);
	return flag_files_check(&d, why);
}
