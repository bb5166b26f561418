#include "cli/lab/study_each.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/folder.h"
#include "cli/lab/study_again.h"
#include "cli/lab/study_files.h"
#include "lab/report/paper_claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int study_each_is_meant(const struct job *j)
{
	return j->graphs > 1 || (j->graphs && j->global.value[JOB_FINDING].n);
}

static int check_job(const struct job *j, const char *out, struct err_note *why)
{
	if (!out)
		return err_set(why, ERR_USAGE, "%s is of 'lycosa %s': --out DIR is needed", j->path, job_text(j, NULL, JOB_STUDY));
	if (job_text(j, NULL, JOB_CLAIM))
		return job_wrong(j, NULL, JOB_CLAIM,
			"the claims of this study are the paper's; 'finding = CLAIM is VERDICT: TEXT' judges one", why);
	for (size_t g = 0; g < j->graphs; g++)
		if (strchr(j->graph[g].name, '/') || j->graph[g].name[0] == '.')
			return err_set(why, ERR_USAGE,
				"%s: [%s] is the name of a folder here, so it has no / and does not begin with a dot", j->path,
				j->graph[g].name);
	return folder_make(out, why);
}

/* Returns the job of graph g alone: its section and [global], without the keys about all graphs together. The result borrows
 * from *j. */
static struct job job_of_graph(const struct job *j, size_t g)
{
	static const enum job_key of_the_whole[] = {JOB_FINDING, JOB_NUMBERS, JOB_ONLY, JOB_IF_MISSING};
	struct job one = *j; /* borrows all */

	one.graph = &j->graph[g];
	one.graphs = 1;
	for (size_t i = 0; i < sizeof of_the_whole / sizeof *of_the_whole; i++)
		one.global.value[of_the_whole[i]].n = 0;
	return one;
}

/* Cuts the first fields of a line of tab-separated values; 0 where it has fewer. */
static int cut_fields(char *line, char **field, size_t fields)
{
	for (size_t i = 0; i < fields; i++) {
		field[i] = line;
		line = line ? strchr(line, '\t') : NULL;
		if (line)
			*line++ = 0;
	}
	return field[fields - 1] != NULL;
}

/* Adds the verdicts that an evaluation wrote to a file. A graph without a site that coverage judges has no file. */
static int take_claims(const char *path, const char *graph, struct paper_claims *p, struct err_note *why)
{
	struct input *in;
	char *line, *field[3];
	size_t length;

	if (access(path, F_OK) != 0)
		return 0;
	const int err = input_open(&in, path, why);
	if (err)
		return err;
	int got = input_line(in, &line, &length, why); /* the names of the columns */
	while (got > 0 && (got = input_line(in, &line, &length, why)) > 0)
		if (cut_fields(line, field, 3))
			paper_claims_add(p, graph, field[0], field[1], field[2]);
	input_close(in);
	return got;
}

/* Removes the verdicts of an earlier run, which this run need not replace. */
static int remove_claims(const char *path, struct err_note *why)
{
	if (unlink(path) == 0 || errno == ENOENT)
		return 0;
	return err_set(why, ERR_FILE, "cannot remove '%s': %s", path, ascii_error(errno));
}

/* Reads the graph's fingerprint from the manifest that the evaluation has left. */
static int take_fingerprint(const char *folder, struct job_section *graph, struct err_note *why)
{
	struct buf path = BUF_EMPTY;
	struct job found;

	buf_format(&path, "%s/manifest.json", folder);
	const int err = job_read(&found, (const char *const *)&path.at, 1, why);
	const char *text = !err && found.graphs ? job_text(&found, &found.graph[0], JOB_FINGERPRINT) : NULL;
	if (text)
		job_set(graph, JOB_FINGERPRINT, text);
	job_release(&found);
	buf_release(&path);
	return err;
}

static int run_graph(struct job *j, size_t g, const char *out, struct paper_claims *p, struct err_note *why)
{
	const struct job one = job_of_graph(j, g);
	struct buf folder = BUF_EMPTY, claims = BUF_EMPTY;

	buf_format(&folder, "%s/%s", out, j->graph[g].name);
	buf_format(&claims, "%s/claims.tsv", folder.at);
	log_detail("graph %zu of %zu: %s", g + 1, j->graphs, j->graph[g].name);
	int err = remove_claims(claims.at, why);
	if (!err)
		err = study_again(&one, folder.at, why);
	if (!err)
		err = take_claims(claims.at, j->graph[g].name, p, why);
	if (!err)
		err = take_fingerprint(folder.at, &j->graph[g], why);
	buf_release(&claims);
	buf_release(&folder);
	return err;
}

static int read_findings(const struct job *j, struct paper_claims *p, struct err_note *why)
{
	const char **text;
	const size_t n = job_texts(j, NULL, JOB_FINDING, &text);
	struct err_note wrong;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		if ((err = paper_claims_find(p, text[i], &wrong)) != 0)
			err = err_set(why, err, "%s: %s", j->path, wrong.text);
	free(text);
	return err;
}

/* Writes the folder with the verdicts over all graphs, and settles the job with their fingerprint. Returns ERR_OTHER if the job,
 * a manifest, states another fingerprint, or if a finding is contradicted. */
static int write_whole(struct job *j, const char *out, const struct paper_claims *p, struct err_note *why)
{
	const char *title = job_text(j, NULL, JOB_TITLE), *numbers = job_text(j, NULL, JOB_NUMBERS);
	char *wanted = numbers ? mem_text(numbers) : NULL;
	char found[FINGERPRINT_ROOM];
	struct study s = {.title = mem_text(title ? title : "Claims over several graphs")};

	paper_claims_report(p, &s);
	fingerprint_text(study_fingerprint(&s), found);
	job_set(&j->global, JOB_NUMBERS, found);
	int err = study_files(out, &s, j, why);
	if (!err && wanted && strcmp(wanted, found) != 0)
		err = err_set(why, ERR_OTHER, "the numbers are not those of '%s' (%s, not %s)", j->path, found, wanted);
	else if (!err && wanted)
		log_say("the numbers are those of '%s'", j->path);
	study_release(&s);
	free(wanted);
	return err ? err : paper_claims_check(p, why);
}

int study_each(struct job *j, const char *out, struct err_note *why)
{
	struct paper_claims p = {.claims = 0};
	int err = check_job(j, out, why);

	for (size_t g = 0; !err && g < j->graphs; g++)
		err = run_graph(j, g, out, &p, why);
	if (!err)
		err = read_findings(j, &p, why);
	if (!err)
		err = write_whole(j, out, &p, why);
	paper_claims_release(&p);
	return err;
}
