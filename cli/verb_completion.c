/* `lycosa completion bash|zsh|fish`: scripts made from the tables of verbs and flags. */
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#define DEPTH 4 /* verbs within verbs */

typedef void each_verb(const struct verb *, const char *path);

/* Calls each(verb, path) for all verbs; path is "graph info", or "" for lycosa itself. */
static void walk(const struct verb *v, const char *path, size_t depth, each_verb *each)
{
	each(v, path);
	for (size_t i = 0; v->verbs && v->verbs[i] && depth < DEPTH; i++) {
		AUTO(buf) below = buf_of("%s%s%s", path, *path ? " " : "", v->verbs[i]->name);
		walk(v->verbs[i], below.at, depth + 1, each);
	}
}

/* A script: texts, each followed by what all verbs print. A piece without a text ends it. */
struct piece {
	const char *text;
	each_verb *each; /* NULL: nothing follows the text */
};

/* Returns the first row from *i on that can be completed, and moves *i behind it; NULL if there is none. Aliases and flags of
 * other programs are left out. */
static const struct flag *row_of(const struct verb *v, size_t *i)
{
	const struct flag *row;

	while (!v->verbs && (row = flags_row(v->flags, (*i)++, NULL)) != NULL)
		if (row->kind != FLAG_ALIAS && row->kind != FLAG_FOREIGN)
			return row;
	return NULL;
}

/* Prints the words that a flag may have, a blank between; none where it may have any text. */
static void print_words(const struct flag *row)
{
	const char *word;

	if (row->kind == FLAG_CHOICE)
		for (const char *p = row->argument; *p; p++)
			putchar(*p == '|' ? ' ' : *p);
	for (size_t i = 0; row->words && (word = row->words(i)) != NULL; i++)
		printf("%s%s", i ? " " : "", word);
}

/* Prints a text for use within single quotation marks of a shell: each "'" becomes "'\''", and `escape` is put before each byte
 * of `also`. */
static void print_quoted(const char *text, const char *also, const char *escape)
{
	for (; *text; text++) {
		if (strchr(also, *text))
			fputs(escape, stdout);
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
}

/* --- what bash and zsh have in common: `case` lines over "$verb word" */

/* Prints the `case` line that descends to a verb: from verb='graph' and the word "info" to verb='graph info'. */
static void print_step(const struct verb *v, const char *path)
{
	(void)v;
	if (*path)
		printf("\t\t'%s%s') verb='%s' ;;\n", strchr(path, ' ') ? "" : " ", path, path);
}

/* Prints what may follow each flag with an argument; a file may follow a flag without a list of words. */
static void print_values(const struct verb *v, const char *path)
{
	const struct flag *row;

	for (size_t i = 0; (row = row_of(v, &i)) != NULL;) {
		if (row->kind == FLAG_SWITCH)
			continue;
		printf("\t'%s --%s'", path, row->name);
		if (row->letter)
			printf("|'%s -%c'", path, row->letter);
		printf(") values='");
		print_words(row);
		printf("' takes=1 ;;\n");
	}
}

/* --- bash */

static void print_bash_words(const struct verb *v, const char *path)
{
	const struct flag *row;

	printf("\t'%s') words='", path);
	for (size_t i = 0; v->verbs && v->verbs[i]; i++)
		printf("%s ", v->verbs[i]->name);
	if (v->verbs)
		printf("--help --version");
	for (size_t i = 0, n = 0; (row = row_of(v, &i)) != NULL; n++)
		printf("%s--%s", n ? " " : "", row->name);
	printf("' ;;\n");
}

static const struct piece bash[] = {
	{"# bash completion for lycosa; made by 'lycosa completion bash'\n"
	 "_lycosa()\n{\n"
	 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	 "\tlocal verb= words= values= takes= i\n\n"
	 "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	 "\t\tcase \"$verb ${COMP_WORDS[i]}\" in\n",
		print_step},
	{"\t\tesac\n\tdone\n"
	 "\t# readline splits at '='\n"
	 "\tif [ \"$cur\" = = ]; then\n\t\tcur=\n"
	 "\telif [ \"$prev\" = = ]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	 "\tcase \"$verb $prev\" in\n",
		print_values},
	{"\tesac\n\tcase $verb in\n", print_bash_words},
	{"\tesac\n\tCOMPREPLY=()\n"
	 "\tif [ -n \"$takes\" ]; then\n"
	 "\t\t[ -z \"$values\" ] || mapfile -t COMPREPLY < <(compgen -W \"$values\" -- "
	 "\"$cur\")\n"
	 "\telif [ \"${cur#-}\" != \"$cur\" ] || [ \"${words#-}\" = \"$words\" ]; then\n"
	 "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	 "\tfi\n}\n"
	 "complete -o default -F _lycosa lycosa\n",
		NULL},
	{NULL, NULL},
};

/* --- zsh: names with what they are for */

static void print_zsh_names(const struct verb *v, const char *path)
{
	const struct flag *row;

	printf("\t'%s') names=(", path);
	for (size_t i = 0; v->verbs && v->verbs[i]; i++) {
		printf(" '%s:", v->verbs[i]->name);
		print_quoted(v->verbs[i]->summary, ":", "\\");
		putchar('\'');
	}
	if (v->verbs)
		printf(" '--help:this text' '--version:the version'");
	for (size_t i = 0; (row = row_of(v, &i)) != NULL;) {
		printf(" '--%s:", row->name);
		print_quoted(row->help, ":", "\\");
		putchar('\'');
	}
	printf(" ) ;;\n");
}

static const struct piece zsh[] = {
	{"#compdef lycosa\n"
	 "# zsh completion for lycosa; made by 'lycosa completion zsh'\n"
	 "_lycosa()\n{\n"
	 "\tlocal verb= values= takes= i prev=${words[CURRENT-1]}\n"
	 "\tlocal -a names\n\n"
	 "\tfor ((i = 2; i < CURRENT; i++)); do\n"
	 "\t\tcase \"$verb ${words[i]}\" in\n",
		print_step},
	{"\t\tesac\n\tdone\n"
	 "\t# --name=value\n"
	 "\tif compset -P '--*='; then\n\t\tprev=${IPREFIX%=}\n\tfi\n"
	 "\tcase \"$verb $prev\" in\n",
		print_values},
	{"\tesac\n\tcase $verb in\n", print_zsh_names},
	{"\tesac\n"
	 "\tif [[ -n $takes && -n $values ]]; then\n\t\tcompadd -- ${=values}\n"
	 "\telif [[ -n $takes ]]; then\n\t\t_files\n"
	 "\telif [[ $PREFIX == -* ]]; then\n\t\t_describe -o flag names\n"
	 "\telif [[ ${names[1]} != -* ]]; then\n\t\t_describe verb names\n"
	 "\telse\n\t\t_files\n\tfi\n}\n"
	 "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n\t_lycosa \"$@\"\n"
	 "else\n\tcompdef _lycosa lycosa\nfi\n",
		NULL},
	{NULL, NULL},
};

/* --- fish: a line a flag, under the condition that its verb was typed */

static void print_fish_step(const struct verb *v, const char *path)
{
	(void)v;
	if (*path)
		printf("\t\t\tcase '%s%s'\n\t\t\t\tset verb '%s'\n", strchr(path, ' ') ? "" : " ", path, path);
}

static void print_fish_flags(const struct verb *v, const char *path)
{
	const struct flag *row;

	for (size_t i = 0; v->verbs && v->verbs[i]; i++) {
		printf("complete -c lycosa -f -n \"__lycosa_is '%s'\" -a %s -d '", path, v->verbs[i]->name);
		print_quoted(v->verbs[i]->summary, "\\", "\\");
		printf("'\n");
	}
	for (size_t i = 0; (row = row_of(v, &i)) != NULL;) {
		printf("complete -c lycosa -n \"__lycosa_is '%s'\" -l %s -d '", path, row->name);
		print_quoted(row->help, "\\", "\\");
		putchar('\'');
		if (row->letter)
			printf(" -s %c", row->letter);
		if (row->kind != FLAG_SWITCH) {
			printf(" -r%s -a '", row->kind == FLAG_CHOICE || row->words ? "f" : "");
			print_words(row);
			putchar('\'');
		}
		putchar('\n');
	}
}

static const struct piece fish[] = {
	{"# fish completion for lycosa; made by 'lycosa completion fish'\n"
	 "function __lycosa_is\n"
	 "\tset -l verb ''\n"
	 "\tset -l words (commandline -opc)\n"
	 "\tfor word in $words[2..-1]\n"
	 "\t\tswitch \"$verb $word\"\n",
		print_fish_step},
	{"\t\tend\n\tend\n\ttest \"$verb\" = \"$argv[1]\"\nend\n", print_fish_flags},
	{NULL, NULL},
};

/* --- the verbs */

static int run(const struct command *c, struct err_note *why)
{
	const struct piece *p = strcmp(c->verb->name, "bash") == 0 ? bash : strcmp(c->verb->name, "zsh") == 0 ? zsh : fish;

	(void)why;
	for (; p->text; p++) {
		fputs(p->text, stdout);
		if (p->each)
			walk(&lycosa, "", 0, p->each);
	}
	return 0;
}

static const struct standard_options shell_defaults;
static const struct flag flags[] = {STANDARD_ROWS};
static const struct verb verb_bash =
	VERB("bash", "Prints a completion script: source <(lycosa completion bash)", flags, shell_defaults, run);
static const struct verb verb_zsh =
	VERB("zsh", "Prints a completion script: source <(lycosa completion zsh)", flags, shell_defaults, run);
static const struct verb verb_fish =
	VERB("fish", "Prints a completion script: lycosa completion fish | source", flags, shell_defaults, run);

static const struct verb *const shells[] = {&verb_bash, &verb_zsh, &verb_fish, NULL};

const struct verb verb_completion = {
	.name = "completion",
	.summary = "Prints what a shell needs to complete lycosa's verbs and flags.",
	.verbs = shells,
};
