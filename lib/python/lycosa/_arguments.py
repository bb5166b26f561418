"""What the arguments of the module must be. ctypes cuts numbers down to the width of the library's own, and takes None for an
address, so each argument is looked at before the library is called: TypeError for a value of the wrong kind, ValueError or
OverflowError for one outside its range, with a sentence that names the argument."""

import operator
import os
from math import isnan
from numbers import Real
from reprlib import repr as shown

UINT32 = 2**32 - 1
UINT64 = 2**64 - 1
DAMAGED = ("fail", "skip")  # what is done with a damaged store


def whole(name, value, most=UINT64, least=0):
    """The int that a whole number is."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {shown(value)}") from None
    if number < least:
        raise ValueError(f"{name} is {least} or more, not {number}")
    if number > most:
        raise OverflowError(f"{name} is {most} at most, not {number}")
    return number


def real(name, value):
    """The float that a number is."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is a number, not {shown(value)}")
    if isnan(value):
        raise ValueError(f"{name} is a number, not nan")
    return float(value)


def choice(name, value, words):
    """The number of a word among words."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a word, not {shown(value)}")
    if value not in words:
        raise ValueError(f"{name} is one of {', '.join(words)}, not {shown(value)}")
    return words.index(value)


def octets(name, value):
    """The bytes of a document or a text, of which str is written in UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"{name} is str or bytes, not {shown(value)}")


def _without_nul(name, octets):
    if b"\0" in octets:
        raise ValueError(f"{name} has a NUL, which no text of the library may have")
    return octets


def word(name, value):
    """The bytes of a text that the library takes to end at a NUL."""
    return _without_nul(name, octets(name, value))


def path(name, value):
    """The bytes of a path: str, bytes or os.PathLike."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} is a path, not {shown(value)}")
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError:
        raise ValueError(f"{name} is a path, and {shown(value)} has a character that none has") from None
    return _without_nul(name, encoded)


def optional(kind, name, value):
    """None, or what `kind` makes of the value."""
    return None if value is None else kind(name, value)


def ids(name, nodes):
    """A numpy array of uint32, from a sequence of whole numbers."""
    import numpy

    if isinstance(nodes, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{name} are whole numbers, not {shown(nodes)}")
    array = numpy.asarray(nodes)
    if array.ndim != 1:
        raise TypeError(f"{name} is a sequence of whole numbers, not {shown(nodes)}")
    if array.size and array.dtype.kind not in "iu":
        # one by one: a number beyond 64 bits makes numpy choose another kind
        array = numpy.array([whole(f"each of {name}", node, UINT32) for node in nodes])
    if array.size:
        whole(f"each of {name}", array.min(), UINT32)
        whole(f"each of {name}", array.max(), UINT32)
    return numpy.ascontiguousarray(array, dtype=numpy.uint32)


def values(name, numbers, n):
    """A numpy array of n float64, from a sequence of numbers."""
    import numpy

    array = numpy.asarray(numbers)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise TypeError(f"{name} is a sequence of numbers, not {shown(numbers)}")
    if array.shape != (n,):
        raise ValueError(f"{name} has {array.size} values, not a value for each of {n} nodes")
    if not numpy.isfinite(array).all():
        raise ValueError(f"{name} has a value that is not finite")
    return numpy.ascontiguousarray(array, dtype=numpy.float64)
