#!/usr/bin/python3
"""A score command: how likely a page is of a topic, by a classifier of texts. On Debian, apt-get install python3-sklearn.

    lycosa crawl https://example.org/ --score-cmd 'python3 topic.py wanted.txt others.txt'

wanted.txt has texts of pages of the topic, one on each line, and others.txt texts of other pages: twenty of each do. The score is the
probability of the topic, from 0 to 1; with --quality in place of the two files, how much of a page is prose."""

import base64
import html.parser
import json
import os
import re
import sys


class Text(html.parser.HTMLParser):
    """The words of a page, and the number of those in links."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.words, self.linked, self.hidden, self.in_link = [], 0, 0, False

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("script", "style")
        self.in_link |= tag == "a"

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style") and self.hidden > 0
        self.in_link &= tag != "a"

    def handle_data(self, data):
        if not self.hidden:
            words = re.findall(r"\w+", data.lower())
            self.words += words
            self.linked += len(words) if self.in_link else 0


def read(body):
    text = Text()
    try:
        text.feed(body.decode("utf-8", "replace"))
    except AssertionError:  # html.parser does not read a declaration such as <![x[: what is before it counts
        pass
    return text


def quality():
    """Long pages of sentences score high: by their length, the share of function words, and that of words outside links."""
    function = set("a an and are as at be but by can for from has have if in is it its not of on or that the this to was which with".split())

    def score(page):
        n = max(1, len(page.words))
        return min(1, n / 400) * min(1, sum(w in function for w in page.words) / n / 0.3) * (1 - page.linked / n)

    return score


def topic(wanted, others):
    os.environ["OMP_NUM_THREADS"] = "1"
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    texts = [[line for line in open(name, encoding="utf-8", errors="replace") if line.strip()] for name in (wanted, others)]
    vectors = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w\w+")
    model = LogisticRegression(C=10).fit(vectors.fit_transform(texts[0] + texts[1]), [1] * len(texts[0]) + [0] * len(texts[1]))
    return lambda page: model.predict_proba(vectors.transform([" ".join(page.words)]))[0, 1]


if __name__ == "__main__":
    score = quality() if sys.argv[1:] == ["--quality"] else topic(*sys.argv[1:])
    for line in sys.stdin:
        page = json.loads(line)
        print("%.6f" % score(read(base64.b64decode(page["body"]))), flush=True)
