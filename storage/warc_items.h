/* Reads all records of an archive of any program, whatever is wrong with some of them: plain, or compressed by gzip, in one member
 * or in a member for each record; or by zstd, xz or bzip2; or a file within a ZIP file, as those of a WACZ are.
 *
 *	err = warc_items("x.warc.gz", on_record, &ctx, &damage, why);
 *	if (damage.places) ... damage.first says where and what ...
 *
 * Damage is passed over: the reader goes on at the next record that it finds. Memory: the largest record, of which more than
 * WARC_ITEM_MOST bytes count as damage; a plain file, and one with a gzip member for each record, is mapped. */
#ifndef STORAGE_WARC_ITEMS_H
#define STORAGE_WARC_ITEMS_H

#include "storage/warc_records.h"

#include <stdint.h>

#define WARC_ITEM_MOST ((size_t)1 << 30)
#define WARC_NO_PLACE  UINT64_MAX

struct warc_item {
	struct warc_span header; /* lines that end in LF or CR LF */
	struct warc_span block;
	/* the place in the file at which warc_item_at() finds the record; WARC_NO_PLACE: the file can only be read from its start */
	uint64_t place;
	uint64_t length; /* the bytes of the file there: of the record, or of the gzip member that has it */
	int is_alone;    /* 1: the record has these bytes to itself, as an index needs it; 0 also without a place */
	int is_ended;    /* 1: CR LF CR LF stands behind the block */
};

/* What was passed over. */
struct warc_damage {
	uint64_t places;
	struct err_note first;
};

/* Receives a record, whose memory is valid during the call. Returns 0 to continue. */
typedef int warc_item_fn(void *ctx, const struct warc_item *, struct err_note *why);

/* Calls each() for every record of a file in its order, until a call returns a value other than 0, and adds what is damaged to
 * *damage. Returns that value; 0; ERR_FILE if the file cannot be read; or ERR_FORMAT if it is no WARC file at all. */
int warc_items(const char *path, warc_item_fn *each, void *ctx, struct warc_damage *damage, struct err_note *why) MUST_USE;

/* A part of a file: the records that begin from byte `from` on and before byte `to`. Several threads may each read a part of a file. */
struct warc_part {
	uint64_t from, to;
	int is_begun; /* 1: a record begins at `from`; 0: the first one from there on is searched for */
	/* results: where the first record of the part begins, and where the first one behind the part begins, if there is one. If `begin`
	 * is not the `end` of the part before, this part has been read from within a record, and has to be read again from that `end` on. */
	uint64_t begin, end;
	uint64_t items; /* records passed on */
};

/* Returns into how many parts of about `size` bytes a file may be cut: 1 unless it has a gzip member for each record. */
uint64_t warc_parts(const char *path, uint64_t size);

/* Reads a part of a file, as warc_items() does; a file of no part but the whole one is read in full. A part without records is no
 * error. */
int warc_items_of(const char *path, struct warc_part *part, warc_item_fn *each, void *ctx, struct warc_damage *damage,
	struct err_note *why) MUST_USE;

/* Calls each() for the record at a place of a file. Returns as warc_items() does. */
int warc_item_at(const char *path, uint64_t place, warc_item_fn *each, void *ctx, struct err_note *why) MUST_USE;

/* Finds the archives that a text names: a file; a folder, with those below it whose names end as those of WARC, WAT and WACZ files do;
 * a pattern, whose last part may have * and ?; or a text file with a path on each line. The files are in the order of their names, and a WACZ stands for
 * the archives in it. Returns 1 with *files, which the caller gives to warc_files_release(); or 0 if the text names none. */
struct warc_files {
	char **path;
	size_t n, room;
};
int warc_files_find(struct warc_files *, const char *text);

/* Appends a file; owns its name. */
void warc_files_add(struct warc_files *, char *path);

/* Appends the files of `more`, which is empty then. */
void warc_files_take(struct warc_files *, struct warc_files *more);

/* Frees the memory. */
void warc_files_release(struct warc_files *);

#endif
