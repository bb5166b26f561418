/* The folder that --out names. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "base/err.h"

/* Makes it, and those above it, where they are missing, and sees whether it can be written to: before
 * the work. ERR_FILE. */
int folder_make(const char *folder, struct err_note *why) MUST_USE;

/* Writes a file of n bytes in it, as base/output.h does. ERR_FILE. */
int folder_write(const char *folder, const char *name, const void *bytes, size_t n,
	struct err_note *why) MUST_USE;

#endif
