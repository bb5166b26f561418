"""The shared library: where it is, its structs and functions, its errors, and arrays of its memory."""

import ctypes
import os
from ctypes import (
    POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint,
    c_uint16, c_uint32, c_uint64, c_void_p,
)
from threading import Lock, Thread, current_thread, main_thread

try:
    from ._where import LIBRARY
except ImportError:  # in the source tree
    LIBRARY = "liblycosa.so.0"


def _load():
    """LYCOSA_LIBRARY, else where `make install` put the library, else where the linker looks."""
    given = os.environ.get("LYCOSA_LIBRARY")
    names = [given] if given else [LIBRARY, "liblycosa.so.0"]
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            problem = error
    raise ImportError(
        f"cannot load liblycosa: {problem}; LYCOSA_LIBRARY names the file, if it is elsewhere")


library = _load()


class Error(Exception):
    """What the library refused, in its own words; `code` is an enum lycosa_error of lycosa.h."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Note(Structure):
    _fields_ = [("text", c_char * 512)]


class GraphOptions(Structure):
    _fields_ = [("urls", c_char_p), ("hosts", c_char_p), ("threads", c_uint), ("memory", c_uint64),
                ("missing", POINTER(Note))]


class PageRankOptions(Structure):
    _fields_ = [("damping", c_double), ("tolerance", c_double), ("max_sweeps", c_uint),
                ("threads", c_uint), ("start", c_void_p), ("sweeps", c_uint), ("change", c_double)]


class CrawlOptions(Structure):
    _fields_ = [("policies", POINTER(c_char_p)), ("n_policies", c_size_t),
                ("policy_options", POINTER(c_char_p)), ("n_policy_options", c_size_t),
                ("seeds", c_char_p), ("seed_ids", c_void_p), ("n_seed_ids", c_size_t),
                ("draws", c_uint32), ("rng_seed", c_uint64), ("batch", c_uint64),
                ("total", c_uint64), ("max_pages", c_uint64), ("threads", c_uint),
                ("own", c_void_p), ("n_own", c_size_t)]


class Point(Structure):
    _fields_ = [("k", c_uint32), ("crawled", c_uint32), ("strict", c_double),
                ("discoverable", c_double), ("mass", c_double), ("lift", c_double)]


class TrialStruct(Structure):
    _fields_ = [("policy", c_char_p), ("draw", c_uint32), ("crawled", c_uint32),
                ("seeds", c_uint32), ("auc", c_double), ("curve", POINTER(Point)),
                ("points", c_size_t)]


class PairStruct(Structure):
    _fields_ = [("policy", c_char_p), ("other", c_char_p), ("difference", c_double), ("low", c_double),
                ("high", c_double), ("share", c_double), ("p", c_double), ("holm_p", c_double),
                ("draws", c_uint32), ("comparisons", c_size_t), ("verdict", c_char_p)]


class LinkStruct(Structure):
    _fields_ = [("url", c_char_p), ("kind", c_int), ("nofollow", c_int)]


class StorePage(Structure):
    _fields_ = [("url", c_char_p), ("state", c_char_p), ("outcome", c_char_p), ("status", c_uint16),
                ("depth", c_uint16), ("tries", c_uint32), ("bytes", c_uint64), ("time", c_int64),
                ("target", c_uint32), ("digest", c_char * 33)]


NO_PAGE = 0xFFFFFFFF


class Object:
    """The type of an argument that is an object of the library: a Handle, which lives at least until the function returns, since
    the arguments of a call are referred to until then; never NULL."""

    @classmethod
    def from_param(cls, handle):
        if not isinstance(handle, Handle):
            raise TypeError(f"{handle!r} is no object of lycosa")
        return c_void_p(handle.pointer)


_P = c_void_p
_O = Object
_WHY = POINTER(Note)
# The result and the arguments of each function, as lycosa.h declares them.
_FUNCTIONS = {
    "error_text": (c_char_p, c_int),
    "version": (c_char_p,),
    "free": (None, c_void_p),
    "graph_open": (c_int, POINTER(_P), c_char_p, POINTER(GraphOptions), _WHY),
    "graph_from_arcs": (c_int, POINTER(_P), c_uint32, _P, _P, c_uint64, _WHY),
    "graph_close": (None, _P),
    "graph_nodes": (c_uint32, _O),
    "graph_arcs": (c_uint64, _O),
    "graph_format": (c_char_p, _O),
    "graph_remark": (c_char_p, _O),
    "graph_fingerprint": (c_uint64, _O),
    "graph_offsets": (_P, _O),
    "graph_targets": (_P, _O),
    "graph_url": (c_char_p, _O, c_uint32),
    "graph_label": (c_uint64, _O, c_uint32),
    "graph_find": (c_int, _O, c_uint64, POINTER(c_uint32)),
    "rows_open": (c_int, POINTER(_P), c_char_p, _WHY),
    "rows_close": (None, _P),
    "rows_nodes": (c_uint32, _O),
    "rows_arcs": (c_uint64, _O),
    "rows_get": (c_int, _O, c_uint32, POINTER(_P), POINTER(c_uint32), _WHY),
    "pagerank": (c_int, _O, POINTER(PageRankOptions), _P, _WHY),
    "hits": (c_int, _O, c_uint, c_uint, _P, _P, _WHY),
    "scc": (c_uint32, _O, _P),
    "bfs": (c_int, _O, _P, c_size_t, _P, POINTER(c_uint32), _WHY),
    "replay_run": (c_int, POINTER(_P), _O, POINTER(CrawlOptions), _WHY),
    "replay_free": (None, _P),
    "replay_order": (_P, _O, POINTER(c_uint32)),
    "replay_curve": (None, _O, _P, c_size_t),
    "replay_auc": (c_double, _O),
    "compare": (c_int, POINTER(_P), _O, POINTER(CrawlOptions), _WHY),
    "comparison_free": (None, _P),
    "comparison_pairs": (POINTER(PairStruct), _O, POINTER(c_size_t)),
    "comparison_trials": (POINTER(TrialStruct), _O, POINTER(c_size_t)),
    "url_resolve": (c_int, POINTER(_P), c_char_p, c_size_t, c_char_p, _WHY),
    "url_normalise": (c_int, POINTER(_P), c_char_p, c_size_t, c_char_p, _WHY),
    "page_parse": (c_int, POINTER(_P), c_char_p, c_size_t, c_char_p, c_char_p, _WHY),
    "page_free": (None, _P),
    "page_links": (POINTER(LinkStruct), _O, POINTER(c_size_t)),
    "robots_parse": (_P, c_char_p, c_size_t, c_char_p),
    "robots_free": (None, _P),
    "robots_allowed": (c_int, _O, c_char_p, _WHY),
    "robots_delay": (c_double, _O),
    "robots_sitemap": (c_char_p, _O, c_size_t),
    "store_open": (c_int, POINTER(_P), c_char_p, _WHY),
    "store_open_rest": (c_int, POINTER(_P), c_char_p, POINTER(Note), _WHY),
    "store_close": (None, _P),
    "store_pages": (c_uint32, _O),
    "store_page": (c_int, _O, c_uint32, POINTER(StorePage), _WHY),
    "store_find": (c_int, _O, c_char_p, c_size_t, POINTER(c_uint32)),
    "store_links": (_P, _O, c_uint32, POINTER(c_size_t)),
    "store_setting": (c_char_p, _O, c_char_p),
}


class _Calls:
    """The functions of liblycosa without their prefix."""


call = _Calls()
for _name, (_result, *_arguments) in _FUNCTIONS.items():
    _function = getattr(library, "lycosa_" + _name)
    _function.restype = _result
    _function.argtypes = _arguments
    setattr(call, _name, _function)


def attempt(function, *arguments):
    """Calls a function whose last argument is a note; raises what it says. Returns the result."""
    why = Note()
    result = function(*arguments, byref(why))
    if result < 0:
        text = why.text.decode("utf-8", "replace") or call.error_text(result).decode()
        raise Error(result, text)
    return result


def patiently(task, *used):
    """Runs task(), which may take minutes in the library. Python hears Ctrl-C between two calls of the main thread alone, so that this
    one waits while another thread makes the call: KeyboardInterrupt is raised at once. Nothing ends the call, which goes on to its end
    with its memory: what task() refers to, and `used`."""
    if current_thread() is not main_thread():
        return task()
    results, failures = [], []

    def work(*_):
        try:
            results.append(task())
        except BaseException as failure:
            failures.append(failure)

    thread = Thread(target=work, args=used, daemon=True)
    thread.start()
    thread.join()
    if failures:
        raise failures.pop()
    return results.pop()


class Handle:
    """An object of the library, freed when nothing refers to it any more: neither the Python object
    that opened it nor an array that shows its memory."""

    def __init__(self, pointer, free, parent=None):
        self.pointer = pointer
        self._free = free
        self._parent = parent  # what must live as long
        self.lock = Lock()  # for an object that one thread at a time may use

    def __del__(self):
        if self.pointer:
            self._free(self.pointer)
            self.pointer = None


class Closable:
    """What a graph, rows and a store have in common: close(), `with`, and the handle while it is open."""

    _handle = None

    def close(self):
        """Lets go of it; its memory is freed once no array of it is left, either."""
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def handle(self):
        """The Handle while it is open. A caller keeps it for as long as it uses what belongs to it: another thread may close."""
        handle = self._handle
        if handle is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return handle


def make(function, *arguments, free, parent=None):
    """The Handle of what a function makes whose first argument is the address of a pointer."""
    pointer = c_void_p()
    attempt(function, byref(pointer), *arguments)
    return Handle(pointer.value, free, parent)


def text(value):
    """A text of the library."""
    return None if value is None else value.decode("utf-8", "replace")


def view(handle, address, kind, n):
    """A read-only numpy array of n numbers of a ctypes kind in the library's memory, without a copy.
    The array keeps the handle alive."""
    import numpy

    if not n:
        return numpy.empty(0, dtype=kind)
    memory = (kind * n).from_address(address)
    memory.owner = handle
    array = numpy.frombuffer(memory, dtype=kind)
    array.flags.writeable = False
    return array


def version():
    """The version of the library, such as "0.1.0"."""
    return text(call.version())
