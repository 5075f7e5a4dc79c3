"""Every relative link of a site leads to a file that is there, and to a heading or place of it that has the name; nothing is loaded
from a network. Arguments: the site's folder, the least number of links to be found."""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.names, self.loads = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.update(v for k, v in attributes.items() if k in ("id", "name") and v)
        for key in ("href", "src"):
            address = attributes.get(key)
            if not address or (tag == "link" and attributes.get("rel") in ("canonical", "prev", "next")):
                continue
            (self.links if tag == "a" else self.loads).append(address)


def main(site, least):
    pages, wrong, links = {}, [], 0
    for folder, _, files in os.walk(site):
        for name in files:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[path] = Page(open(path, encoding="utf-8").read())
    for path, page in pages.items():
        if os.path.basename(path) == "404.html":  # a server's, whose links are absolute
            continue
        for address in page.links + page.loads:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loads and parts.scheme != "data":
                    wrong.append(f"{path}: loads {address}")
                continue
            links += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if not os.path.isfile(target):
                wrong.append(f"{path}: no such file: {address}")
            elif parts.fragment and target in pages and not parts.fragment.startswith("__") and \
                    urllib.parse.unquote(parts.fragment) not in pages[target].names and "/reports/" not in target:
                wrong.append(f"{path}: no such place: {address}")
    if links < least:
        wrong.append(f"only {links} links were found")
    print("\n".join(wrong) or f"{len(pages)} pages, {links} links")
    return bool(wrong)


sys.exit(main(sys.argv[1], int(sys.argv[2])))
