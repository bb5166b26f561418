"""Policies that are written in Python."""

from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint8, c_void_p,
)
from functools import partial

from ._arguments import real, word

UNSEEN, QUEUED, IN_FLIGHT, CRAWLED = range(4)  # enum lycosa_page_state


class Policy:
    """The base of an order of your own: a subclass writes `key`, and the queued page of the highest key comes next.

        class Opic(lycosa.Policy):
            first_key = 1

            def crawled(self, page, links):
                if len(links):
                    self.key[links] += self.key[page] / len(links)

        lycosa.replay("cnr-2000", Opic, seeds="random:100")

    Each crawl makes an object of the class. Of two pages with equal keys the one that was discovered first comes first. A method
    that raises an exception ends the crawl, and replay() or compare() raises it again.
    """

    #: The name of the crawls in a comparison; None: the name of the class.
    name = None
    #: Whether the page of the lowest key comes next.
    lowest_first = False
    #: The key of a page when it is discovered; a finite number.
    first_key = 0.0

    _graph = _crawl = _key = None  # set before start() is called

    @property
    def graph(self):
        """The graph that is crawled."""
        return self._graph

    @property
    def key(self):
        """A float64 for each node of the graph, which the methods write, also as a whole: self.key = ..."""
        return self._key

    @key.setter
    def key(self, values):
        self._key[:] = values

    def start(self):
        """Is called once, before the first page is known. The arrays of the policy are made here."""

    def seeds(self, pages):
        """Is called when pages (uint32) were queued as seeds. Their keys are read afterwards."""

    def crawled(self, page, links):
        """Is called after a page was crawled. links: its distinct links (uint32), in the order of the page, read-only. Their
        keys are read afterwards; the key of any other page counts from the next rerank() on."""

    def rerank(self):
        """Is called at the end of every batch. The keys of all queued pages are read afterwards."""

    def _running(self):
        if self._crawl is None:
            raise ValueError("the policy is in no crawl now")
        return self._crawl

    @property
    def n_crawled(self):
        """The number of pages crawled so far."""
        return self._running().crawled

    @property
    def n_queued(self):
        """The number of pages in the queue."""
        return self._running().queued

    @property
    def state(self):
        """Of each node UNSEEN, QUEUED, IN_FLIGHT or CRAWLED: a copy (uint8)."""
        import numpy

        crawl = self._running()
        if not crawl.state:
            return numpy.zeros(crawl.nodes, dtype=numpy.uint8)
        return numpy.array((c_uint8 * crawl.nodes).from_address(crawl.state))

    @property
    def queued(self):
        """The pages in the queue, in ascending order."""
        import numpy

        return numpy.flatnonzero(self.state == QUEUED)


class CrawlStruct(Structure):
    _fields_ = [("nodes", c_uint32), ("crawled", c_uint32), ("queued", c_uint32), ("key", c_void_p),
                ("state", c_void_p), ("mine", c_void_p)]


_BEGIN = CFUNCTYPE(c_int, c_void_p, c_void_p)
_END = CFUNCTYPE(None, c_void_p)
_SEEDS = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
_CRAWLED = CFUNCTYPE(c_int, c_void_p, c_uint32, c_void_p, c_size_t)
_RERANK = CFUNCTYPE(c_int, c_void_p)


class PolicyStruct(Structure):
    _fields_ = [("name", c_char_p), ("lowest_first", c_int), ("first_key", c_double), ("user", c_void_p),
                ("begin", _BEGIN), ("end", _END), ("seeds", _SEEDS), ("crawled", _CRAWLED),
                ("rerank", _RERANK)]


def is_policy(value):
    """Whether it is a subclass of Policy, or functools.partial() of one."""
    if isinstance(value, partial):
        value = value.func
    return isinstance(value, type) and issubclass(value, Policy)


class Own:
    """The policies in Python of one call of the library: `structs` for lycosa_crawl_options, and the first exception of theirs."""

    def __init__(self, graph, policies):
        self.failure = None
        self._graph = graph
        if policies:
            self._targets = graph.targets
            self._base = self._targets.ctypes.data
            self._last = len(self._targets) - 1
        self.structs = (PolicyStruct * len(policies))(*map(self._struct, policies))

    def _struct(self, policy):
        kind = policy.func if isinstance(policy, partial) else policy
        running = {}  # the object of each crawl, by the address of its struct lycosa_crawl
        links = self._links

        def begin(crawl, _):
            running[crawl] = made = policy()
            self._begin(made, CrawlStruct.from_address(crawl))

        def end(crawl):
            ended = running.pop(crawl, None)
            if ended is not None:
                ended._crawl = None

        def seeds(crawl, address, n):
            running[crawl].seeds(links(address, n))

        def crawled(crawl, page, address, n):  # what self._guard() would make of it, without its call for every page
            try:
                running[crawl].crawled(page, links(address, n))
            except BaseException as failure:
                return self._fail(failure)
            return 0

        def rerank(crawl):
            running[crawl].rerank()

        def given(name, type_, function):
            return type_(function) if getattr(kind, name) is not getattr(Policy, name) else type_()

        name = kind.__name__ if kind.name is None else kind.name
        return PolicyStruct(
            name=word("the name of a policy", name), lowest_first=bool(kind.lowest_first),
            first_key=real("first_key", kind.first_key), begin=_BEGIN(self._guard(begin)), end=_END(end),
            seeds=given("seeds", _SEEDS, self._guard(seeds)), crawled=given("crawled", _CRAWLED, crawled),
            rerank=given("rerank", _RERANK, self._guard(rerank)))

    def _begin(self, made, crawl):
        import numpy

        made._graph, made._crawl = self._graph, crawl
        made._key = numpy.full(crawl.nodes, made.first_key, dtype=numpy.float64)
        crawl.key = made._key.ctypes.data
        made.start()

    def _fail(self, failure):
        """Keeps the first exception. Returns what ends the crawl."""
        if self.failure is None:
            self.failure = failure
        return -1

    def _guard(self, function):
        """The function as the library calls it: 0, or -1 once it has raised an exception."""

        def guarded(*arguments):
            try:
                function(*arguments)
            except BaseException as failure:
                return self._fail(failure)
            return 0

        return guarded

    def _links(self, address, n):
        """Ids in the library's memory, without a copy: mostly a part of the targets of the graph."""
        import numpy

        if not n:
            return self._targets[:0]
        first = (address - self._base) // 4
        if 0 <= first <= self._last:
            return self._targets[first:first + n]
        return numpy.array((c_uint32 * n).from_address(address))
