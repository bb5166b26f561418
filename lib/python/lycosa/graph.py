"""Graphs and what is computed on them."""

from ctypes import POINTER, byref, c_uint32, c_uint64, c_void_p, cast

from ._native import (
    Closable,
    GraphOptions, PageRankOptions, attempt, call, encode, make, text, view,
)

UNREACHED = -1  # the level of a node that no path leads to


def _ids(nodes):
    import numpy

    return numpy.ascontiguousarray(nodes, dtype=numpy.uint32)


class Graph(Closable):
    """A directed graph of the nodes 0 to nodes - 1, from a file in any format, or from the folder of a
    crawl's store. Does not change once it is there; threads may share it.

    urls, hosts: files with a URL, or a host, a line for each node; what lies beside the graph is found.
    threads: that read and compute; 0 means one for each processor, and never changes a result.
    memory: bytes for the arcs, what is more stays on the disk; 0 means no bound.
    """

    def __init__(self, path, urls=None, hosts=None, threads=0, memory=0):
        options = GraphOptions(encode(urls), encode(hosts), threads, memory)
        self._own(make(call.graph_open, encode(path), byref(options), free=call.graph_close), threads)

    @classmethod
    def from_arcs(cls, nodes, source, target, threads=0):
        """A graph of arcs source[i] -> target[i], two sequences of ids below `nodes`."""
        source, target = _ids(source), _ids(target)
        if source.shape != target.shape or source.ndim != 1:
            raise ValueError("source and target are two sequences of one length")
        self = cls.__new__(cls)
        self._own(make(call.graph_from_arcs, nodes, source.ctypes.data, target.ctypes.data,
                       len(source), free=call.graph_close), threads)
        return self

    def _own(self, handle, threads):
        self._handle = handle
        self._threads = threads
        self.nodes = call.graph_nodes(self.pointer)
        self.arcs = call.graph_arcs(self.pointer)

    def __len__(self):
        return self.nodes

    def __repr__(self):
        return f"<lycosa.Graph of {self.nodes} nodes and {self.arcs} arcs>"

    @property
    def format(self):
        """The name of the format: "bvgraph", "edges", "store" ..."""
        return text(call.graph_format(self.pointer))

    @property
    def remark(self):
        """What should be known about the file, or an empty text."""
        return text(call.graph_remark(self.pointer))

    @property
    def fingerprint(self):
        """A hash that is the same for the same graph in every format."""
        return call.graph_fingerprint(self.pointer)

    @property
    def offsets(self):
        """Where each row begins in `targets`: nodes + 1 numbers, uint64, without a copy."""
        return view(self._handle, call.graph_offsets(self.pointer), c_uint64, self.nodes + 1)

    @property
    def targets(self):
        """The targets of all arcs, row by row: uint32, without a copy."""
        return view(self._handle, call.graph_targets(self.pointer), c_uint32, self.arcs)

    def row(self, u):
        """The targets of node u: uint32, without a copy."""
        self._check(u)
        begin, end = cast(call.graph_offsets(self.pointer), POINTER(c_uint64))[u:u + 2]
        return view(self._handle, call.graph_targets(self.pointer) + 4 * begin, c_uint32, end - begin)

    def url(self, u):
        """The URL of node u, None if it is unknown."""
        self._check(u)
        return text(call.graph_url(self.pointer, u))

    def label(self, u):
        """The data set's own number for node u."""
        self._check(u)
        return call.graph_label(self.pointer, u)

    def find(self, label):
        """The node with a label, None if there is none."""
        u = c_uint32()
        return u.value if call.graph_find(self.pointer, label, byref(u)) else None

    def pagerank(self, damping=0.85, tolerance=1e-12, max_sweeps=0, start=None):
        """PageRank, whose sum is 1: float64, a value a node. `start`: a value a node to begin with."""
        import numpy

        rank = numpy.empty(self.nodes)
        options = PageRankOptions(damping=damping, tolerance=tolerance, max_sweeps=max_sweeps,
                                  threads=self._threads)
        if start is not None:
            start = numpy.ascontiguousarray(start, dtype=numpy.float64)
            if start.shape != rank.shape:
                raise ValueError(f"start has {start.shape} values, not a value for each node")
            options.start = start.ctypes.data
        attempt(call.pagerank, self.pointer, byref(options), rank.ctypes.data)
        return rank

    def hits(self, iterations=60):
        """Kleinberg's hubs and authorities: two arrays of float64, a value a node."""
        import numpy

        hub, authority = numpy.empty(self.nodes), numpy.empty(self.nodes)
        attempt(call.hits, self.pointer, iterations, self._threads, hub.ctypes.data,
                authority.ctypes.data)
        return hub, authority

    def scc(self):
        """The strongly connected component of each node, numbered from 0 by smallest nodes: uint32."""
        import numpy

        component = numpy.empty(self.nodes, dtype=numpy.uint32)
        call.scc(self.pointer, component.ctypes.data)
        return component

    def bfs(self, seeds):
        """The distance of each node from the nearest of the seeds: int32, UNREACHED where there is none."""
        import numpy

        seeds = _ids(seeds)
        level = numpy.empty(self.nodes, dtype=numpy.uint32)
        attempt(call.bfs, self.pointer, seeds.ctypes.data, len(seeds), level.ctypes.data, None)
        return level.view(numpy.int32)

    def _check(self, u):
        if not 0 <= u < self.nodes:
            raise IndexError(f"there is no node {u} among {self.nodes}")


class Rows:
    """The rows of a BVGraph on the disk, decoded when they are asked for: for graphs that are larger
    than the memory. One thread at a time."""

    def __init__(self, path):
        self._handle = make(call.rows_open, encode(path), free=call.rows_close)
        self.nodes = call.rows_nodes(self._handle.pointer)
        self.arcs = call.rows_arcs(self._handle.pointer)

    def row(self, u):
        """The targets of node u: uint32, a copy."""
        address, n = c_void_p(), c_uint32()
        attempt(call.rows_get, self._handle.pointer, u, byref(address), byref(n))
        return view(self._handle, address.value, c_uint32, n.value).copy()
