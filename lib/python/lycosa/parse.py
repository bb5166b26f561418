"""Pages, URLs and robots.txt."""

from ctypes import byref, c_size_t, c_void_p, string_at
from typing import NamedTuple

from ._arguments import octets, optional, word
from ._native import Handle, attempt, call, make, text

KINDS = ("a", "area", "frame", "link", "refresh")


class Link(NamedTuple):
    """A link of a page: the canonical URL, the kind of its element, and whether it has rel=nofollow."""

    url: str
    kind: str
    nofollow: bool


def links(html, base, content_type=None):
    """The links of a document that came from the URL `base`, in its order: a list of Link.

    html: bytes, whose encoding the document or content_type (the value of the header) tells; or a str.
    """
    body, content_type = octets("html", html), optional(word, "content_type", content_type)
    if isinstance(html, str):
        content_type = b"text/html; charset=utf-8"
    page = make(call.page_parse, body, len(body), word("base", base), content_type, free=call.page_free)
    n = c_size_t()
    found = call.page_links(page, byref(n))
    return [Link(text(found[i].url), KINDS[found[i].kind], bool(found[i].nofollow))
            for i in range(n.value)]


def _url(function, body, extra):
    out = c_void_p()
    attempt(function, byref(out), body, len(body), extra)
    result = text(string_at(out.value))
    call.free(out)
    return result


def resolve(reference, base=None):
    """The canonical URL of a reference relative to `base`, without its fragment."""
    return _url(call.url_resolve, octets("reference", reference), optional(word, "base", base))


def normalise(url, rules="escapes"):
    """A URL under rules that most servers allow: "escapes", "tracking", "sessions", "query", "slashes",
    "index", several with commas between, or "all"."""
    return _url(call.url_normalise, octets("url", url), word("rules", rules))


class Robots:
    """A robots.txt (bytes or str); any bytes are one."""

    def __init__(self, body):
        self._body = octets("body", body)
        self._rules = {}

    def _of(self, agent):
        agent = word("agent", agent)
        if agent not in self._rules:
            rules = call.robots_parse(self._body, len(self._body), agent)
            self._rules[agent] = Handle(rules, call.robots_free)
        return self._rules[agent]

    def allowed(self, agent, url):
        """Whether the agent may fetch a URL of the host, or a path that begins with '/'."""
        return attempt(call.robots_allowed, self._of(agent), word("url", url)) == 1

    def delay(self, agent):
        """The Crawl-delay in seconds, None if there is none."""
        seconds = call.robots_delay(self._of(agent))
        return None if seconds < 0 else seconds

    def sitemaps(self):
        """The sitemaps as they are written."""
        found, rules = [], self._of("*")
        while (sitemap := call.robots_sitemap(rules, len(found))) is not None:
            found.append(text(sitemap))
        return found
