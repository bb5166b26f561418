"""The tables of a study."""

import os
from pathlib import Path

from ._arguments import path


def study(folder):
    """The tables that `lycosa study FILE --out FOLDER` left (compare, seeds and coverage leave such folders,
    too): a dict of pandas frames by name. results.tsv, which holds them all again, is left out."""
    import pandas

    tables = sorted(p for p in Path(os.fsdecode(path("folder", folder))).glob("*.tsv") if p.name != "results.tsv")
    if not tables:
        raise FileNotFoundError(f"{folder}: no tables of a study there")
    return {p.stem: pandas.read_csv(p, sep="\t") for p in tables}
