/* lycosa's own format. The file contains the arrays of a graph as they are in memory, so that it can be mapped and
 * used without reading. All numbers are little-endian. Sections begin at multiples of 64 bytes; the bytes between
 * them are zero.
 *
 *     0  8 bytes: 0x89 "LYCSR" CR LF
 *     8  u32 0x01020304, the order of bytes
 *    12  u32 1, the version
 *    16  u64 nodes
 *    24  u64 arcs
 *    32  u32 flags: 1 where every row ascends, 2 where there are labels
 *    36  u32 0
 *    40  u64 place of the offsets: 128
 *    48  u64 place of the targets
 *    56  u64 place of the labels, 0 for none
 *    64  u64 size of the file
 *    72  u64 XXH3 of offsets, targets and labels, one behind the other, without the gaps
 *    80  zeros
 *   120  u64 XXH3 of the 120 bytes before
 *   128  offsets: u64 x (nodes + 1), then targets: u32 x arcs, then labels: u64 x nodes */
#ifndef GRAPH_FORMATS_CSR_H
#define GRAPH_FORMATS_CSR_H

#include "graph/formats/format.h"

int csr_detect(const char *path);

/* Maps a file, which must not change while the graph is in use. Checks the header, the invariants of a graph and
 * the checksum, which reads the whole file once. With a bound on memory the checksum is not verified, since the
 * file would have to be read twice. Returns 0, ERR_FILE or ERR_FORMAT. */
int csr_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Writes a file. */
int csr_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
