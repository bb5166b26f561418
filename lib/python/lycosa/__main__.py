"""python3 -m lycosa [GRAPH]: what is installed; with a graph, its figures and its ten best pages."""

import sys

import lycosa
from lycosa._native import library


def show(path):
    graph = lycosa.Graph(path)
    rank = graph.pagerank()
    print(f"{path}: {graph.nodes} nodes, {graph.arcs} arcs, read as {graph.format}")
    if graph.remark:
        print(graph.remark)
    for u in (-rank).argsort(kind="stable")[:10]:
        u = int(u)
        print(graph.label(u), f"{rank[u]:.6g}", graph.url(u) or "-", sep="\t")


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0 if len(arguments) == 1 else 2
    try:
        if arguments:
            show(arguments[0])
        else:
            print(f"lycosa {lycosa.version()}, {library._name}")
            print("help(lycosa) tells the rest; doc/python.md has examples")
    except lycosa.Error as error:
        print(f"lycosa: {error}", file=sys.stderr)
        return 3
    except ImportError as error:
        print(f"lycosa: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
