/* Of a study with agents: how idle they were, and what they sent. */
#ifndef CLI_LAB_STUDY_AGENTS_H
#define CLI_LAB_STUDY_AGENTS_H

#include "cli/lab/study_run.h"

/* Appends a table "agents" with a row a graph and method, the means of all draws, if the crawls have agents. */
void study_agents(const struct study_run *, struct study *);

#endif
