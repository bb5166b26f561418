#!/usr/bin/env python3
"""The documentation as a static site: the pages in Markdown (cmark-gfm), the manual pages (mandoc), the C header, the Python module, and the
tables of the results, under one menu, with a search that needs no server. The menu is doc/README.md. Nothing is read from the network, and the
same sources give the same bytes.

usage: site.py SOURCE OUT    (OUT/index.html is where to begin; OUT is emptied first. A link that leads nowhere is an error.)"""
import ast, csv, html, json, os, re, shutil, subprocess, sys, textwrap

SHOWN_ROWS = 400  # of a table of the results; the whole file is beside it
AS_TEXT = (".c", ".h", ".py", ".pyi", ".ini", ".sh", ".conf", ".list", ".cff")  # files that a page links to are shown as text


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def plain(markup):
    """The text of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def slug(text):
    """The id of a heading, as links in Markdown expect it: in lower case, with hyphens for blanks, without punctuation."""
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def with_ids(body):
    """Gives each heading an id; the second one of the same text ends in -1, the third in -2."""
    seen = {}

    def heading(m):
        name = slug(plain(m[2]))
        n = seen[name] = seen.get(name, -1) + 1
        return f'<h{m[1]} id="{name}{f"-{n}" if n else ""}">{m[2]}</h{m[1]}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.S)


def markdown(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    body = run("cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", text=text)
    return with_ids(re.sub(r"<table>.*?</table>", lambda m: f'<div class="scroll">{m[0]}</div>', body, flags=re.S))


def manual(path):
    """A manual page: its sections become those of a page, under its name."""
    body = run("mandoc", "-T", "html", "-O", "fragment,man=%N.html", path)
    body = re.sub(r'<a class="permalink" href="[^"]*">(.*?)</a>', r"\1", body, flags=re.S)
    body = re.sub(r'<table class="(head|foot)">.*?</table>', "", body, flags=re.S)
    body = re.sub(r"<(/?)h2\b", r"<\1h3", body)
    body = re.sub(r"<(/?)h1\b", r"<\1h2", body)
    return f"<h1>{os.path.basename(path)[:-2]}</h1>\n{body}"


def text_page(path, title):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f"<h1>{html.escape(title)}</h1>\n<pre><code>{html.escape(f.read())}</code></pre>\n"


def table_of(path):
    """A TSV file as a table that opens with a click."""
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    name = os.path.basename(path)
    line = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>\n"
    body = line(rows[0], "th") if rows else ""
    body += "".join(line(r, "td") for r in rows[1 : 1 + SHOWN_ROWS])
    rest = len(rows) - 1 - SHOWN_ROWS
    more = f"<p>{rest} more rows are in the file.</p>" if rest > 0 else ""
    return (f'<details><summary>{html.escape(name)}, {max(len(rows) - 1, 0)} rows</summary><p><a href="{html.escape(name)}">The file</a></p>\n'
            f'<div class="scroll"><table>{body}</table></div>{more}</details>\n')


def folder_page(folder, title):
    """A folder of results: its figures, and its tables."""
    body = f"<h1>{html.escape(title)}</h1>\n"
    for name in sorted(os.listdir(folder)):
        if name.endswith(".svg"):
            body += f'<figure><img src="{html.escape(name)}" alt="{html.escape(name)}"></figure>\n'
        elif name.endswith(".tsv"):
            body += table_of(os.path.join(folder, name))
        elif os.path.isdir(os.path.join(folder, name)):
            body += f'<p><a href="{html.escape(name)}/">{html.escape(name)}/</a></p>\n'
    return body


def c_interface(path):
    """The public header as a page: each comment as prose, and the declarations that follow it."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"^#(ifn?def|endif|if|define LYCOSA_H\b).*\n|^extern \"C\" \{\n|^\}\n(?=#endif)", "", text, flags=re.M)
    body = "<h1>The C interface: lycosa.h</h1>\n"
    for part in re.split(r"\n(?=/\*)|\n\n", text):
        m = re.match(r"/\* --- (.*?) *\*/", part, re.S)
        if m:
            body += f'<h2 id="{slug(m[1])}">{html.escape(m[1][0].upper() + m[1][1:])}</h2>\n'
            part = part[m.end() :]
        m = re.match(r"/\*(.*?)\*/\n?", part, re.S)
        code = part[m.end() :] if m else part
        names = re.findall(r"\b(lycosa_\w+)\(|^(?:struct|enum) (lycosa_\w+)|^#define (LYCOSA_\w+)", code, re.M)
        name = next((a or b or c for a, b, c in names), None)
        if name and m:
            body += f'<h3 id="{name}">{name}</h3>\n'
        if m:
            for paragraph in re.split(r"\n \*\n", re.sub(r"^ ?/?\* ?--- ", "", m[1].strip())):
                lines = [re.sub(r"^ \* ?", "", x) for x in paragraph.split("\n")]
                if any(x.startswith("\t") for x in lines):
                    body += f"<pre><code>{html.escape(textwrap.dedent(chr(10).join(lines)))}</code></pre>\n"
                    continue
                said, *items = html.escape("\n".join(lines)).split("\n - ")
                body += f"<p>{' '.join(said.split())}</p>\n"
                if items:
                    body += "<ul>" + "".join(f"<li>{' '.join(x.split())}</li>\n" for x in items) + "</ul>\n"
        if code.strip():
            body += f"<pre><code>{html.escape(code.strip())}</code></pre>\n"
    return body


def python_interface(stub):
    """The classes and functions of the Python module with their types."""
    with open(stub, encoding="utf-8") as f:
        source = f.read()
    body = "<h1>The Python module: its types</h1>\n<p>What each function means, <code>help(lycosa)</code> says, and <a href=\"doc/python.html\">the page on Python</a> shows.</p>\n"
    for node in ast.parse(source).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            code = ast.get_source_segment(source, node)
            body += f'<h2 id="{node.name}">{node.name}</h2>\n<pre><code>{html.escape(code)}</code></pre>\n'
    return body


def title_of(body, otherwise):
    m = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
    return plain(m[1]) if m else otherwise


def menu_of(index):
    """The groups of doc/README.md with their links: [(group, [(path, words)])]."""
    groups, body = [("Begin", [("index.html", "lycosa")])], markdown(index)
    words = {}
    for m in re.finditer(r"<p><strong>(.*?)</strong></p>|<a href=\"([^\":#]*)\">(.*?)</a>", body, re.S):
        if m[1]:
            groups.append((plain(m[1]), []))
        else:
            path = os.path.normpath(os.path.join("doc", m[2]))
            name = os.path.splitext(os.path.basename(path))[0].replace("_", " ")
            if path.endswith(".md") and path not in words:
                words[path] = name
                groups[-1][1].append((path[:-3] + ".html", name))
    return groups


def page(out, path, body, menu, title, order):
    up = "../" * path.count("/")
    nav = ""
    for group, links in menu:
        nav += f"<h2>{html.escape(group)}</h2>\n<ul>\n"
        for to, words in links:
            here = ' aria-current="page"' if to == path else ""
            nav += f'<li><a href="{up}{to}"{here}>{html.escape(words)}</a></li>\n'
        nav += "</ul>\n"
    heads = [(m[1], m[2], plain(m[3])) for m in re.finditer(r'<h([23])[^>]* id="([^"]*)"[^>]*>(.*?)</h\1>', body, re.S)]
    contents = ""
    if 2 < len(heads) < 80:
        contents = '<nav class="contents" aria-label="On this page">\n' + "".join(
            f'<a class="level{level}" href="#{name}">{html.escape(text)}</a>\n' for level, name, text in heads) + "</nav>\n"
    with open(os.path.join(out, path), "w", encoding="utf-8") as f:
        f.write(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}{"" if title == "lycosa" else " - lycosa"}</title><link rel="stylesheet" href="{up}site.css">
<script defer src="{up}site.js" data-up="{up}"></script></head>
<body><header><a class="home" href="{up}index.html">lycosa</a>
<label class="search"><span>Search</span><input type="search" id="search" autocomplete="off" placeholder="all pages"></label>
<ol id="found" aria-live="polite" hidden></ol></header>
<div class="columns"><details class="menu" open><summary>All pages</summary><nav aria-label="All pages">
{nav}</nav></details>
<main>
{body}</main>
{contents}</div></body></html>
""")
    order.append((path, title, body))


def search_index(pages):
    """A row for each heading of each page: page, its title, the heading, its id, and the words that follow it."""
    rows = []
    for path, title, body in pages:
        parts = re.split(r'<h[1-6][^>]* id="([^"]*)"[^>]*>(.*?)</h[1-6]>', body, flags=re.S)
        pieces = [("", "", parts[0])] + list(zip(parts[1::3], parts[2::3], parts[3::3]))
        for name, head, text in pieces:
            words = " ".join(plain(re.sub(r"<svg.*?</svg>", "", text, flags=re.S)).split())
            if words or head:
                rows.append([path, title, plain(head), name, words])
    return "window.lycosa_pages = " + json.dumps(rows, ensure_ascii=False, separators=(",", ":")) + ";\n"


class Site:
    def __init__(self, source, out):
        self.source, self.out, self.pages, self.made = source, out, [], {}

    def at(self, *path):
        return os.path.join(self.source, *path)

    def plan(self):
        """Which page is made from what: {path in the site: (path in the source, function)}."""
        for name in ("README", "HACKING", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT"):
            if os.path.exists(self.at(name + ".md")):
                self.made["index.html" if name == "README" else name + ".html"] = (name + ".md", markdown)
        for folder, folders, names in os.walk(self.at("doc")):
            folders.sort()
            base = os.path.relpath(folder, self.source)
            for name in sorted(names):
                path = os.path.join(base, name)
                if name.endswith(".md"):
                    self.made[path[:-3] + ".html"] = (path, markdown)
                elif name.endswith(".1"):
                    self.made["man/" + name[:-2] + ".html"] = (path, manual)
        self.made["NEWS.html"] = ("NEWS", lambda p: text_page(p, "What changed"))
        self.made["api-c.html"] = ("lib/lycosa.h", c_interface)
        self.made["api-python.html"] = ("lib/python/lycosa/__init__.pyi", python_interface)

    def link(self, path, origin):
        """Where a link of the source `origin` leads in the site, as a path in the site, or None. Makes the page of a file or folder."""
        to = os.path.normpath(os.path.join(os.path.dirname(origin), path)) if path else origin
        for place, (source, _) in self.made.items():
            if source == to:
                return place
        full = self.at(to)
        if os.path.isdir(full):
            self.made[to + "/index.html"] = (to, lambda p: folder_page(p, to))
            for name in os.listdir(full):
                if name.endswith((".svg", ".tsv", ".pdf")):
                    self.copy(os.path.join(to, name))
            return to + "/index.html"
        if os.path.isfile(full) and (to.endswith(AS_TEXT) or "." not in os.path.basename(to)):
            self.made[to + ".html"] = (to, lambda p: text_page(p, to))
            return to + ".html"
        if os.path.isfile(full):
            self.copy(to)
            return to
        return None

    def copy(self, path):
        os.makedirs(os.path.join(self.out, os.path.dirname(path)), exist_ok=True)
        shutil.copyfile(self.at(path), os.path.join(self.out, path))

    def body(self, place):
        """The HTML of a page with its links led to pages of the site; what they ask for is planned, too."""
        source, make = self.made[place]
        body = make(self.at(source))

        def lead(m):
            if re.match(r"[a-z]+:|#", m[2]):
                return m[0]
            path, _, anchor = html.unescape(m[2]).partition("#")
            if make is manual:
                known = "man/" + path in self.made
                return f'{m[1]}="{path}{"#" + anchor if anchor else ""}"' if known else 'class="elsewhere"'
            if make is python_interface:
                return m[0]
            to = self.link(path, source if not os.path.isdir(self.at(source)) else source + "/x")
            if to is None:
                raise SystemExit(f"site.py: {source}: a link leads to '{path}', which is not there")
            relative = os.path.relpath(to, os.path.dirname(place) or ".")
            return f'{m[1]}="{html.escape(relative)}{"#" + anchor if anchor else ""}"'

        return re.sub(r'\b(href|src)="([^"]*)"', lead, body)

    def write(self):
        for name in ("site.css", "site.js"):
            shutil.copyfile(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), os.path.join(self.out, name))
        self.plan()
        manuals = [(p, p[4:-5]) for p in sorted(self.made) if p.startswith("man/")]
        more = [(p, w) for p, w in (("NEWS.html", "what changed"), ("CONTRIBUTING.html", "taking part"), ("CODE_OF_CONDUCT.html", "conduct"),
                                    ("SECURITY.html", "security")) if p in self.made]
        menu = menu_of(self.at("doc/README.md")) + [("Manual pages", manuals), ("Interfaces", [("api-c.html", "C"), ("api-python.html", "Python types")]),
                                                    ("The project", more)]
        done = set()
        while True:
            rest = sorted(set(self.made) - done)
            if not rest:
                break
            for place in rest:
                done.add(place)
                os.makedirs(os.path.join(self.out, os.path.dirname(place)), exist_ok=True)
                body = self.body(place)
                title = title_of(body, self.made[place][0])
                page(self.out, place, body, menu, title, self.pages)
        with open(os.path.join(self.out, "search.js"), "w", encoding="utf-8") as f:
            f.write(search_index(self.pages))

    def check(self):
        """Every place that a link names is on its page."""
        ids = {p: set(re.findall(r'\b(?:id|name)="([^"]*)"', b)) for p, _, b in self.pages}
        for place, _, body in self.pages:
            for path, anchor in re.findall(r'href="([^":#]*)#([^"]+)"', body):
                to = os.path.normpath(os.path.join(os.path.dirname(place), path)) if path else place
                if html.unescape(anchor) not in ids.get(to, ()):
                    raise SystemExit(f"site.py: {self.made[place][0]}: a link leads to '#{anchor}' of {to}, which is not there")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    for program in ("mandoc", "cmark-gfm"):
        if not shutil.which(program):
            sys.exit(f"site.py: no {program}: install the package {program}")
    source, out = sys.argv[1:]
    if os.path.exists(out) and not os.path.exists(os.path.join(out, "site.css")):
        sys.exit(f"site.py: '{out}' is there and no site: name another folder")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    site = Site(source, out)
    site.write()
    site.check()
    print(f"{len(site.pages)} pages: {os.path.join(out, 'index.html')}")


main()
