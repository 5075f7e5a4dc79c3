"""Is a report well-formed, and does it stay by itself? well_formed.py FILE.html|FILE.svg… [LARGEST_BYTES]

HTML: every element is closed in order, no id appears twice, every link inside leads somewhere, nothing is loaded from
elsewhere, the only scripts are the report's own. SVG: XML, with marks. Prints what is wrong; exit 1 when anything is."""
import base64
import hashlib
import html
import os
import re
import sys
import xml.etree.ElementTree

VOID = {"meta", "link", "br", "img", "hr", "input"}


# A comment or declaration, or a tag: whether it closes, its name, its attributes, whether it closes itself. A value is
# quoted, so that nothing in it ends the tag.
TOKEN = re.compile(r"""<(?:!--.*?-->|![a-z]+[^<>]*>|(/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9:-]*(?:="[^"<]*")?)*)\s*(/?)>)""", re.S | re.I)
ATTRIBUTE = re.compile(r"""\s([a-zA-Z][a-zA-Z0-9:-]*)(?:="([^"]*)")?""")
RAW = ("script", "style")  # what they hold is no markup


class Reader:
    def __init__(self, text):
        self.open, self.wrong, self.ids, self.targets = [], [], set(), []
        self.count = {}
        self.text, at = text, 0
        while True:
            begin = text.find("<", at)
            if begin < 0:
                break
            token = TOKEN.match(text, begin)
            if not token:
                self.complain(begin, "no markup: " + text[begin:begin + 40])
                at = begin + 1
                continue
            at = token.end()
            closes, tag, attributes, alone = token.groups()
            if tag and closes:
                self.end(begin, tag.lower())
            elif tag:
                self.start(begin, tag.lower(), attributes, alone)
                if tag in RAW:
                    at = text.find("</" + tag, at)
                    at = len(text) if at < 0 else at

    def complain(self, at, words):
        self.wrong.append("line %d: %s" % (self.text.count("\n", 0, at) + 1, words))

    def start(self, at, tag, attributes, alone):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag in ("img", "iframe", "object", "embed"):
            self.complain(at, "an element that no report has: " + tag)
        for name, value in ATTRIBUTE.findall(attributes):
            if name[:2].lower() == "on":
                self.complain(at, "an event handler in markup: " + name)
            elif name in ("src", "href"):
                if not value.startswith(("#", "data:,")):
                    self.complain(at, "something from elsewhere: %s=%s" % (name, value))
                if name == "href" and value.startswith("#"):
                    self.targets.append(html.unescape(value[1:]))
            elif name == "id":
                if value in self.ids:
                    self.complain(at, "id twice: " + value)
                self.ids.add(html.unescape(value))
        if tag not in VOID and not alone:
            self.open.append(tag)

    def end(self, at, tag):
        if not self.open or self.open[-1] != tag:
            self.complain(at, "</%s> closes <%s>" % (tag, self.open[-1] if self.open else ""))
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
    reader = Reader(text)
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


largest = int(sys.argv.pop()) if sys.argv[-1].isdigit() else None
is_wrong = False
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:  # an error here is one of the report's: it is UTF-8
        content = file.read()
    faults = check_svg(content) if path.endswith(".svg") else check_html(content)
    if largest and os.path.getsize(path) > largest:
        faults.append("%d bytes, at most %d" % (os.path.getsize(path), largest))
    for fault in faults[:20]:
        print("%s: %s" % (path, fault))
    is_wrong = is_wrong or bool(faults)
sys.exit(is_wrong)
