#!/usr/bin/env python3
"""Makes two targets for a graph, from random walks that begin on five pages and follow links either way.

    aim-targets.py GRAPH.txt.gz TOPIC WALKS

WALKS gets the weight of each page that the walks come to (a visit counts 1 / sqrt(1 + in-degree)), TOPIC the twentieth of all
pages that weighs most, with the score 1. Lines are "id TAB score", as lycosa compare --target reads them.
"""
import gzip
import random
import sys

STARTS, WALKS, GO_ON = 5, 4000, 0.8


def read_links(path):
    out, into = {}, {}
    with (gzip.open if path.endswith("gz") else open)(path, "rt") as lines:
        for line in lines:
            fields = line.split()
            if len(fields) >= 2 and fields[0].isdigit():
                u, v = int(fields[0]), int(fields[1])
                out.setdefault(u, []).append(v)
                into.setdefault(v, []).append(u)
    return out, into


def walk(out, into):
    near = {u: out.get(u, []) + into.get(u, []) for u in sorted(set(out) | set(into))}
    weight = {}
    for start in random.sample([u for u in near if len(near[u]) > 3], STARTS):
        for _ in range(WALKS):
            u = start
            while random.random() < GO_ON:
                u = random.choice(near[u])
                weight[u] = weight.get(u, 0) + (1 + len(into.get(u, []))) ** -0.5
    return sorted(weight.items(), key=lambda page: (-page[1], page[0])), len(near)


graph, topic, walks = sys.argv[1:]
random.seed(1)
weights, pages = walk(*read_links(graph))
with open(topic, "w") as file:
    file.writelines(f"{u}\t1\n" for u, _ in weights[: max(20, pages // 20)])
with open(walks, "w") as file:
    file.writelines(f"{u}\t{w:.4f}\n" for u, w in weights)
