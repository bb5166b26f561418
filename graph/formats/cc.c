#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "graph/formats/arctext.h"
#include "graph/formats/formats.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const words[] = {"vertices", "edges"};

/* The files of a graph: those of vertices, and those of edges, in the order of their names. */
struct parts {
	struct buf head; /* what stands before the word in the name of an entry that was found */
	int several;     /* 1: entries with different heads were found, so that there is more than one graph */
	char **file[2];
	size_t n[2], room[2];
};

static void parts_release(struct parts *p)
{
	for (int kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < p->n[kind]; i++)
			free(p->file[kind][i]);
		free(p->file[kind]);
	}
	buf_release(&p->head);
}

/* Adds a file, or, if the path is a folder, its files; those whose names begin with a dot or an underscore are not data. */
static void add_files(struct parts *p, int kind, const char *path)
{
	struct dirent **entry = NULL;
	struct stat st;

	if (stat(path, &st))
		return;
	const int n = S_ISDIR(st.st_mode) ? scandir(path, &entry, NULL, alphasort) : -1;
	for (int i = 0; i < n; i++) {
		char *file = buf_made("%s/%s", path, entry[i]->d_name);
		if (!strchr("._", *entry[i]->d_name))
			add_files(p, kind, file);
		free(file);
		free(entry[i]);
	}
	free(entry);
	if (!S_ISREG(st.st_mode))
		return;
	p->file[kind] = mem_grow(p->file[kind], &p->room[kind], p->n[kind] + 1, sizeof *p->file[kind]);
	p->file[kind][p->n[kind]++] = mem_text(path);
}

/* Finds the word for vertices or edges in a name. Returns where it stands and sets *kind, or returns NULL. */
static const char *find_word(const char *name, int *kind)
{
	for (*kind = 0; *kind < 2; ++*kind) {
		const char *at = strstr(name, words[*kind]);
		if (at && !strstr(at, ".paths"))
			return at;
	}
	return NULL;
}

/* Says whether the head of a name, n bytes, is that of the graph: the name of the graph with nothing or a mark behind it. */
static int is_head(const char *head, size_t n, const char *graph)
{
	const size_t length = strlen(graph);

	return strncmp(head, graph, length < n ? length : n) == 0 &&
		(n == length || (n == length + 1 && strchr("-._", head[length])));
}

/* Adds the files of a folder's entries that are named for vertices or edges; of the entries of one graph, unless `graph` is
 * NULL. */
static void scan(struct parts *p, const char *folder, const char *graph)
{
	struct dirent **entry = NULL;
	const int n = scandir(*folder ? folder : ".", &entry, NULL, alphasort);
	int kind;

	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name, *word = *name == '.' ? NULL : find_word(name, &kind);
		const size_t head = word ? (size_t)(word - name) : 0;
		if (word && (!graph || is_head(name, head, graph))) {
			char *path = buf_made("%s%s%s", folder, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "", name);
			p->several |= p->n[0] + p->n[1] && (p->head.used != head || memcmp(p->head.at, name, head) != 0);
			buf_clear(&p->head);
			buf_add(&p->head, name, head);
			add_files(p, kind, path);
			free(path);
		}
		free(entry[i]);
	}
	free(entry);
}

/* Finds the files that a path means: a folder with both kinds, one file or folder of a pair, or the name that both begin with. */
static void find_parts(struct parts *p, const char *path)
{
	struct stat st;
	int kind;

	*p = (struct parts){.head = BUF_EMPTY};
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		scan(p, path, NULL);
	if (p->n[0] + p->n[1])
		return;
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	char *whole = mem_part(path, n), *slash = strrchr(whole, '/'), *name = slash ? slash + 1 : whole;
	char *folder = mem_part(whole, (size_t)(name - whole));
	const char *word = find_word(name, &kind);
	if (word)
		name[word - name] = 0;
	scan(p, folder, name);
	free(folder);
	free(whole);
}

/* Parses a line "ID TAB REVERSED.HOST", perhaps with further columns. Returns the host, which it ends with a NUL, or NULL. */
static char *take_vertex(char *line, size_t n, uint64_t *id)
{
	const char *p = line;

	if (arctext_number(&p, line + n, id) || *p != '\t')
		return NULL;
	char *host = line + (p - line) + 1;
	host[strcspn(host, "\t")] = 0;
	return *host && !host[strcspn(host, " /")] && host[strspn(host, "0123456789")] ? host : NULL;
}

int cc_detect(const char *path)
{
	struct parts p;
	struct input *in;
	char *line;
	size_t n;
	uint64_t id;
	int is = 0;

	find_parts(&p, path);
	if (p.n[0] && p.n[1] && input_open(&in, p.file[0][0], NULL) == 0) {
		is = input_line(in, &line, &n, NULL) > 0 && take_vertex(line, n, &id);
		input_close(in);
	}
	parts_release(&p);
	return is;
}

/* Appends a host whose labels stand in reverse order, "com.example.www", in the usual order. */
static void put_host(struct buf *out, const char *reversed)
{
	const char *end = reversed + strlen(reversed);

	for (const char *dot; (dot = memrchr(reversed, '.', (size_t)(end - reversed))) != NULL; end = dot) {
		buf_add(out, dot + 1, (size_t)(end - dot - 1));
		buf_byte(out, '.');
	}
	buf_add(out, reversed, (size_t)(end - reversed));
}

struct vertices {
	struct intern hosts;
	uint64_t *id;
	size_t room;
	struct buf host;
};

static int take_line(struct vertices *v, struct input *in, char *line, size_t n, struct err_note *why)
{
	const size_t count = v->hosts.count;
	const unsigned long long number = input_line_number(in);
	uint64_t id;
	const char *host = take_vertex(line, n, &id);

	if (!host)
		return err_set(why, ERR_FORMAT, "%s:%llu: '%.60s' is no id, TAB and host, as lines of vertices are", input_path(in),
			number, line);
	if (count == GRAPH_MAX_NODES)
		return err_set(why, ERR_TOO_BIG, "'%s' has more than %u vertices", input_path(in), GRAPH_MAX_NODES);
	if (count && id <= v->id[count - 1])
		return err_set(why, ERR_FORMAT, "%s:%llu: id %llu follows id %llu, but ids of vertices ascend", input_path(in),
			number, (unsigned long long)id, (unsigned long long)v->id[count - 1]);
	buf_clear(&v->host);
	put_host(&v->host, host);
	intern_number(&v->hosts, v->host.at, v->host.used);
	if (v->hosts.count == count)
		return err_set(why, ERR_FORMAT, "%s:%llu: '%s' is a vertex already", input_path(in), number, host);
	v->id = mem_grow(v->id, &v->room, count + 1, sizeof *v->id);
	v->id[count] = id;
	return 0;
}

static int read_vertices(struct vertices *v, const char *path, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int got, err = input_open(&in, path, why);

	if (err)
		return err;
	while (!err && (got = input_line(in, &line, &n, why)) != 0)
		err = got < 0 ? got : take_line(v, in, line, n, why);
	input_close(in);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int is_vertex(const struct vertices *v, uint64_t id)
{
	return v->hosts.count && bsearch(&id, v->id, v->hosts.count, sizeof id, by_id);
}

/* Names the first line of the edges with an id that is no vertex. */
static int tell_stranger(const struct parts *p, const struct vertices *v, struct err_note *why)
{
	uint64_t id[2] = {0, 0};
	struct input *in;
	char *line;
	size_t n;

	for (size_t i = 0; i < p->n[1]; i++) {
		if (input_open(&in, p->file[1][i], why))
			return ERR_FILE;
		while (input_line(in, &line, &n, why) > 0) {
			const char *at = line;
			for (int k = 0; k < 2; k++)
				if (arctext_number(&at, line + n, &id[k]) == 0 && !is_vertex(v, id[k])) {
					err_set(why, ERR_FORMAT, "%s:%llu: %llu is no id of the vertices", input_path(in),
						(unsigned long long)input_line_number(in), (unsigned long long)id[k]);
					input_close(in);
					return ERR_FORMAT;
				}
		}
		input_close(in);
	}
	return err_set(why, ERR_FORMAT, "'%s': the edges have ids that are none of the vertices", p->file[1][0]);
}

/* Reads the edges between vertices that are all known. */
static int read_edges(const struct parts *p, const struct vertices *v, const struct graph_load *load, struct graph *g,
	struct err_note *why)
{
	const size_t count = v->hosts.count;
	const uint64_t least = count ? v->id[0] : 0, most = count ? v->id[count - 1] : 0;
	const int is_dense = most - least + 1 == count && least <= 1;
	struct arcs_nodes nodes = {.announced = count, .is_announced = is_dense, .is_from_one = is_dense && least == 1};
	struct arcs a = ARCS_EMPTY;
	struct arctext t = {.arcs = &a};
	int err = 0;

	arcs_bound(&a, &load->space);
	for (size_t i = 0; !is_dense && i < count; i++)
		arcs_add_single(&a, v->id[i]);
	for (size_t i = 0; i < p->n[1] && !err; i++)
		err = arctext_read(&t, p->file[1][i], why);
	if (!err && arcs_total(&a) && (a.least < least || a.most_id > most))
		err = tell_stranger(p, v, why);
	if (err) {
		arcs_release(&a);
		return err;
	}
	err = arcs_to_graph(&a, &nodes, p->file[1][0], g, why);
	if (!err && g->nodes != count) {
		graph_release(g);
		err = tell_stranger(p, v, why);
	}
	return err;
}

int cc_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct vertices v = {.host = BUF_EMPTY};
	struct parts p;
	int err = 0;

	*g = (struct graph){0};
	find_parts(&p, path);
	if (!p.n[0] || !p.n[1])
		err = err_set(why, ERR_FILE, "'%s': there are no files of vertices and edges", path);
	else if (p.several)
		err = err_set(why, ERR_USAGE, "'%s' has more than one graph: name one, as '%s/%s'", path, path, p.head.at);
	for (size_t i = 0; i < p.n[0] && !err; i++)
		err = read_vertices(&v, p.file[0][i], why);
	if (!err)
		err = read_edges(&p, &v, load, g, why);
	if (!err && load->names) {
		names_take_texts(load->names, &v.hosts);
		load->names->id = v.id;
		v.id = NULL;
	}
	intern_release(&v.hosts);
	buf_release(&v.host);
	free(v.id);
	parts_release(&p);
	return err;
}
