#include "simweb/gzip.h"

#include "base/err.h"

#include <archive.h>
#include <archive_entry.h>

static la_ssize_t add(struct archive *a, void *out, const void *bytes, size_t n)
{
	(void)a;
	buf_add(out, bytes, n);
	return (la_ssize_t)n;
}

/* Writes one gzip member with the bytes. Returns 1, or 0 after an error of libarchive. */
static int pack(struct archive *a, struct archive_entry *e, struct buf *out, const char *bytes, size_t n)
{
	archive_entry_set_pathname(e, "page");
	archive_entry_set_filetype(e, AE_IFREG);
	/* no time in the header; no padding to tape blocks */
	return archive_write_add_filter_gzip(a) == ARCHIVE_OK &&
		archive_write_set_filter_option(a, "gzip", "timestamp", NULL) == ARCHIVE_OK &&
		archive_write_set_format_raw(a) == ARCHIVE_OK && archive_write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK &&
		archive_write_open(a, out, NULL, add, NULL) == ARCHIVE_OK && archive_write_header(a, e) == ARCHIVE_OK &&
		archive_write_data(a, bytes, n) == (la_ssize_t)n && archive_write_close(a) == ARCHIVE_OK;
}

int gzip_pack(struct buf *out, const char *bytes, size_t n)
{
	size_t before = out->used;
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();
	int packed = a && e && pack(a, e, out, bytes, n);

	archive_entry_free(e);
	archive_write_free(a);
	if (!packed)
		out->used = before;
	return packed ? 0 : ERR_OTHER;
}
