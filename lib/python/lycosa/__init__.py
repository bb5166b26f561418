"""lycosa for Python: link graphs, crawl policies, the parsers and the stores of a web crawler.

    import lycosa
    graph = lycosa.Graph("cnr-2000")
    rank = graph.pagerank()                     # a numpy array, a value a node
    best = lycosa.compare(graph, policies=["bfs", "ieca"], seeds="random:0.001", draws=10)
    best.frame()                                # a pandas frame, a value a row
    lycosa.links("<a href=/b>", "http://a.test/")
    lycosa.Robots("User-agent: *\\nDisallow: /x").allowed("me", "http://a.test/x")
    for page in lycosa.Store("folder").pages(): ...

A thin layer over liblycosa (lycosa.h is its manual) by ctypes. Arrays that the library holds are shown
without a copy, read-only, and keep what they are a part of alive. numpy is needed for graphs, pandas
for what is called `frame`. Whatever fails raises lycosa.Error with the library's own sentence; an argument of the
wrong kind is a TypeError, a number outside its range a ValueError or an OverflowError.
"""

from ._native import Error, version
from .crawl import Comparison, Pair, Replay, Trial, compare, replay
from .graph import UNREACHED, Graph, Rows
from .parse import Link, Robots, links, normalise, resolve
from .store import Page, Store
from .policy import CRAWLED, IN_FLIGHT, QUEUED, UNSEEN, Policy
from .study import study

__all__ = [
    "CRAWLED", "Comparison", "Error", "Graph", "IN_FLIGHT", "Link", "Page", "Pair", "Policy", "QUEUED", "Replay", "Robots", "Rows",
    "Store", "Trial", "UNREACHED", "UNSEEN", "compare", "links", "normalise", "replay", "resolve", "study", "version",
]
__version__ = version()
