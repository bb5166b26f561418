/* Data packed by zstd (RFC 8878), also with a dictionary, as WARC files have it: the first frame is a skippable one of the magic
 * number 0x184D2A5D with the dictionary, which may itself be a zstd frame. In a program that is built without libzstd,
 * unzstd_detect() knows no such data, and libarchive reads those without a dictionary (base/input.h); zstd_pack() leaves the bytes
 * as they are, and unzstd_frame() takes the next `most` of them.
 *
 *	struct unzstd *z = unzstd_new();
 *	packed = unzstd_frame(z, bytes, n, most, &out);
 *	unzstd_free(z); */
#ifndef BASE_UNZSTD_H
#define BASE_UNZSTD_H

#include "base/buf.h"
#include "base/err.h"

struct unzstd;

/* Says whether a file that begins with these n bytes is packed by zstd. At least 4 bytes are needed for the answer 1. */
int unzstd_detect(const void *bytes, size_t n);

struct unzstd *unzstd_new(void);
void unzstd_free(struct unzstd *z);

/* Unpacks the next bytes of a file, from *packed_n bytes at *packed, which it moves behind those that it has read, to *n bytes, at
 * most `room`. Returns 0 or ERR_FORMAT. `path` is used in the note only. */
int unzstd_step(struct unzstd *z, const char **packed, size_t *packed_n, char *bytes, size_t room, size_t *n, const char *path,
	struct err_note *why) MUST_USE;

/* Returns 0 if the file may end here, or ERR_FORMAT. */
int unzstd_end(const struct unzstd *z, const char *path, struct err_note *why) MUST_USE;

/* Unpacks the frame at the start of n bytes, of at most `most` bytes, into *out. Returns the length of the packed frame, or 0 if it
 * is damaged, incomplete, longer, or packed with another dictionary than that of the frame which the last call of this function or
 * of unzstd_step() came by. A skippable frame has no bytes. */
size_t unzstd_frame(struct unzstd *z, const char *bytes, size_t n, size_t most, struct buf *out);

/* Says whether this program can pack by zstd. */
int zstd_is_there(void);

/* Appends n bytes to *out as a frame with a checksum. *packer is NULL before the first call, and is given to zstd_packer_free() in
 * the end. Returns the length of the frame. */
struct zstd_packer;
size_t zstd_pack(struct zstd_packer **packer, int level, const char *bytes, size_t n, struct buf *out);
void zstd_packer_free(struct zstd_packer *);

#endif
