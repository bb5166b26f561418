/* The names of the files for archived pages, which a browser opens from the disk.
 *
 *	name[i] = file_name(url, "text/html");               http://a.test/x/?q=1 becomes "a.test/x/index@q=1.html"
 *	file_names_part(name, n, url_of, ctx);
 *
 * A name has no "..", no hidden part, no byte that means anything to a file system or in a reference, and no part of more than 255
 * bytes. */
#ifndef CLI_ARCHIVE_FILE_NAMES_H
#define CLI_ARCHIVE_FILE_NAMES_H

#include <stddef.h>

/* Returns the name of the file for a URL and the value of its Content-Type; NULL if the URL is none of http. A document, a style
 * sheet, a script and an SVG image get the ending by which a browser knows them. The caller frees it with free(). */
char *file_name(const char *url, const char *type);

/* Makes n names distinct, of which some are NULL, so that none is the folder of another, either: http://a.test/x and
 * https://a.test/x, or /x and /x/y. Names that differ in the case of letters alone are equal here, as they are to the file systems
 * of Windows and macOS. Of equal names the first stays; another one gets a hash of its URL before its ending. */
void file_names_part(char **name, size_t n, const char *(*url)(const void *ctx, size_t i), const void *ctx);

#endif
