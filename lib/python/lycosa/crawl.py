"""Crawls of a graph under policies, and what they were worth."""

from collections.abc import Iterable, Mapping
from ctypes import addressof, byref, c_char_p, c_size_t, c_uint32
from typing import NamedTuple

from ._arguments import UINT32, ids, path, whole, word
from ._native import CrawlOptions, Error, Point, call, make, patiently, text, view
from .graph import Graph
from .policy import Own, is_policy

# A row of a curve; lycosa.h says what the fields mean.
POINT = [("k", "u4"), ("crawled", "u4"), ("strict", "f8"), ("discoverable", "f8"), ("mass", "f8"),
         ("lift", "f8")]
POINTS_MOST = 1_000_000  # of a curve


def _graph(graph):
    return graph if isinstance(graph, Graph) else Graph(path("graph", graph))


def _texts(encoded):
    return (c_char_p * len(encoded))(*encoded), len(encoded)


def _policy(name, policy):
    """A policy in Python as it is; the bytes of the name of any other."""
    return policy if is_policy(policy) else path(name, policy)


def _policies(policies):
    if isinstance(policies, (str, bytes)) or not isinstance(policies, Iterable):
        raise TypeError(f"policies is a sequence of names and classes, not {policies!r}")
    return [_policy("each of policies", policy) for policy in policies]


def _options(options):
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options is a dict of options of the policy, not {options!r}")
    return [word("each of options", f"{key}={value}") for key, value in (options or {}).items()]


def _run(function, free, graph, policies, seeds, options, **numbers):
    """The Handle of a crawl. seeds: a rule or a file (a text), or a sequence of nodes."""
    handle = graph.handle
    named = [policy for policy in policies if isinstance(policy, bytes)]
    own = Own(graph, [policy for policy in policies if not isinstance(policy, bytes)])
    o = CrawlOptions(threads=graph._threads, **{name: whole(name, n) for name, n in numbers.items()})
    o.policies, o.n_policies = _texts(named)
    o.own, o.n_own = addressof(own.structs), len(own.structs)
    o.policy_options, o.n_policy_options = _texts(_options(options))
    if hasattr(seeds, "__fspath__") or isinstance(seeds, (str, bytes)):
        o.seeds, nodes = path("seeds", seeds), None
    else:
        nodes = ids("seeds", seeds)
        o.seed_ids, o.n_seed_ids = nodes.ctypes.data, len(nodes)

    def crawl():
        return make(function, handle, byref(o), free=free, parent=(handle, own))

    try:
        # a policy in Python hears Ctrl-C itself, and the crawl ends with it
        made = crawl() if len(own.structs) else patiently(crawl, nodes)
    except Error:
        if own.failure is not None:
            raise own.failure from None
        raise
    return made


def _named(curve):
    """A curve as an array with a field for each column."""
    import numpy

    return numpy.frombuffer(curve, dtype=POINT)


class Replay:
    """One crawl of a graph."""

    def __init__(self, graph, handle):
        n = c_uint32()
        address = call.replay_order(handle, byref(n))
        self._graph, self._handle = graph, handle
        #: The pages in the order in which they were crawled: uint32, without a copy.
        self.order = view(handle, address, c_uint32, n.value)
        #: The mean of `strict` over all numbers of pages.
        self.auc = call.replay_auc(handle)

    def curve(self, points=100):
        """What the first pages were worth at 1/points, 2/points ... of the graph: a numpy array with the
        fields k, crawled, strict, discoverable, mass and lift."""
        points = whole("points", points, POINTS_MOST, 1)
        curve = (Point * points)()
        call.replay_curve(self._handle, curve, points)
        return _named(curve)

    def frame(self, points=100):
        """The curve as a pandas frame."""
        import pandas

        return pandas.DataFrame(self.curve(points))


class Trial(NamedTuple):
    """One crawl of a comparison. curve: as Replay.curve(100)."""

    policy: str
    draw: int
    crawled: int
    seeds: int
    auc: float
    curve: object


class Pair(NamedTuple):
    """How two policies differ by the area under the curve, paired by draws; the first has the higher mean.
    low, high: the 95% interval. share: of the draws, on which the first is better. p: Wilcoxon's signed-rank test;
    holm_p: corrected for all `comparisons` pairs. verdict: better, worse, equal or too few draws."""

    policy: str
    other: str
    difference: float
    low: float
    high: float
    share: float
    p: float
    holm_p: float
    draws: int
    comparisons: int
    verdict: str


class Comparison:
    """Crawls by several policies from the same draws of seeds; `trials` is a list of Trial, `pairs` one of Pair."""

    def __init__(self, handle):
        n = c_size_t()
        trials = call.comparison_trials(handle, byref(n))
        self.trials = [self._trial(trials[i]) for i in range(n.value)]
        pairs = call.comparison_pairs(handle, byref(n))
        self.pairs = [self._pair(pairs[i]) for i in range(n.value)]

    @staticmethod
    def _trial(t):
        curve = (Point * t.points).from_buffer_copy(
            (Point * t.points).from_address(addressof(t.curve.contents)))
        return Trial(text(t.policy), t.draw, t.crawled, t.seeds, t.auc, _named(curve))

    @staticmethod
    def _pair(p):
        values = (getattr(p, name) for name in Pair._fields)
        return Pair(*(text(v) if isinstance(v, bytes) else v for v in values))

    def areas(self):
        """The area under the curve of each crawl as a pandas frame, one value a policy and draw: what means, intervals and
        tests of one's own are made of."""
        import pandas

        return pandas.DataFrame([(t.policy, t.draw, t.crawled, t.auc) for t in self.trials],
                                columns=["policy", "draw", "crawled", "auc"])

    def auc(self):
        """The mean area under the curve of each policy, best first: a dict."""
        areas = {}
        for t in self.trials:
            areas.setdefault(t.policy, []).append(t.auc)
        means = {policy: sum(a) / len(a) for policy, a in areas.items()}
        return dict(sorted(means.items(), key=lambda item: -item[1]))

    def frame(self):
        """All curves as one pandas frame: a row a policy, draw and point. The area under a curve, which is one value a draw and none
        of a point, is in areas()."""
        import pandas

        frames = [pandas.DataFrame(t.curve).assign(policy=t.policy, draw=t.draw) for t in self.trials]
        frame = pandas.concat(frames, ignore_index=True)
        return frame[["policy", "draw"] + [name for name, _ in POINT]]


def replay(graph, policy, seeds, *, options=None, batch=0, total=0, max_pages=0, rng_seed=1):
    """Crawls a graph (a Graph, or a path) under one policy.

    policy: a name ("opic"), a chain ("bfs:1000,ieca"), or a policy in Python (a subclass of Policy, or functools.partial of one).
    seeds: a rule ("random:0.001", "hosts:1", "roots"), the path of a file, or a sequence of nodes.
    options: of the policy, a dict such as {"damping": 0.9}.
    batch: pages between two rankings; 0: policies rank when the crawl has grown by a tenth. total: pages the policy is told the
    web has; 0: the nodes. max_pages: 0: all. rng_seed: draws random seeds.
    """
    graph = _graph(graph)
    return Replay(graph, _run(call.replay_run, call.replay_free, graph, [_policy("policy", policy)], seeds, options,
                              batch=batch, total=total, max_pages=max_pages, rng_seed=rng_seed))


def compare(graph, policies=(), seeds="random:0.001", *, draws=1, options=None, batch=0, total=0,
            max_pages=0, rng_seed=1):
    """Crawls a graph under each of the policies (none: all that can run there) from each of `draws` draws
    of the seeds. Policies in Python may stand among them, and come behind all others in the result.
    options: {"ieca.beta": 0.2}, or a key for every policy that has it. The rest as replay()."""
    graph, draws = _graph(graph), whole("draws", draws, UINT32, 1)
    return Comparison(_run(call.compare, call.comparison_free, graph, _policies(policies), seeds, options,
                           draws=draws, batch=batch, total=total, max_pages=max_pages,
                           rng_seed=rng_seed))
