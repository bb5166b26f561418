"""Graphs and what is computed on them."""

from ctypes import POINTER, byref, c_uint32, c_uint64, c_void_p, cast, pointer

from ._arguments import DAMAGED, UINT32, choice, ids, optional, path as path_of, real, values, whole
from ._native import (
    Closable,
    GraphOptions, Note, PageRankOptions, attempt, call, make, patiently, text, view,
)

UNREACHED = -1  # the level of a node that no path leads to


def _node(u, nodes):
    node = whole("a node", u, float("inf"), float("-inf"))
    if not 0 <= node < nodes:
        raise IndexError(f"there is no node {node} among {nodes}")
    return node


class Graph(Closable):
    """A directed graph of the nodes 0 to nodes - 1, from a file in any format, or from the folder of a
    crawl's store. Does not change once it is there; threads may share it.

    urls, hosts: files with a URL, or a host, a line for each node; what lies beside the graph is found.
    threads: that read and compute; 0 means one for each processor, and never changes a result.
    memory: bytes for the arcs, what is more stays on the disk; 0 means no bound.
    damaged: "skip" makes the graph of what is left of a damaged store, and `missing` says what is not; see Store.
    """

    missing = ""

    def __init__(self, path, urls=None, hosts=None, threads=0, memory=0, damaged="fail"):
        threads, missing = whole("threads", threads, UINT32), Note()
        options = GraphOptions(optional(path_of, "urls", urls), optional(path_of, "hosts", hosts), threads,
                               whole("memory", memory), pointer(missing) if choice("damaged", damaged, DAMAGED) else None)
        self._own(patiently(lambda: make(call.graph_open, path_of("path", path), byref(options), free=call.graph_close)),
                  threads)
        self.missing = text(missing.text)

    @classmethod
    def from_arcs(cls, nodes, source, target, threads=0):
        """A graph of arcs source[i] -> target[i], two sequences of ids below `nodes`."""
        import numpy

        nodes, threads = whole("nodes", nodes, UINT32), whole("threads", threads, UINT32)
        source, target = ids("source", source), ids("target", target)
        if source.shape != target.shape:
            raise ValueError("source and target are two sequences of one length")
        numpy.empty(nodes + 1, dtype=numpy.uint64)  # MemoryError, where the library would end the process
        self = cls.__new__(cls)
        self._own(patiently(lambda: make(call.graph_from_arcs, nodes, source.ctypes.data, target.ctypes.data,
                                         len(source), free=call.graph_close)), threads)
        return self

    def _own(self, handle, threads):
        self._handle = handle
        self._threads = threads
        self._nodes = call.graph_nodes(handle)
        self._arcs = call.graph_arcs(handle)

    @property
    def nodes(self):
        """The number of nodes."""
        return self._nodes

    @property
    def arcs(self):
        """The number of arcs."""
        return self._arcs

    def __len__(self):
        return self.nodes

    def __repr__(self):
        return f"<lycosa.Graph of {self.nodes} nodes and {self.arcs} arcs>"

    @property
    def format(self):
        """The name of the format: "bvgraph", "edges", "store" ..."""
        return text(call.graph_format(self.handle))

    @property
    def remark(self):
        """What should be known about the file, or an empty text."""
        return text(call.graph_remark(self.handle))

    @property
    def fingerprint(self):
        """A hash that is the same for the same graph in every format."""
        return call.graph_fingerprint(self.handle)

    @property
    def offsets(self):
        """Where each row begins in `targets`: nodes + 1 numbers, uint64, without a copy."""
        handle = self.handle
        return view(handle, call.graph_offsets(handle), c_uint64, self.nodes + 1)

    @property
    def targets(self):
        """The targets of all arcs, row by row: uint32, without a copy."""
        handle = self.handle
        return view(handle, call.graph_targets(handle), c_uint32, self.arcs)

    def row(self, u):
        """The targets of node u: uint32, without a copy."""
        handle, u = self.handle, _node(u, self.nodes)
        begin, end = cast(call.graph_offsets(handle), POINTER(c_uint64))[u:u + 2]
        return view(handle, call.graph_targets(handle) + 4 * begin, c_uint32, end - begin)

    def url(self, u):
        """The URL of node u, None if it is unknown."""
        handle = self.handle
        return text(call.graph_url(handle, _node(u, self.nodes)))

    def label(self, u):
        """The data set's own number for node u."""
        return call.graph_label(self.handle, _node(u, self.nodes))

    def find(self, label):
        """The node with a label, None if there is none."""
        u = c_uint32()
        return u.value if call.graph_find(self.handle, whole("label", label), byref(u)) else None

    def pagerank(self, damping=0.85, tolerance=1e-12, max_sweeps=0, start=None):
        """PageRank, whose sum is 1: float64, a value a node. `start`: a value a node to begin with."""
        import numpy

        handle, rank = self.handle, numpy.empty(self.nodes)
        options = PageRankOptions(damping=real("damping", damping), tolerance=real("tolerance", tolerance),
                                  max_sweeps=whole("max_sweeps", max_sweeps, UINT32),
                                  threads=self._threads)
        if start is not None:
            start = values("start", start, self.nodes)
            options.start = start.ctypes.data
        patiently(lambda: attempt(call.pagerank, handle, byref(options), rank.ctypes.data), start)
        return rank

    def hits(self, iterations=60):
        """Kleinberg's hubs and authorities: two arrays of float64, a value a node."""
        import numpy

        handle, iterations = self.handle, whole("iterations", iterations, UINT32)
        hub, authority = numpy.empty(self.nodes), numpy.empty(self.nodes)
        patiently(lambda: attempt(call.hits, handle, iterations, self._threads, hub.ctypes.data, authority.ctypes.data))
        return hub, authority

    def scc(self):
        """The strongly connected component of each node, numbered from 0 by smallest nodes: uint32."""
        import numpy

        handle, component = self.handle, numpy.empty(self.nodes, dtype=numpy.uint32)
        patiently(lambda: call.scc(handle, component.ctypes.data))
        return component

    def bfs(self, seeds):
        """The distance of each node from the nearest of the seeds: int32, UNREACHED where there is none."""
        import numpy

        handle, seeds = self.handle, ids("seeds", seeds)
        level = numpy.empty(self.nodes, dtype=numpy.uint32)
        patiently(lambda: attempt(call.bfs, handle, seeds.ctypes.data, len(seeds), level.ctypes.data, None))
        return level.view(numpy.int32)


class Rows(Closable):
    """The rows of a BVGraph on the disk, decoded when they are asked for: for graphs that are larger
    than the memory. Threads wait for each other."""

    def __init__(self, path):
        self._handle = make(call.rows_open, path_of("path", path), free=call.rows_close)
        self.nodes = call.rows_nodes(self._handle)
        self.arcs = call.rows_arcs(self._handle)

    def row(self, u):
        """The targets of node u: uint32, a copy."""
        handle, u, address, n = self.handle, whole("a node", u, UINT32), c_void_p(), c_uint32()
        with handle.lock:
            attempt(call.rows_get, handle, u, byref(address), byref(n))
            return view(handle, address.value, c_uint32, n.value).copy()
