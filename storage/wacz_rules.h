/* The rules of WACZ 1.1.1 for a package, which is a ZIP file, and of CDXJ 0.1 for an index, of any program. What the WARC files
 * themselves must be, storage/warc_rules.h knows.
 *
 *	rules = wacz_rules_new("x.wacz", tell, &ctx);
 *	err = wacz_rules_check(rules, why);                  all but the records
 *	wacz_rules_record(rules, name, &item);               for each record of each of its WARC files: whether an index has it
 *	wacz_rules_free(rules); */
#ifndef STORAGE_WACZ_RULES_H
#define STORAGE_WACZ_RULES_H

#include "storage/warc_rules.h"

/* Receives a breach: the file within the package ("" for the package as a whole), its line from 1 on (0: the file as a whole), the
 * name of the field, and what is wrong with it, for a person, valid during the call. */
typedef void wacz_breach_fn(void *ctx, const char *file, uint64_t line, enum warc_level, const char *field, const char *what);

struct wacz_rules;

/* Prepares the rules for a package, or for an index with the WARC files in its folder. The path must outlive them. */
struct wacz_rules *wacz_rules_new(const char *path, wacz_breach_fn *tell, void *ctx);
void wacz_rules_free(struct wacz_rules *);

/* Says whether a file is a ZIP file, by its first bytes. */
int wacz_is(const char *path);

/* Calls tell() for each rule that the package breaks, or, if the path is that of an index, the index. Returns 0, or ERR_FILE.
 * Memory: 8 bytes for each line of an index, and a JSON file as a whole, which may have 1 GiB. */
int wacz_rules_check(struct wacz_rules *, struct err_note *why) MUST_USE;

/* Tells if no index has a record that is a capture. `file` is the name of the WARC file without its folder. */
void wacz_rules_record(struct wacz_rules *, const char *file, const struct warc_item *);

#endif
