/* Data packed by zstd (RFC 8878), also with a dictionary, as WARC files have it: the first frame is a skippable one of the magic number
 * 0x184D2A5D with the dictionary, which may itself be a zstd frame. In a program that is built without libzstd, unzstd_detect() knows no
 * such data, and libarchive reads those without a dictionary (base/input.h).
 *
 *	unzstd_new(&z, read, ctx);
 *	while ((got = unzstd_read(z, bytes, room, &n, "x.zst", why)) > 0)
 *		... n bytes ...
 *	unzstd_free(z); */
#ifndef BASE_UNZSTD_H
#define BASE_UNZSTD_H

#include "base/gunzip.h"

struct unzstd;

/* Says whether a file that begins with these n bytes is packed by zstd. At least 4 bytes are needed for the answer 1. */
int unzstd_detect(const void *bytes, size_t n);

/* Makes a new stream, as gunzip_new() does; the source may be NULL if only unzstd_frame() is called. */
void unzstd_new(struct unzstd **z, gunzip_source *source, void *ctx);
void unzstd_free(struct unzstd *z);

/* Unpacks up to `room` bytes, as gunzip_read() does. */
int unzstd_read(struct unzstd *z, char *bytes, size_t room, size_t *n, const char *path, struct err_note *why) MUST_USE;

/* Unpacks the frame at the start of n bytes, of at most `most` bytes, into *out. Returns the length of the packed frame, or 0 if it is
 * damaged, incomplete, longer, or packed with another dictionary than that of the frame which the last call of this function or of
 * unzstd_read() came by. A skippable frame has no bytes. */
size_t unzstd_frame(struct unzstd *z, const char *bytes, size_t n, size_t most, struct buf *out);

/* Says whether this program can pack by zstd. */
int zstd_is_there(void);

/* Appends n bytes to *out as a frame with a checksum. *packer is NULL before the first call, and is given to zstd_packer_free() in the
 * end. Returns the length of the frame. */
struct zstd_packer;
size_t zstd_pack(struct zstd_packer **packer, int level, const char *bytes, size_t n, struct buf *out);
void zstd_packer_free(struct zstd_packer *);

#endif
