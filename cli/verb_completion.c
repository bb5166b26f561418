/* `lycosa completion bash`: a script made from the tables of verbs and flags. */
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#define DEPTH 4 /* verbs within verbs */

/* A walk over all verbs: calls each(verb, path), path being "graph info", "" for lycosa itself. */
static void walk(const struct verb *v, const char *path, size_t depth,
	void (*each)(const struct verb *, const char *path))
{
	each(v, path);
	for (size_t i = 0; v->verbs && v->verbs[i] && depth < DEPTH; i++) {
		struct buf below = BUF_EMPTY;
		buf_format(&below, "%s%s%s", path, *path ? " " : "", v->verbs[i]->name);
		walk(v->verbs[i], below.at, depth + 1, each);
		buf_release(&below);
	}
}

/* The words that go on a path: "graph info" makes verb='graph info' of verb='graph', word=info. */
static void print_step(const struct verb *v, const char *path)
{
	(void)v;
	if (*path)
		printf("\t\t'%s%s') verb='%s' ;;\n", strchr(path, ' ') ? "" : " ", path, path);
}

/* What may stand where a verb or a flag may. */
static void print_words(const struct verb *v, const char *path)
{
	const struct flag *row;

	printf("\t'%s') words='", path);
	for (size_t i = 0; v->verbs && v->verbs[i]; i++)
		printf("%s ", v->verbs[i]->name);
	if (v->verbs)
		printf("--help --version");
	for (size_t i = 0; !v->verbs && (row = flags_row(v->groups, i, NULL)) != NULL; i++)
		printf("%s--%s", i ? " " : "", row->name);
	printf("' ;;\n");
}

/* What may follow the flags of a verb that take one of several words; a file may follow others. */
static void print_values(const struct verb *v, const char *path)
{
	const struct flag *row;
	const char *word;

	for (size_t i = 0; !v->verbs && (row = flags_row(v->groups, i, NULL)) != NULL; i++) {
		if (row->kind == FLAG_SWITCH)
			continue;
		printf("\t'%s --%s') values='", path, row->name);
		if (row->kind == FLAG_CHOICE) {
			for (const char *p = row->argument; *p; p++)
				putchar(*p == '|' ? ' ' : *p);
		}
		for (size_t k = 0; row->words && (word = row->words(k)) != NULL; k++)
			printf("%s%s", k ? " " : "", word);
		printf("' takes=1 ;;\n");
	}
}

static int run_bash(const struct command *c, struct err_note *why)
{
	(void)c;
	(void)why;
	fputs("# bash completion for lycosa; made by 'lycosa completion bash'\n"
	      "_lycosa()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal verb= words= values= takes= i\n\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tcase \"$verb ${COMP_WORDS[i]}\" in\n",
		stdout);
	walk(&lycosa, "", 0, print_step);
	fputs("\t\tesac\n\tdone\n"
	      "\t# readline splits at '='\n"
	      "\tif [ \"$cur\" = = ]; then\n\t\tcur=\n"
	      "\telif [ \"$prev\" = = ]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	      "\tcase \"$verb $prev\" in\n",
		stdout);
	walk(&lycosa, "", 0, print_values);
	fputs("\tesac\n\tcase $verb in\n", stdout);
	walk(&lycosa, "", 0, print_words);
	fputs("\tesac\n\tCOMPREPLY=()\n"
	      "\tif [ -n \"$takes\" ]; then\n"
	      "\t\t[ -z \"$values\" ] || mapfile -t COMPREPLY < <(compgen -W \"$values\" -- "
	      "\"$cur\")\n"
	      "\telif [ \"${cur#-}\" != \"$cur\" ] || [ \"${words#-}\" = \"$words\" ]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	      "\tfi\n}\n"
	      "complete -o default -F _lycosa lycosa\n",
		stdout);
	return 0;
}

static const struct standard_options bash_defaults;
static const struct flag_group bash_groups[] = {STANDARD_GROUP, {.flags = NULL}};

static const struct verb verb_bash = {
	.name = "bash",
	.summary = "Prints a completion script: source <(lycosa completion bash)",
	.groups = bash_groups,
	.defaults = &bash_defaults,
	.size = sizeof bash_defaults,
	.run = run_bash,
};

static const struct verb *const shells[] = {&verb_bash, NULL};

const struct verb verb_completion = {
	.name = "completion",
	.summary = "Prints what a shell needs to complete lycosa's verbs and flags.",
	.verbs = shells,
};
