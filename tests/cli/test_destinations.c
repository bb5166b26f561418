/* No output of a command takes the place of a file that the command reads: every flag and operand that names an output, of every
 * verb, is aimed at every flag and operand that names an input. */
#include "tests/test.h"

#include "base/destination.h"
#include "base/log.h"
#include "cli/verb.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#define BYTES "# what was here before\n"

static char folder[64];
static const char *below[8];
static size_t depth;

static char *in_folder(const char *name)
{
	static char path[16][128];
	static unsigned turn;
	char *p = path[turn++ % 16];

	snprintf(p, sizeof path[0], "%s/%s", folder, name);
	return p;
}

static void put(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, BYTES, sizeof BYTES - 1), sizeof BYTES - 1);
	close(fd);
}

static int is_as_before(const char *path)
{
	char bytes[64] = "";
	struct stat st;
	const int fd = open(path, O_RDONLY | O_NOFOLLOW);
	const ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);

	if (fd >= 0)
		close(fd);
	return n == sizeof BYTES - 1 && memcmp(bytes, BYTES, (size_t)n) == 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* --- a flag or an operand that names a file */

struct end {
	const struct flag *row; /* NULL: the operand */
	enum flag_file file;
};

static int is_output(enum flag_file f)
{
	return f >= FLAG_WRITES && f != FLAG_WRITES_OFFSETS;
}

/* Returns what is behind the path that stands for an output in the name of a file of that output. */
static const char *behind(enum flag_file output)
{
	return output == FLAG_WRITES_REPORT     ? "/manifest.json"
		: output == FLAG_WRITES_ARCHIVE ? "-20260101000000-00000.warc.gz"
		: output == FLAG_WRITES_STORE   ? "/data.mdb"
						: "";
}

/* An argument list in the making. */
struct line {
	const char *argv[64];
	int n;
	char text[32][160];
	int texts;
};

static void add(struct line *l, const struct flag *row, const char *value)
{
	char *text = l->text[l->texts++];

	if (row)
		snprintf(text, sizeof l->text[0], "--%s=%s%s", row->name, strncmp(row->argument, "KEY=", 4) == 0 ? "key=" : "",
			value);
	else
		snprintf(text, sizeof l->text[0], "%s", value);
	l->argv[l->n++] = text;
}

static const char *usual(const struct flag *row)
{
	return row->words                 ? row->words(0)
		: row->kind == FLAG_COUNT ? "1"
		: is_output(row->file)    ? in_folder("elsewhere")
		: row->file               ? in_folder("beside")
					  : "x";
}

/* Adds what the verb needs beside the two. */
static void add_needed(struct line *l, const struct verb *v, const struct end *in, const struct end *out)
{
	const struct flag *row;
	const size_t has_operand = !in->row || !out->row;
	size_t least, most;

	verb_operands(v, &least, &most);
	for (size_t i = 0; (row = flags_row(v->flags, i, NULL)) != NULL; i++)
		if (row->required && row != in->row && row != out->row)
			add(l, row, usual(row));
	for (size_t i = has_operand; i < least; i++)
		add(l, NULL, is_output(v->operand_file) ? in_folder("elsewhere") : in_folder("beside"));
}

/* Runs a command in a process of its own, and returns its status, with what it says in text. */
static int run(const struct line *l, char *text, size_t n)
{
	struct err_note note = {""};
	int ends[2], status;

	assert_int_equal(pipe(ends), 0);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		const int nowhere = open("/dev/null", O_RDWR);
		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		alarm(60);
		const int err = verb_main(l->n, l->argv, &note);
		(void)!write(ends[1], note.text, strlen(note.text));
		_exit(err_status(err));
	}
	close(ends[1]);
	const ssize_t got = read(ends[0], text, n - 1);
	text[got < 0 ? 0 : got] = 0;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static unsigned tried;

/* Other paths of a file, made from its path. */
static const char *spelled(int how, const char *path)
{
	const char *other = in_folder("other");

	(void)!unlink(other);
	switch (how) {
	case 0:
		return path;
	case 1:
		return in_folder("./in");
	case 2:
		return symlink(path, other) == 0 ? other : NULL;
	case 3:
		return link(path, other) == 0 ? other : NULL;
	default:
		return NULL;
	}
}

static void make_folders(char *path)
{
	for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = 0;
		mkdir(path, 0777);
		*slash = '/';
	}
}

/* Removes a file, and the folders that it was alone in. */
static void clean_up(char *path)
{
	unlink(path);
	for (char *slash; (slash = strrchr(path, '/')) != NULL && strlen(path) > strlen(folder);) {
		*slash = 0;
		if (rmdir(path))
			break;
	}
}

/* Returns the file of an input that is a folder; NULL for an input that is a file. */
static const char *inside(enum flag_file f)
{
	return f == FLAG_READS_FOLDER ? "/file" : f == FLAG_READS_PAGES ? "/index.tsv" : NULL;
}

/* Aims an output at an input, by one of the output's spellings. The file must stay that the input names, or that lies in the folder
 * that it names. Returns 0 if there is no such spelling. */
static int aim(const struct verb *v, const struct end *in, const struct end *out, int how)
{
	const int is_folder = inside(in->file) != NULL, is_single = !*behind(out->file);
	struct line l = {.argv = {"lycosa"}, .n = 1};
	char file[160], text[600];

	if (how && (!is_single || is_folder))
		return 0;
	snprintf(file, sizeof file, "%s%s", in_folder("in"), is_folder ? inside(in->file) : behind(out->file));
	make_folders(file);
	put(file);
	for (size_t i = 0; i < depth; i++)
		l.argv[l.n++] = below[i];
	const char *target = is_single && is_folder ? file : is_single ? spelled(how, file) : in_folder("in");
	if (target) {
		add(&l, in->row, is_folder ? in_folder("in") : file);
		add(&l, out->row, target);
		add_needed(&l, v, in, out);
		const int status = run(&l, text, sizeof text);
		const int is_told = strstr(text, "would overwrite what") || strstr(text, "where nothing else is written") ||
			strstr(text, "it exists;");
		if ((out->file == FLAG_WRITES_PAGES ? status == 0 : status != 2 || !is_told) || !is_as_before(file)) {
			for (int i = 0; i < l.n; i++)
				print_error("%s ", l.argv[i]);
			fail_msg("status %d, '%s'%s", status, text, is_as_before(file) ? "" : ", and the input is gone");
		}
		tried++;
	}
	clean_up(file);
	return target != NULL;
}

/* Collects what a verb reads and writes. */
static size_t ends_of(const struct verb *v, struct end *end, int outputs)
{
	const struct flag *row;
	size_t n = 0;

	for (size_t i = 0; (row = flags_row(v->flags, i, NULL)) != NULL; i++)
		if (row->file && row->file != FLAG_WRITES_OFFSETS && is_output(row->file) == outputs &&
			!(row->words && !row->beside && !outputs))
			end[n++] = (struct end){row, row->file};
	if (v->operand_file && is_output(v->operand_file) == outputs)
		end[n++] = (struct end){NULL, v->operand_file};
	return n;
}

static void aim_all(const struct verb *v)
{
	struct end in[64], out[32];
	const size_t ins = ends_of(v, in, 0), outs = ends_of(v, out, 1);

	for (size_t i = 0; i < ins; i++)
		for (size_t k = 0; k < outs; k++) {
			/* an archive is never written over a folder: its names begin with that of the folder */
			if (inside(in[i].file) && out[k].file == FLAG_WRITES_ARCHIVE)
				continue;
			put(in_folder("beside"));
			for (int how = 0; aim(v, &in[i], &out[k], how); how++)
				;
		}
}

static void walk(const struct verb *v, void (*each)(const struct verb *))
{
	if (!v->verbs)
		each(v);
	for (size_t i = 0; v->verbs && v->verbs[i]; i++) {
		below[depth++] = v->verbs[i]->name;
		walk(v->verbs[i], each);
		depth--;
	}
}

static void no_output_of_any_verb_overwrites_an_input(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "%s", scratch());
	walk(&lycosa, aim_all);
	assert_true(tried > 300);
}

/* --- the tables */

static int names_a_file(const char *argument)
{
	static const char *const words[] = {"FILE", "DIR", "PATH", "PREFIX", "SEEDS", "MANIFEST", "LOG", "OUT", "STORE", "EARLIER"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(argument, words[i]))
			return 1;
	return 0;
}

static void check_rows(const struct verb *v)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(v->flags, i, NULL)) != NULL; i++) {
		const int has_text =
			row->kind == FLAG_TEXT || row->kind == FLAG_EACH || row->kind == FLAG_COMMAS || row->kind == FLAG_CONFIG;
		if (has_text && names_a_file(row->argument) && !row->file)
			fail_msg("%s --%s %s: which files does it name?", v->name, row->name, row->argument);
		if (!has_text && row->file)
			fail_msg("%s --%s names no files", v->name, row->name);
	}
	if (v->operands && names_a_file(v->operands) && !v->operand_file)
		fail_msg("%s %s: which files do the operands name?", v->name, v->operands);
}

static void every_argument_that_is_a_file_says_of_which_kind(void **state)
{
	(void)state;
	walk(&lycosa, check_rows);
}

/* --- the guard by itself */

static int is_store(const char *path)
{
	return strlen(path) >= 2 && strcmp(path + strlen(path) - 2, "so") == 0;
}

/* Returns what the guard says of two paths in the folder; "" for nothing. */
static const char *judged(enum destination_use a, const char *one, enum destination_use b, const char *two)
{
	static struct err_note note;
	struct destinations d = DESTINATIONS_NONE;

	note.text[0] = 0;
	destinations_add(&d, a, "--one", one, NULL);
	destinations_add(&d, b, "--two", two, NULL);
	const int err = destinations_check(&d, is_store, &note);
	assert_int_equal(err, *note.text ? ERR_USAGE : 0);
	destinations_release(&d);
	return note.text;
}

static void two_outputs_are_told_apart_before_they_are_there(void **state)
{
	static const struct {
		const char *one, *two;
		int are_one;
	} pairs[] = {{"x", "x", 1}, {"x", "./x", 1}, {"x", "d/../x", 1}, {"x", "d//../x", 1}, {"dangling", "x", 1},
		{"e/x", "d/x", 1}, {"none/x", "none/./x", 1}, {"none/d/x", "none/e/../d/./x", 1}, {"none/../x", "x", 1},
		{"x", "y", 0}, {"x", "d/x", 0}, {"x", "x.part", 0}, {"-", "-", 0}, {"/dev/null", "/dev/null", 0},
		{"/dev/stdout", "/dev/stdout", 0}, {"pipe", "pipe", 0}};

	(void)state;
	assert_int_equal(chdir(scratch()), 0);
	assert_int_equal(mkdir("d", 0777) || symlink("d", "e") || symlink("x", "dangling") || mkfifo("pipe", 0666), 0);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const char *said = judged(DESTINATION_WRITTEN, pairs[i].one, DESTINATION_WRITTEN, pairs[i].two);
		if ((strstr(said, "are one output") != NULL) != pairs[i].are_one)
			fail_msg("%s and %s: '%s'", pairs[i].one, pairs[i].two, said);
	}
}

static void a_folder_that_is_gone_can_be_told_from_another(void **state)
{
	(void)state;
	assert_int_equal(chdir(scratch()), 0);
	assert_int_equal(mkdir("gone", 0777) || chdir("gone") || rmdir("../gone"), 0);
	assert_non_null(strstr(judged(DESTINATION_WRITTEN, "x", DESTINATION_WRITTEN, "./x"), "are one output"));
	assert_string_equal(judged(DESTINATION_WRITTEN, "x", DESTINATION_WRITTEN, "y"), "");
	assert_int_equal(chdir("/"), 0);
}

static void nothing_else_is_written_into_a_store(void **state)
{
	(void)state;
	assert_int_equal(chdir(scratch()), 0);
	assert_int_equal(mkdir("so", 0777) || mkdir("so/d", 0777) || symlink("so/d", "d") || mkdir("new", 0777), 0);
	static const char *const inside[] = {"so/x", "so/d/x", "d/x", "so/none/x", "so"};
	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
		assert_non_null(
			strstr(judged(DESTINATION_READ, "none", DESTINATION_WRITTEN, inside[i]), "where nothing else is written"));
	static const char *const behind_it[] = {"-*.warc.gz", NULL};
	struct destinations d = DESTINATIONS_NONE;
	destinations_add(&d, DESTINATION_WRITTEN, "--warc", "so", behind_it);
	assert_int_equal(destinations_check(&d, is_store, NULL), 0);
	destinations_add(&d, DESTINATION_WRITTEN, "--warc", "so/x", behind_it);
	assert_int_equal(destinations_check(&d, is_store, NULL), ERR_USAGE);
	destinations_release(&d);
	/* the store that the command is about to make; a store itself may be written again, and what is beside it */
	assert_non_null(
		strstr(judged(DESTINATION_STORE, "making", DESTINATION_WRITTEN, "making/x"), "where nothing else is written"));
	assert_non_null(strstr(judged(DESTINATION_STORE, "so/d", DESTINATION_READ, "none"), "where nothing else is written"));
	assert_string_equal(judged(DESTINATION_STORE, "so", DESTINATION_WRITTEN, "so.order"), "");
	assert_string_equal(judged(DESTINATION_STORE, "so", DESTINATION_WRITTEN, "new/x"), "");
}

static void the_files_of_a_folder_are_those_of_its_patterns(void **state)
{
	static const char *const report[] = {"/*.tsv", "/manifest.json", NULL}, *const archive[] = {"-*.warc.gz", NULL},
				 *const all[] = {"/*", NULL};
	static const struct {
		const char *path;
		const char *const *files;
		const char *input;
		int meet;
	} cases[] = {{"r*", report, "r*/a.tsv", 1}, {"r*", report, "r*/manifest.json", 1}, {"r*", report, "r*/a.txt", 0},
		{"r*", report, "r*/d/a.tsv", 0}, {"r*", report, "rx/a.tsv", 0}, {"r*", report, "linked", 1},
		{"w", archive, "w-1.warc.gz", 1}, {"w", archive, "w.warc.gz", 0}, {"w", archive, "w-1.cdxj", 0},
		{"r*", all, "r*/d/a.tsv", 1}, {"r*", all, "rx/a.tsv", 0}};

	(void)state;
	assert_int_equal(chdir(scratch()), 0);
	assert_int_equal(mkdir("r*", 0777) || mkdir("r*/d", 0777) || mkdir("rx", 0777), 0);
	static const char *const files[] = {"r*/a.tsv", "r*/manifest.json", "r*/a.txt", "r*/d/a.tsv", "rx/a.tsv", "w-1.warc.gz",
		"w.warc.gz", "w-1.cdxj"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		put(files[i]);
	put("linked");
	assert_int_equal(symlink("../linked", "r*/b.tsv"), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct destinations d = DESTINATIONS_NONE;
		struct err_note note = {""};
		destinations_add(&d, DESTINATION_WRITTEN, "--out", cases[i].path, cases[i].files);
		destinations_add(&d, DESTINATION_READ, "--in", cases[i].input, NULL);
		if ((destinations_check(&d, is_store, &note) != 0) != cases[i].meet)
			fail_msg("%s and %s: '%s'", cases[i].path, cases[i].input, note.text);
		destinations_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_outputs_are_told_apart_before_they_are_there),
		cmocka_unit_test(a_folder_that_is_gone_can_be_told_from_another),
		cmocka_unit_test(nothing_else_is_written_into_a_store),
		cmocka_unit_test(the_files_of_a_folder_are_those_of_its_patterns),
		cmocka_unit_test(every_argument_that_is_a_file_says_of_which_kind),
		cmocka_unit_test(no_output_of_any_verb_overwrites_an_input),
	};

	return cmocka_run_group_tests_name("destinations", tests, NULL, NULL);
}
