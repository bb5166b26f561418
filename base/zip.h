/* Files that are mapped for reading, and the files within ZIP files (APPNOTE 6.3, also ZIP64), which may contain any bytes.
 *
 *	got = mapped_open(&file, "x.zip/a/b", why);          the bytes of a file, also of one that lies uncompressed in a ZIP file
 *	err = zip_read(&zip, file.at, file.n, why);          the directory of a ZIP file
 *	zip_release(&zip);
 *	mapped_close(&file); */
#ifndef BASE_ZIP_H
#define BASE_ZIP_H

#include "base/buf.h"
#include "base/err.h"

struct mapped {
	const char *at; /* n bytes */
	size_t n;
	/* private */
	void *base;
	size_t size;
};

/* Maps a regular file, or a file within a ZIP file that is not compressed there. Returns 1; 0 if it is none of these, or is empty;
 * or ERR_FILE. The caller calls mapped_close() in each case. */
int mapped_open(struct mapped *, const char *path, struct err_note *why) MUST_USE;
void mapped_close(struct mapped *);

enum zip_method { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

/* A file within a ZIP file. */
struct zip_entry {
	char *name;
	unsigned method, flags; /* bit 0: encrypted; bit 11: the name is UTF-8 */
	uint32_t crc;
	const char *at; /* its bytes as they lie in the ZIP file */
	size_t packed, size;
	const char *wrong; /* for a person: why it cannot be read; NULL: nothing is known */
};

struct zip {
	struct zip_entry *entry; /* in the order of the directory */
	size_t n, room;
};

/* Reads the directory of a ZIP file, and compares it with the headers of the files. Returns 0, or ERR_FORMAT if the bytes are no
 * ZIP file or its directory is damaged. The caller releases the directory in each case; it refers to the bytes. */
int zip_read(struct zip *, const char *bytes, size_t n, struct err_note *why) MUST_USE;
void zip_release(struct zip *);

/* Finds a file by its name; NULL if there is none. */
const struct zip_entry *zip_find(const struct zip *, const char *name);

/* Finds a file that can be read by its path in the bytes of a ZIP file, or of one that lies in it uncompressed. Returns 1 with
 * *out, whose name is of no use any more; or 0. */
int zip_entry_at(const char *bytes, size_t n, const char *path, struct zip_entry *out);

/* Splits a path "x.zip/a/b" behind the file that there is. Returns the length of "x.zip"; 0 if no part of the path but the whole is
 * a file. */
size_t zip_path(const char *path);

/* Gives the contents of a file: *at and *n are the bytes in the ZIP file or, unpacked, those of `room`. Returns 0; ERR_FORMAT with
 * a note if it is damaged, and, of a compressed file, if it has more than `most` bytes. */
int zip_contents(const struct zip_entry *, size_t most, struct buf *room, const char **at, size_t *n,
	struct err_note *why) MUST_USE;

#endif
