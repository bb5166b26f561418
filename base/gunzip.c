#include "base/gunzip.h"
#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#define STEP 65536u

int gunzip_detect(const void *bytes, size_t n)
{
	return n >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

enum gzip_end gzip_unpack(const char *bytes, size_t n, size_t max, struct buf *out)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	const size_t start = out->used;
	la_ssize_t got = -1;

	if (!a)
		mem_exhausted();
	/* only the outer layer is unpacked: libarchive would otherwise also unpack compressed contents */
	archive_read_append_filter(a, ARCHIVE_FILTER_GZIP);
	archive_read_support_format_raw(a);
	if (archive_read_open_memory(a, bytes, n) == ARCHIVE_OK && archive_read_next_header(a, &entry) == ARCHIVE_OK) {
		do {
			/* room for one byte more than allowed, to detect that there are too many */
			size_t room = max - (out->used - start) + 1;
			room = room < STEP ? room : STEP;
			got = archive_read_data(a, buf_room(out, room), room);
			out->used += got > 0 ? (size_t)got : 0;
		} while (got > 0 && out->used - start <= max);
	}
	if (archive_errno(a) == ENOMEM)
		mem_exhausted();
	archive_read_free(a);
	if (out->used - start > max)
		out->used = start + max;
	buf_end(out);
	return got > 0 ? GZIP_LONG : got == 0 ? GZIP_WHOLE : GZIP_DAMAGED;
}
