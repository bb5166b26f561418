"""The stores of crawls."""

from ctypes import byref, c_size_t, c_uint32
from typing import NamedTuple, Optional

from ._arguments import DAMAGED, UINT32, choice, octets, path as path_of, whole, word
from ._native import NO_PAGE, Closable, Note, StorePage, attempt, call, make, text, view


class Page(NamedTuple):
    """A page of a store; lycosa.h says what the fields mean. target: the id a redirect leads to."""

    id: int
    url: str
    state: str
    outcome: str
    status: int
    depth: int
    tries: int
    bytes: int
    time: int
    target: Optional[int]
    digest: str


class Store(Closable):
    """The store of a crawl, as it was when it was opened, also while the crawl goes on. Threads wait for
    each other. One Store of a folder at a time.

    damaged: "fail" raises Error of a damaged store; "skip" opens the rest of it, of which all is true, and
    `missing` says what is not there; "" if all is. Ids may be others than those before the damage.
    """

    def __init__(self, path, damaged="fail"):
        missing = Note()
        if choice("damaged", damaged, DAMAGED):
            self._handle = make(call.store_open_rest, path_of("path", path), byref(missing), free=call.store_close)
        else:
            self._handle = make(call.store_open, path_of("path", path), free=call.store_close)
        self.missing = text(missing.text)

    def __len__(self):
        return call.store_pages(self.handle)

    def page(self, id):
        """The page of an id."""
        handle, id, p = self.handle, whole("id", id, UINT32), StorePage()
        with handle.lock:
            attempt(call.store_page, handle, id, byref(p))
            return Page(id, text(p.url), text(p.state), text(p.outcome), p.status, p.depth, p.tries,
                        p.bytes, p.time, None if p.target == NO_PAGE else p.target, text(p.digest))

    def pages(self):
        """All pages in the order of their discovery."""
        for id in range(len(self)):
            yield self.page(id)

    def find(self, url):
        """The id of a canonical URL, None if the crawl never saw it."""
        handle, id, body = self.handle, c_uint32(), octets("url", url)
        with handle.lock:
            return id.value if call.store_find(handle, body, len(body), byref(id)) else None

    def links(self, id):
        """The ids that a page links to, in the order of the document: uint32, a copy."""
        handle, id, n = self.handle, whole("id", id, UINT32), c_size_t()
        with handle.lock:
            address = call.store_links(handle, id, byref(n))
            return view(handle, address, c_uint32, n.value).copy()

    def setting(self, name):
        """A setting of the crawl ("policy", "scope" ...), None if there is none."""
        handle, name = self.handle, word("name", name)
        with handle.lock:
            return text(call.store_setting(handle, name))

    def frame(self):
        """All pages as a pandas frame, `time` as a time."""
        import pandas

        frame = pandas.DataFrame(self.pages(), columns=Page._fields).set_index("id")
        frame["time"] = pandas.to_datetime(frame["time"].where(frame["time"] > 0), unit="ms", utc=True)
        return frame
