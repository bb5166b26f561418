/* Makes a sound store of a damaged one.
 *
 *	struct salvage_report report;
 *	err = store_salvage("damaged", "new/.making", &report, why);
 *
 * What is kept: every record whose chunk is sound, whatever has happened to LMDB's pages, and a chunk of which one bit was turned.
 * If no record is lost, the new store has the same records under the same numbers as the old one. Otherwise the new store is
 * written from what is left (store_rebuild() of storage/store_merge.h), with new ids. */
#ifndef STORAGE_SALVAGE_H
#define STORAGE_SALVAGE_H

#include "storage/store.h"
#include "storage/store_merge.h"

#define SALVAGE_PARTS 9 /* the databases of a store */

/* What became of a database. The chunks of pages, hosts, results, links and log have many records each; each value of the other
 * ones counts as a chunk of one record. */
struct salvage_part {
	const char *name;
	uint64_t sound;  /* chunks that were read */
	uint64_t mended; /* of these, chunks of which a bit was turned back */
	uint64_t lost;   /* ranges of records that no chunk has, or values whose key alone can be read */
	uint64_t records, lost_records;
};

struct salvage_report {
	struct salvage_part part[SALVAGE_PARTS];
	char settings[256]; /* the names of settings that are lost, with ", " between them */
	int is_rebuilt;     /* 1: records were lost, and `rebuilt` says what was done */
	int is_uncounted;   /* 1: the numbers of records are lost, so that more may be lost than is known */
	struct store_lost rebuilt;
	uint32_t pages; /* of the new store */
};

/* Makes a new store in the folder `into`, which must be missing or empty, from what can be read of the file data.mdb in the folder
 * `dir`, which is not changed. The file must be of format 2 or later. Nobody may write it. Returns 0 with the report; ERR_FILE or
 * ERR_BUSY; or ERR_DAMAGED if nothing of a store is found in the file. After an error files may be left in `into`. Cost: reads the
 * file two or three times; a damaged chunk takes up to a second. */
int store_salvage(const char *dir, const char *into, struct salvage_report *, struct err_note *why) MUST_USE;

/* How much of a store store_open_rest() has opened: it is sound; it is damaged, and nothing is lost; or records are missing. */
enum store_rest { STORE_IS_SOUND, STORE_IS_MENDED, STORE_IS_PARTIAL };

/* Opens a store for reading, as store_open() does. Of a damaged store it opens the rest: a store that is salvaged into a folder for
 * temporary files, of which no name is left when the function returns. All that the rest tells is true, and *missing says what it
 * lacks. If no record is lost, pages have the ids of the old store; else they may have others. Returns as store_open() and
 * store_salvage() do. A sound store takes the time of store_open(). A damaged one takes the time of store_salvage(), and as much
 * room on the disk as its records have. */
int store_open_rest(struct store **, const char *dir, enum store_rest *, struct err_note *missing, struct err_note *why) MUST_USE;

#endif
