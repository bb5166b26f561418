#!/usr/bin/python3
"""Prints the table of text targets of doc/policies/aim.md. It needs python3-sklearn.

    lycosa crawl URL --store DIR --keep-anchors --policy bfs --score-cmd 'aim-text.py collect TEXTS'
    aim-text.py table LYCOSA NAME=DIR=TEXTS ...     of these crawls, from random pages; with =URL behind it from that page, too
    aim-text.py table LYCOSA NAME=GRAPH+URLS=TEXTS

The targets of a site are the quality of doc/examples/topic.py, and three topics: of 15 clusters of the texts of the site those of 2
to 15% of the pages, of which a small one, a middling one and a large one are taken. What scores a page is a classifier that has seen 40
pages of the topic at most and 200 others, as a user would train it. A row has the share of all scores that is found at 5, 10 and 20% of
the pages: from the URL, if there is one. `best` is the best of qfirst, qmax, qmin and qmean in each figure, chosen in hindsight. The
lines below the table count the figures from random pages that differ from it by more than half of the 95% interval of the paired
differences of eight draws (2.365 is Student's t)."""

import base64
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../doc/examples"))
import topic

AT = ("0.05", "0.1", "0.2")
RIVALS = ("qfirst", "qmax", "qmin", "qmean")


def collect(path):
    quality = topic.quality()
    with open(path, "w", encoding="utf-8") as out:
        for line in sys.stdin:
            page = json.loads(line)
            text = topic.read(base64.b64decode(page["body"]))
            score = quality(text)
            out.write("%s\t%.6f\t%s\n" % (page["url"], score, " ".join(text.words[:3000])))
            out.flush()
            print(score, flush=True)


def targets(names, path):
    """Yields the name of a target and its score of each page id."""
    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    pages = {}
    for line in open(path, encoding="utf-8"):
        url, score, text = line.rstrip("\n").split("\t")
        if url in names:
            pages[names[url]] = float(score), text
    ids = sorted(pages)
    yield "quality", dict((i, pages[i][0]) for i in ids)
    x = TfidfVectorizer(min_df=3, max_df=0.5, sublinear_tf=True, stop_words="english", max_features=20000).fit_transform(pages[i][1] for i in ids)
    dense = TruncatedSVD(50, random_state=1).fit_transform(x)
    dense /= np.linalg.norm(dense, axis=1, keepdims=True) + 1e-9
    label = KMeans(15, n_init=2, random_state=1).fit(dense).labels_
    share = np.bincount(label, minlength=15) / len(ids)
    fit = [c for c in np.argsort(share, kind="stable") if 0.02 < share[c] < 0.15]
    random = np.random.default_rng(5)
    for k, c in enumerate(fit[len(fit) * part // 6] for part in (1, 3, 5)):
        wanted, others = np.flatnonzero(label == c), np.flatnonzero(label != c)
        wanted = random.choice(wanted, min(40, len(wanted) // 2), replace=False)
        others = random.choice(others, min(200, len(others) // 2), replace=False)
        model = LogisticRegression(C=10).fit(x[np.r_[wanted, others]], [1] * len(wanted) + [0] * len(others))
        yield "topic %d" % (k + 1), dict(zip(ids, model.predict_proba(x)[:, 1]))


def masses(lycosa, graph, seeds):
    """Returns the masses of each policy at each point, one a draw."""
    policies = ("aim", "bfs", "omniscient") + RIVALS
    out = subprocess.run([lycosa, "compare", *graph, "--seeds", seeds, "--draws", "1" if os.path.exists(seeds) else "8", "--target", "target", "-q",
                          "--policies", ",".join(policies), "--at", ",".join(AT)], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in out.splitlines() if line and line[0] != "#"]
    at, mass = rows[0].index("at"), rows[0].index("mass")
    return {p: [[float(r[mass]) for r in rows if len(r) > mass and r[0] == p and r[at] == a] for a in AT] for p in policies}


def mean(values):
    return sum(values) / len(values)


def is_beyond(differences):
    """Says by 1 or -1 whether the mean of paired differences is above or below 0 by more than its interval; 0 if not, or of one draw."""
    n, m = len(differences), mean(differences)
    half = 2.365 * math.sqrt(sum((d - m) ** 2 for d in differences) / (n - 1) / n) if n > 1 else math.inf
    return (m > half) - (m < -half)


def main(lycosa, *sites):
    print("| site | target | aim | best | qmean | bfs | omniscient |\n|---|---|---|---|---|---|---|")
    sums = {}
    for site in sites:
        name, graph, texts, *start = site.split("=")
        graph = ["--graph", graph] if "+" not in graph else ["--graph", graph.split("+")[0], "--urls", graph.split("+")[1]]
        rank = subprocess.run([lycosa, "rank", *graph, "--by", "indegree", "--all", "-q"], capture_output=True, text=True, check=True).stdout
        names = {r[2]: int(r[0]) for r in (line.split("\t") for line in rank.splitlines()) if r[0].isdigit()}
        starts = ["random:0.002"]
        if start:
            starts.insert(0, "seeds")
            with open("seeds", "w") as out:
                out.writelines("%d\n" % names[url] for url in start)
        for target, score in targets(names, texts):
            with open("target", "w") as out:
                out.writelines("%d\t%.6f\n" % row for row in score.items())
            for seeds in starts:
                draws = masses(lycosa, graph, seeds)
                m = {p: [mean(v) for v in at] for p, at in draws.items()}
                rival = [max(RIVALS, key=lambda p: m[p][i]) for i in range(len(AT))]
                m["best"] = [m[p][i] for i, p in enumerate(rival)]
                if seeds == starts[0]:
                    print("| %s | %s | %s |" % (name, target, " | ".join(" ".join("%.2f" % v for v in m[p]) for p in ("aim", "best", "qmean", "bfs", "omniscient"))), flush=True)
                beyond = [is_beyond([a - b for a, b in zip(draws["aim"][i], draws[p][i])]) for i, p in enumerate(rival)]
                for kind in ("all", target.split()[0]):
                    sums.setdefault(kind + (" from random pages" if seeds != "seeds" else " from the first page"), []).extend(zip(m["aim"], m["best"], m["qmean"], beyond))
    for kind, rows in sums.items():
        aim, best, qmean = (mean([r[i] for r in rows]) for i in range(3))
        print("%s, %d figures: aim %.3f, best %.3f (%+.1f%%), qmean %.3f (%+.1f%%); aim / best in the mean %.3f; %d beyond the interval above, %d below" % (
            kind, len(rows), aim, best, 100 * (aim / best - 1), qmean, 100 * (aim / qmean - 1), mean([r[0] / r[1] for r in rows]),
            sum(r[3] > 0 for r in rows), sum(r[3] < 0 for r in rows)))


if __name__ == "__main__":
    collect(sys.argv[2]) if sys.argv[1] == "collect" else main(*sys.argv[2:])
