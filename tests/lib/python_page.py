"""python_page.py PAGE: runs the blocks of a Markdown page in their order, in the working folder. What
stands in ```pycon blocks is compared with what the interpreter answers; ```sh blocks must succeed.
Prints TAP, a test a block. A word behind "pycon" is a module without which the block is skipped."""

import doctest
import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile


def run_shell(source, groups, problems):
    """A server that a block leaves behind serves until the page ends: each block is a process group."""
    with tempfile.TemporaryFile() as errors:
        shell = subprocess.Popen(["bash", "-e", "-c", source], stdout=subprocess.DEVNULL, stderr=errors,
                                 start_new_session=True)
        groups.append(shell.pid)
        if shell.wait(timeout=120):
            errors.seek(0)
            problems.append(errors.read().decode())


def run_python(source, names, problems):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(source, names, "block", None, 0)
    test.globs = names  # the next block goes on with them
    doctest.DocTestRunner(optionflags=flags, verbose=False).run(
        test, out=problems.append, clear_globs=False)


def main(page):
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"^```(sh|pycon) ?(\w*)\n(.*?)^```$", file.read(), re.M | re.S)
    names, groups = {}, []
    print(f"1..{len(blocks)}")
    for number, (kind, needed, source) in enumerate(blocks, 1):
        title = source.strip().splitlines()[0]
        problems = []
        if needed and not importlib.util.find_spec(needed):
            print(f"ok {number} - {title} # SKIP no {needed} for this python3")
            continue
        if kind == "sh":
            run_shell(source, groups, problems)
        else:
            run_python(source, names, problems)
        print("not ok" if problems else "ok", number, "-", title.replace("#", ""))
        for line in "".join(problems).splitlines()[:30]:
            print("#", line)
    for group in groups:
        try:
            os.killpg(group, signal.SIGTERM)
        except ProcessLookupError:
            pass  # it left nothing behind


main(sys.argv[1])
