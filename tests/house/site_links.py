"""site_links.py FOLDER: prints each link of the HTML files below the folder that leads to no file, or to no place of a file."""

import os
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            elif name in ("id", "name"):
                self.places.add(value)


pages = {}
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".html"):
            path = os.path.normpath(os.path.join(folder, name))
            pages[path] = Page(path)
for path, page in sorted(pages.items()):
    for link in page.links:
        file, _, place = link.partition("#")
        if ":" in file:
            continue
        to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.isfile(to) or place and place not in pages[to].places:
            print(f"{path}: {link}")
print(len(pages), "pages", file=sys.stderr)
