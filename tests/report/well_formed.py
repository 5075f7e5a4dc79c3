"""Is a report well-formed, and does it stay by itself? well_formed.py FILE.html|FILE.svg [LARGEST_BYTES]

HTML: every element is closed in order, no id appears twice, every link inside leads somewhere, nothing is loaded from
elsewhere, the only scripts are the report's own. SVG: XML, with marks. Prints what is wrong; exit 1 when anything is."""
import base64
import hashlib
import os
import re
import sys
import xml.etree.ElementTree
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.ids, self.targets = [], [], set(), []
        self.count = {}

    def complain(self, words):
        self.wrong.append("line %d: %s" % (self.getpos()[0], words))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attributes.items():
            if name.startswith("on"):
                self.complain("an event handler in markup: " + name)
            if name in ("src", "href") and not (value or "").startswith(("#", "data:,")):
                self.complain("something from elsewhere: %s=%s" % (name, value))
        if tag in ("img", "iframe", "object", "embed"):
            self.complain("an element that no report has: " + tag)
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.complain("id twice: " + attributes["id"])
            self.ids.add(attributes["id"])
        if attributes.get("href", "").startswith("#"):
            self.targets.append(attributes["href"][1:])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.complain("</%s> closes <%s>" % (tag, self.open[-1] if self.open else ""))
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def check_policy(text):
    """Nothing may be loaded; the page's own style and script alone, by their hashes."""
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    if not found or not text.index("<head>") < found.start() < text.index("<style"):
        return ["no policy before the first style"]
    wrong = []
    rules = {words.split()[0]: words.split()[1:] for words in found.group(1).split(";")}
    if rules.get("default-src") != ["'none'"] or "unsafe" in found.group(1) or set(rules) - {
            "default-src", "style-src", "script-src", "img-src", "base-uri", "form-action"}:
        wrong.append("a policy that lets something in: " + found.group(1))
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        for content in re.findall("<%s>(.*?)</%s>" % (tag, tag), text, re.S):
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            if rules.get(rule) != ["'sha256-%s'" % digest]:
                wrong.append("%s is not what the policy says" % tag)
    if re.search(r"<[a-z0-9]+ [^>]*style=", text):
        wrong.append("a style in an attribute, which the policy forbids")
    return wrong


def check_html(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    wrong = reader.wrong + ["never closed: " + tag for tag in reader.open]
    wrong += check_policy(text)
    wrong += ["no such place: #" + target for target in reader.targets if target not in reader.ids]
    if reader.count.get("script") != 1:
        wrong.append("scripts: %s, and one is the report's" % reader.count.get("script"))
    if not reader.count.get("figure"):
        wrong.append("no figure")
    # Each figure: a chart for a desk and one for a phone, and a table behind them.
    if reader.count.get("details", 0) < reader.count.get("figure", 0):
        wrong.append("a figure without its table")
    return wrong


def check_svg(text):
    try:
        root = xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError as error:
        return [str(error)]
    marks = [e for e in root.iter() if "mark" in e.get("class", "").split()]
    wrong = [] if marks else ["no marks"]
    if "var(--" in text:
        wrong.append("a colour that is not filled in")
    return wrong


path = sys.argv[1]
with open(path, encoding="utf-8") as file:  # an error here is one of the report's: it is UTF-8
    content = file.read()
faults = check_svg(content) if path.endswith(".svg") else check_html(content)
if len(sys.argv) > 2 and os.path.getsize(path) > int(sys.argv[2]):
    faults.append("%d bytes, at most %s" % (os.path.getsize(path), sys.argv[2]))
for fault in faults[:20]:
    print("%s: %s" % (path, fault))
sys.exit(bool(faults))
