"""What a checker of types must accept of the module: build-aux/check-wheel.sh runs mypy --strict on this file."""

from functools import partial
from typing import Dict, List

import lycosa
import numpy as np
from numpy.typing import NDArray


class Weighted(lycosa.Policy):
    first_key = 1.0

    def __init__(self, weight: float = 1.0) -> None:
        self.weight = weight

    def start(self) -> None:
        self.count: NDArray[np.int64] = np.zeros(self.graph.nodes, dtype=np.int64)

    def crawled(self, page: int, links: NDArray[np.uint32]) -> None:
        self.count[links] += 1

    def rerank(self) -> None:
        self.key = self.weight * self.count


def best(path: str, n: int) -> List[str]:
    graph = lycosa.Graph(path)
    rank: NDArray[np.float64] = graph.pagerank()
    return [graph.url(int(u)) or str(graph.label(int(u))) for u in np.argsort(-rank)[:n]]


def areas(path: str) -> Dict[str, float]:
    with lycosa.Store(path) as store:
        seeds = [page.id for page in store.pages() if page.depth == 0]
    order: NDArray[np.uint32] = lycosa.replay(path, Weighted, seeds).order
    return lycosa.compare(path, ["opic", Weighted, partial(Weighted, 2.0)], seeds=order[:3]).auc()


def first(html: bytes) -> str:
    link: lycosa.Link = lycosa.links(html, "http://a.test/")[0]
    return link.url if lycosa.Robots("").allowed("me", link.url) else lycosa.resolve("/")
