#include "cli/lab/study_job.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* --- reading */

struct reading {
	struct job *job;
	struct job_section *section; /* NULL before the first */
	uint64_t line;
};

static int wrong_line(
	const struct reading *r, struct err_note *why, const char *what, const char *text)
{
	return err_set(why, ERR_USAGE, "%s:%llu: %s '%s'", r->job->path,
		(unsigned long long)r->line, what, text);
}

static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* ${NAME} is what the environment has for it. */
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
	for (size_t i = 0; i < j->graphs; i++)
		if (strcmp(j->graph[i].name, name) == 0)
			return wrong_line(r, why, "there is a section already of the name", name);
	j->graph = mem_grow(j->graph, &j->room, j->graphs + 1, sizeof *j->graph);
	r->section = &j->graph[j->graphs++];
	*r->section = (struct job_section){.name = mem_text(name)};
	return 0;
}

static int unknown_key(const struct reading *r, const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; i < JOB_KEY_COUNT; i++)
		nearest_try(name, keys[i].name, &best, &distance);
	return err_set(why, ERR_USAGE, "%s:%llu: no key '%s'%s%s", r->job->path,
		(unsigned long long)r->line, name, best ? "; the nearest is " : "",
		best ? best : "");
}

static int take_pair(struct reading *r, char *line, struct err_note *why)
{
	char *equals = strchr(line, '='), *value;
	size_t key = 0;

	if (!equals)
		return wrong_line(r, why, "neither KEY = VALUE nor [SECTION]:", line);
	if (!r->section)
		return wrong_line(r, why, "before the first [SECTION]:", line);
	*equals = 0;
	line = trimmed(line);
	while (key < JOB_KEY_COUNT && strcmp(keys[key].name, line) != 0)
		key++;
	if (key == JOB_KEY_COUNT)
		return unknown_key(r, line, why);
	if (keys[key].where == JOB_GLOBAL && r->section != &r->job->global)
		return wrong_line(r, why, "a key of [global] alone:", line);
	const int err = expand(r, trimmed(equals + 1), &value, why);
	if (!err)
		add_value(r->section, (enum job_key)key, value, r->line);
	return err;
}

int job_read(struct job *j, const char *path, struct err_note *why)
{
	struct reading r = {.job = j};
	struct input *in;
	char *line;
	size_t n;

	*j = (struct job){.path = mem_text(path), .global.name = mem_text("global")};
	int err = input_open(&in, path, why);
	if (err)
		return err;
	while (!err && (err = input_line(in, &line, &n, why)) > 0) {
		r.line = input_line_number(in);
		line = trimmed(line);
		err = !*line || *line == '#' || *line == ';' ? 0
		      : *line == '['                         ? begin_section(&r, line + 1, why)
							     : take_pair(&r, line, why);
	}
	input_close(in);
	if (!err && !j->graphs)
		err = err_set(
			why, ERR_USAGE, "%s: no graph: each section but [global] is one", path);
	for (size_t i = 0; !err && i < j->graphs; i++)
		if (!job_text(j, &j->graph[i], JOB_GRAPH))
			err = err_set(why, ERR_USAGE, "%s: [%s] has no 'graph = PATH'", path,
				j->graph[i].name);
	return err;
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

size_t job_texts(
	const struct job *j, const struct job_section *graph, enum job_key key, const char ***texts)
{
	const size_t all = j->global.value[key].n, own = graph ? graph->value[key].n : 0;

	*texts = mem_zero(all + own + 1, sizeof **texts);
	for (size_t i = 0; i < all; i++)
		(*texts)[i] = j->global.value[key].text[i];
	for (size_t i = 0; i < own; i++)
		(*texts)[all + i] = graph->value[key].text[i];
	return all + own;
}

int job_wrong(const struct job *j, const struct job_section *graph, enum job_key key,
	const char *wanted, struct err_note *why)
{
	const struct job_section *s = graph && graph->value[key].n ? graph : &j->global;
	const size_t n = s->value[key].n;

	if (n && s->value[key].line[n - 1])
		return err_set(why, ERR_USAGE, "%s:%llu: %s = %s: %s", j->path,
			(unsigned long long)s->value[key].line[n - 1], keys[key].name,
			s->value[key].text[n - 1], wanted);
	return err_set(why, ERR_USAGE, "%s: [%s] %s: %s", j->path, s->name, keys[key].name, wanted);
}

static void write_section(const struct job_section *s, struct buf *out)
{
	buf_format(out, "[%s]\n", s->name);
	for (size_t key = 0; key < JOB_KEY_COUNT; key++)
		for (size_t i = 0; i < s->value[key].n; i++)
			buf_format(out, "%s = %s\n", keys[key].name, s->value[key].text[i]);
	buf_byte(out, '\n');
}

void job_write(const struct job *j, struct buf *out)
{
	write_section(&j->global, out);
	for (size_t i = 0; i < j->graphs; i++)
		write_section(&j->graph[i], out);
}
