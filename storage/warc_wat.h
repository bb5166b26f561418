/* WAT files, in which a record of metadata has the head and the links of a page, and not the page. */
#ifndef STORAGE_WARC_WAT_H
#define STORAGE_WARC_WAT_H

#include "storage/warc_capture.h"

/* Makes a capture of a metadata record of a WAT file: the answer's head, and an HTML document with the elements that the record's
 * lists of links name, so that a reader of HTML finds these links. Returns 1, or 0 if the record is none of a page. */
int wat_capture(struct capture *, const struct warc_item *);

#endif
