/* The formats of graph files: how each is told, read and written. graph/formats/format.c has the table of them. */
#ifndef GRAPH_FORMATS_FORMATS_H
#define GRAPH_FORMATS_FORMATS_H

#include "graph/formats/format.h"
#include "graph/formats/names.h"

/* The format of adjacency lists, as in Tsaparas' data sets: one line "3: 218 7 -1" for each node, in which the -1
 * may be missing. Every id that occurs is a node. The format is read, not written. */

int adjacency_detect(const char *path);
int adjacency_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* ASCIIGraph, a text format of the WebGraph framework (x.graph-txt). The first line has the number of nodes; then
 * follows one line for each node, with its targets in ascending order and blanks between them; the line of a node
 * without links is empty. Nodes are numbered from 0. The file may be compressed, and lines may have any length. */

/* Says whether the first line consists of one number. */
int asciigraph_detect(const char *path);

/* Reads a file. Returns 0, or ERR_FORMAT with file and line in the note if a target is no node or does not ascend,
 * or if the number of lines is wrong; or ERR_FILE or ERR_TOO_BIG. */
int asciigraph_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Writes a file, without labels. */
int asciigraph_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

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

int csr_detect(const char *path);

/* Maps a file, which must not change while the graph is in use. Checks the header, the invariants of a graph and
 * the checksum, which reads the whole file once. With a bound on memory the checksum is not verified, since the
 * file would have to be read twice. Returns 0, ERR_FILE or ERR_FORMAT. */
int csr_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Writes a file. */
int csr_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* A table of arcs for spreadsheets and Gephi, with the heading "Source,Target", or, with URLs,
 * "Source,Target,SourceURL,TargetURL". The format is only written here; the reader of edge lists (edges.h) reads it.
 * Nodes without arcs are lost. */

int csv_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* A URL with a comma, a quotation mark or a control character stands in quotation marks (RFC 4180). */
int csv_save_urls(const struct graph *g, const struct names *, const char *path, struct err_note *why) MUST_USE;

/* Edge lists (SNAP's format and its variants): text with one arc on each line, in any order, with repeats; plain
 * or compressed (gz, xz, zst, bz2). graph/formats/arctext.h describes the lines, and graph/formats/arcs.h says
 * which ids are nodes. Besides:
 *   - A comment "# Nodes: N Edges: M" announces N nodes. If there are fewer than M lines, the reader notes it in
 *     `odd` (more lines are not noted, since some files count repeats and some do not). A file without any arc
 *     then is ERR_FORMAT, because it was cut short; so is a file that ends within a comment before its first arc.
 *   - A comment "# Isolated: ID ..." lists nodes without arcs. edges_save() writes it if the graph has labels.
 *   - A first line of words is a heading. If a column other than the first is named "from" or "source", or a column other than
 *     the second "to" or "target", the file is read by table_load(); on stdin it is ERR_FORMAT.
 *   - If some lines are longer than others, the reader notes it in `odd`, since the file may have another format.
 *   - A first line "N M" or "N N M", in a file whose comments announce no nodes, is a heading if exactly M arcs
 *     follow, M >= N / 64, and either all ids are below N, or M >= N and all ids are in 1..N. "N M" also needs M
 *     >= N, because otherwise it may be the arc from N to M ("N N M" could only be a link of N to itself). The
 *     reader notes in `odd` that it took the line for a heading, and also if it took a line for an arc that nearly
 *     satisfies these conditions. */

int edges_detect(const char *path);
int edges_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;
int edges_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* Tables of links as people have them: a line a link, with TABs, commas, semicolons or blanks between its columns, of which two are
 * the source and the target: URLs, hosts or other names, or numbers. Cells may be in quotation marks (RFC 4180, but without line
 * feeds). A heading that calls two columns source and target (or from and to, src and dst ...) says which they are; otherwise they
 * are the first two, or the second and third if the first one numbers the rows, as pandas writes it. All rows have as many columns
 * as the first. Nodes with names are numbered in the order of first occurrence; a name without "://" counts as a host up to its
 * first slash. What was taken for granted is noted in `odd`. The format is read, not written; edge lists of numbers with the source
 * and the target first are read by edges_load(). */

int table_detect(const char *path);

/* Reads a file. Returns 0; ERR_FORMAT with file and line for a row that does not fit, or if the file has an id and a name on each
 * line; ERR_FILE or ERR_TOO_BIG. */
int table_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* The web graphs of Common Crawl: files of vertices, "ID TAB REVERSED.HOST", and of edges, "FROM TAB TO", packed or not, in one or
 * more parts each. The path is a folder that has both (files or folders with "vertices" and "edges" in their names), one of the
 * two, or what both names begin with. Ids ascend, and may be sparse; every vertex is a node. The names are the hosts in the usual
 * order of their labels. The format is read, not written. */

int cc_detect(const char *path);

/* Reads the files. Returns 0; ERR_FORMAT with file and line if an edge has an id that is no vertex, or if a vertex is malformed or
 * occurs twice; ERR_USAGE if the folder has several graphs; ERR_FILE or ERR_TOO_BIG. */
int cc_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* GraphML, for Gephi, yEd, NetworkX and igraph. The format is written, not read. The id of a node is "n" followed
 * by its label; its URL, if it is known, is the attribute `url`. */

int graphml_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* Malformed UTF-8, control characters, U+FFFE and U+FFFF of a URL become U+FFFD, since XML has none of them. */
int graphml_save_urls(const struct graph *g, const struct names *, const char *path, struct err_note *why) MUST_USE;

/* The format of Kleinberg's query graphs: a line "n ID URL" for each node, and "e FROM TO" for each arc. Every id
 * that occurs is a node. The format is read, not written. */

int kleinberg_detect(const char *path);
int kleinberg_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Matrix Market, coordinate form. An entry (i, j) is an arc from i to j, whatever its value, even zero. The matrix
 * is square and of any field; each entry of a symmetric, skew-symmetric or Hermitian matrix is an arc in both
 * directions. Rows are numbered from 1, so node i has the label i + 1. */

int mtx_detect(const char *path);
int mtx_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Writes a general pattern matrix. Labels other than i + 1 are lost. */
int mtx_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
