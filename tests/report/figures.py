"""Are the report's figures those of its samples, and its marks where its axes say? figures.py REPORT.html EXPORTED.json

Medians, quartiles, rates, shares of the ceiling and speed-ups of each ladder's table are worked out anew from the exported
samples. A chart's ticks are on a straight scale or a logarithmic one; its bars, whiskers and points are where the figures
of their tips are on it; nothing is drawn outside. Prints what is wrong; exit 1 when anything is."""
import html
import json
import math
import re
import statistics
import sys
import xml.etree.ElementTree

UNITS = {"GB/s": 1, "GFLOP/s": 1, "Gpoints/s": 1, "Mkeys/s": 1, "Mpixel/s": 1,  # work of a nanosecond, as it was stored
         "Gkeys/s": 1e3, "Gpixel/s": 1e3, "TFLOP/s": 1e3, "TB/s": 1e3}  # in tips, when there are more than four digits
TIMES = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
NUMBER = r"(\d[\d\u202f]*(?:\.\d+)?)"
RATE = re.compile(NUMBER + "\u00a0(" + "|".join(UNITS) + r") \(quartiles " + NUMBER + " … " + NUMBER + r"\)")
wrong = []


def number(text):
    return float(text.replace("\u202f", ""))


def near(found, right, where, digits=3):
    """Three digits are shown, four of a rate beyond a thousand."""
    if not abs(found - right) <= right * 0.51 * 10 ** (1 - digits):
        wrong.append(f"{where}: {found:g}, not {right:g}")


# ---- what was measured ----

def read(path):
    """The latest measurement of each problem, device, rung and choice of parameters."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            key = row["problem"], row["device"], row["rung"], row["parameters"]
            row["samples"].setdefault("compute", {"ns": []})
            if row["made_at"] >= rows.get(key, {"made_at": 0})["made_at"]:
                rows[key] = row
    for row in rows.values():
        times = row["samples"]["compute"]["ns"]
        if not times:
            continue
        low, middle, high = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
        work = row["work"]
        row.update(median=middle, rate=work / middle, quartiles=(work / high, work / low), times=times)
    return rows


def cells_of(row):
    return [html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]


serial = {}  # of each problem


def check_ladder(table, rows):
    names = [html.unescape(name) for name in re.findall("<th[^>]*>(.*?)</th>", table)]
    found, ceiling, checked = [], None, 0
    for text in re.findall("<tr.*?</tr>", table.split("<tbody>")[1], re.S):
        command = re.search(r'data-copy="uskor bench (\S+) --device (\S+) --rung ([^\s"]+)', text)
        cells = dict(zip(names, cells_of(text)))
        row = command and rows.get(tuple(html.unescape(word) for word in command.groups()) + (cells["parameters"],))
        if row and cells["verdict"] == "PASS" and re.match(r"\d", cells["median"]):
            found.append((row, cells, re.search("<title>(.*?)</title>", text)))
    for row, cells, _ in found:
        ceiling = row if cells["of the ceiling"] == "100\u00a0%" and row["kind"] == "probe" else ceiling
    for row, cells, spread in found:
        where = f"{row['problem']} on {row['device']} by {row['rung']}"
        value, unit = cells["median"].split("\u00a0")
        near(number(value) * TIMES[unit], row["median"], where + ", median")
        near(number(cells[row["rate_unit"]]), row["rate"], where + ", rate")
        for shown, right in zip(cells["quartiles"].split(" … "), row["quartiles"]):
            near(number(shown), right, where + ", quartile")
        if row["rung"] == "serial":
            serial.setdefault(row["problem"], row)  # the processor's ladder is the first
        first = serial.get(row["problem"])
        if first and re.match(r"[\d.]+×", cells["speed-up"]):
            near(number(cells["speed-up"][:-1]), first["median"] / row["median"], where + ", speed-up")
        if ceiling and row["kind"] != "probe" and cells["of the ceiling"].endswith("%"):
            near(number(cells["of the ceiling"][:-2]), 100 * ceiling["median"] / row["median"], where + ", share")
        if spread:
            count, low, unit_low, high, unit_high = re.match(
                r"(\d+): " + NUMBER + "\u00a0(\\S+) … " + NUMBER + "\u00a0(\\S+)", html.unescape(spread[1])).groups()
            if int(count) != len(row["times"]):
                wrong.append(f"{where}: {count} samples, not {len(row['times'])}")
            near(number(low) * TIMES[unit_low], min(row["times"]), where + ", least")
            near(number(high) * TIMES[unit_high], max(row["times"]), where + ", most")
        checked += 1
    return checked


# ---- where it is drawn ----

def tick_value(text, binary):
    found = re.fullmatch(r"([\d.e+-]+)([kMGTP]?)", text)
    return found and float(found[1]) * (1024 if binary else 1000) ** " kMGTP".index(found[2] or " ")


def scale_of(ticks, is_logarithmic, where):
    """The place of a value, from (place, value) of at least two ticks; None when they are names."""
    if len(ticks) < 2 or any(value is None for _, value in ticks):
        return None

    def change(value):
        return math.log(value) if is_logarithmic else value

    (x0, v0), (x1, v1) = ticks[0], ticks[-1]
    slope = (x1 - x0) / (change(v1) - change(v0))
    for x, value in ticks:
        if abs(x0 + slope * (change(value) - change(v0)) - x) > 0.2:
            wrong.append(f"{where}: the ticks are on no scale: {ticks}")
            break
    return lambda value: x0 + slope * (change(value) - change(v0))


def check_place(found, value, scale, where, digits=3):
    slack = value * 0.51 * 10 ** (1 - digits)
    low, high = sorted((scale(value - slack), scale(value + slack)))
    if not low - 0.4 <= found <= high + 0.4:
        wrong.append(f"{where}: drawn at {found}, not at {scale(value):.1f}")


def attribute(element, *names):
    return [float(element.get(name)) for name in names]


def middle(element):
    """Of a point: a circle, or a shape of a path: the middle of its corners."""
    if element.tag == "circle":
        return attribute(element, "cx", "cy")
    at, places = [0.0, 0.0], []
    for letter, numbers in re.findall(r"([MlhvL])([-\d. ]+)", element.get("d")):
        numbers = [float(one) for one in numbers.split()]
        step = {"h": numbers + [0], "v": [0] + numbers}.get(letter, numbers)
        at = step if letter in "ML" else [at[0] + step[0], at[1] + step[1]]
        places.append(at)
    return [sum(axis) / len(axis) for axis in zip(*places)]


def check_mark(mark, x, y, where):
    tip = mark.findtext("title") or ""
    rate = RATE.search(tip)
    if not rate:
        return 0
    value, low, high = (number(rate[i]) * UNITS[rate[2]] for i in (1, 3, 4))
    for element in mark:
        kind = (element.get("class") or "").split()
        if element.tag == "rect" and kind[:1] == ["bar"] and x and not y:
            left, width = attribute(element, "x", "width")
            check_place(left + width, value, x, where + ", bar of " + tip)
            if abs(left - x(0)) > 0.2:
                wrong.append(f"{where}: a bar begins at {left}")
        elif element.tag == "line" and kind == ["whisker"] and x and not y and element.get("y1") == element.get("y2"):
            for end, quartile in zip(attribute(element, "x1", "x2"), (low, high)):
                check_place(end, quartile, x, where + ", whisker of " + tip)
        elif kind[:1] == ["point"] and y and "flop/B" not in tip:
            check_place(middle(element)[1], value, y, where + ", point of " + tip)
            size = re.match(r"\S+ (\d+) × \1", tip)
            if size and x:
                check_place(middle(element)[0], int(size[1]), x, where + ", size of " + tip, 9)
    intensity = re.search(NUMBER + "\u00a0GFLOP/s, " + NUMBER + "\u00a0flop/B", tip)
    for element in mark:
        if intensity and x and y and (element.get("class") or "").startswith("point"):
            check_place(middle(element)[0], number(intensity[2]), x, where + ", intensity of " + tip)
            check_place(middle(element)[1], number(intensity[1]), y, where + ", rate of " + tip)
    return 1


ridges = {}  # of each roofline with one ceiling of each sort: where both meet


def check_roof(mark, x, y, where):
    """A ceiling of arithmetic is level; one of memory rises as a byte's operations do, to where it meets the highest."""
    ceiling = re.fullmatch(r"(\S+) " + NUMBER + "\u00a0([GT]FLOP/s|[GT]B/s)", mark.findtext("title") or "")
    for line in (element for element in mark.iter("line") if ceiling and element.get("class") == "roof"):
        rate = number(ceiling[2]) * (1000 if ceiling[3][0] == "T" else 1)
        (x0, x1), (y0, y1) = attribute(line, "x1", "x2"), attribute(line, "y1", "y2")
        decade = (x(10) - x(1), y(10) - y(1))
        if ceiling[3].endswith("FLOP/s"):
            check_place(y0, rate, y, where + ", level " + ceiling[0])
            slope = 0
        else:
            at_left = rate * 10 ** ((x0 - x(1)) / decade[0])
            check_place(y0, at_left, y, where + ", left end of " + ceiling[0])
            slope = decade[1] / decade[0]
        if abs(y0 + slope * (x1 - x0) - y1) > 1 or x1 - x0 < 20:
            wrong.append(f"{where}: {ceiling[0]} is drawn from {x0}, {y0} to {x1}, {y1}")
        ridges.setdefault(where, {})["level" if slope == 0 else "slope"] = x0 if slope == 0 else x1
    return ceiling is not None


def check_share(mark, ticks, where):
    """A bar of a panel: its axis is the one that begins where it does."""
    tip = mark.findtext("title") or ""
    share = re.search(NUMBER + "\u00a0% of the ceiling", tip)
    bars = [box for box in mark.iter("rect") if (box.get("class") or "").startswith("bar")]
    for bar in bars if share else ():
        left, width = attribute(bar, "x", "width")
        axis = [i for i, (place, value) in enumerate(ticks) if value == 0 and abs(place - left) < 0.2]
        if not axis:
            wrong.append(f"{where}: a bar begins at {left}, where no axis does: {tip}")
            continue
        scale = scale_of(ticks[axis[0]:axis[0] + 3], False, where)
        check_place(left + width, number(share[1]), scale, where + ", bar of " + tip)
    return len(bars)


def check_inside(root, where):
    width, height = (float(size) for size in root.get("viewBox").split()[2:])
    for element in root.iter():
        ends = {"rect": (("x", "width"), ("y", "height")), "line": (("x1", "x2"), ("y1", "y2")),
                "text": (("x",), ("y",)), "circle": (("cx",), ("cy",))}.get(element.tag)
        if not ends or element.get("patternUnits") or element.get("class") == "hatching":
            continue
        for names, most in zip(ends, (width, height)):
            places = attribute(element, *names)
            places = [places[0], sum(places)] if element.tag == "rect" else places
            if min(places) < -0.1 or max(places) > most + 0.1 or (element.tag == "rect" and places[1] < places[0]):
                wrong.append(f"{where}: outside: {xml.etree.ElementTree.tostring(element)[:200]}")


def check_heat(root, where):
    """The slower the cell, the darker."""
    cells = []
    for mark in root.iter("g"):
        tip, box = mark.findtext("title") or "", mark.find("rect")
        rate, heat = RATE.search(tip), box is not None and re.search(r"heat-(\d)", box.get("class") or "")
        if rate and heat:
            cells.append((-number(rate[1]), int(heat[1])))
    shades = [shade for _, shade in sorted(cells)]
    if shades != sorted(shades) or (shades and shades[0] != 0):
        wrong.append(f"{where}: shades are not in the order of the figures: {shades}")


def check_cells(root, marks, columns, rows, where):
    """Each cell is below the name of its column, beside that of its row; both axes have theirs."""
    columns, rows = ({value: place for place, value in ticks} for ticks in (columns, rows))
    names, seen = {element.text for element in root.iter("text")}, [set(), set()]
    for mark in marks:
        box, choice = mark.find("rect"), re.findall(r"(\w+)=(\d+)", (mark.findtext("title") or "").split("\n")[0])
        if len(choice) != 2:
            continue
        x, y, width, height = attribute(box, "x", "y", "width", "height")
        for axis, place, ticks, arrow, number in (
                (choice[0], x + width / 2, columns, "→", 0), (choice[1], y + height / 2, rows, "↓", 1)):
            seen[number].add(int(axis[1]))
            if f"{axis[0]} {arrow}" not in names:
                wrong.append(f"{where}: the axis {axis[0]} has no name")
            if abs(ticks.get(int(axis[1]), place) - place) > 1.1:
                wrong.append(f"{where}: {axis} is drawn at {place}, its name at {ticks[int(axis[1])]}")
    if root.get("class") == "chart wide" and [sorted(seen[0]), sorted(seen[1])] != [sorted(columns), sorted(rows)]:
        wrong.append(f"{where}: names of columns and rows: {sorted(columns)}, {sorted(rows)}")


def check_shapes(marks, where):
    """Who sees no colours tells four series by their points."""
    shapes = {}
    for mark in marks:
        for element in mark:
            kind = re.match(r"point (series-\d)", element.get("class") or "")
            if kind:
                shapes.setdefault(kind[1], set()).add(re.sub(r"[-\d. ]", "", element.get("d") or "") or element.tag)
    if len({shape for series in shapes.values() for shape in series}) < min(4, len(shapes)):
        wrong.append(f"{where}: shapes of points: {shapes}")


def check_skipped(figure, rows, where):
    """What could not run is named below the chart, with its reason."""
    kernel, device = where.split("/")[0], where.split("/")[2]
    command = re.search(r'data-copy="uskor bench (\S+) --device', figure)
    problem = command and html.unescape(command[1])
    right = {(rung, row["reason"]) for (of, on, rung, _), row in rows.items()
             if of == problem and on == device and row["verdict"] == "SKIP" and row["kernel"] == kernel}
    note = re.search(r"Could not run here \(point for the reason\):(.*?)</p>", figure)
    found = {(html.unescape(rung), html.unescape(reason)) for reason, rung in
             re.findall(r'<code title="([^"]*)">([^<]*)</code>', note[1])} if note else set()
    if problem and found != right:
        wrong.append(f"{where}: could not run: {found}, not {right}")


def check_chart(text, where):
    root = xml.etree.ElementTree.fromstring(text.replace('xmlns="http://www.w3.org/2000/svg" ', ""))
    ticks = {"middle": [], "end": []}
    for element in root.iter("text"):
        if element.get("class") == "tick" and element.get("text-anchor") in ticks:
            ticks[element.get("text-anchor")].append(element)
    of_sizes, is_roofline = "/size" in where, where.startswith("roofline")
    across = [(float(tick.get("x")), tick_value(tick.text, of_sizes)) for tick in ticks["middle"]]
    up = [(float(tick.get("y")) - 4.5, tick_value(tick.text, False)) for tick in ticks["end"]]
    check_inside(root, where)
    check_heat(root, where)
    marks = [mark for mark in root.iter("g") if mark.get("class", "").startswith("mark")]
    if "/sweep/" in where:  # names of columns and rows
        check_cells(root, marks, across, [(place + 0.5, value) for place, value in up], where)
        return len(marks)
    check_shapes(marks, where)
    if "panels" in where:
        return sum(check_share(mark, across, where) for mark in marks)
    x = scale_of(across, of_sizes or is_roofline, where + ", x")
    y = scale_of(up, is_roofline, where + ", y")
    if is_roofline and sum(check_roof(mark, x, y, where) for mark in marks) < 2:
        wrong.append(f"{where}: no roofs")
    if is_roofline and abs(ridges[where]["level"] - ridges.pop(where)["slope"]) > 1:
        wrong.append(f"{where}: the roofs do not meet")
    return sum(check_mark(mark, x, y, where) for mark in marks)


def check_table(figure, where):
    """What the table behind a chart says, the chart's tips say, and none of both is without the other."""
    chart, table = figure.replace("\u202f", "").split("<table", 1)
    drawn = html.unescape(" ".join(re.findall("<title>(.*?)</title>", chart, re.S)))
    rows = [row for row in re.findall("<tr>(.*?)</tr>", table, re.S) if "<td>ceiling" not in row]  # may be beyond the chart
    shown = {text for row in rows for text in re.findall(r'<td class="n">(?:★ )?([\d.]+)(?:\u00a0%)?<', row)}
    shown = {text for text in shown if len(text) < 5 or "." in text}  # a tip has another unit for more digits
    known = set(re.findall(r"[\d.]+", drawn))
    if shown - known:
        wrong.append(f"{where}: in the table alone: {sorted(shown - known)[:9]}")
    pattern = {"sweep": r"\n([\d.]+)\u00a0[nµm]?s, ", "panels": NUMBER + "\u00a0% of the ceiling"}
    for kind, words in pattern.items():
        missing = set(re.findall(words, drawn)) - shown if kind in where else set()
        if missing:
            wrong.append(f"{where}: not in the table: {sorted(missing)[:9]}")


with open(sys.argv[1], encoding="utf-8") as file:
    report = file.read()
measured = read(sys.argv[2])
ladders = marks = 0
for figure in re.findall('<figure data-chart="(.*?)"(.*?)</figure>', report, re.S):
    for chart in re.findall(r'<svg class="chart.*?</svg>', figure[1], re.S):
        marks += check_chart(chart, figure[0])
    if re.search("/(size|versions|sweep)/|panels", figure[0]):
        check_table(figure[1], figure[0])
    of = re.search("/(?:ladder|size|versions)/([a-z]+(?::[0-9]+)?)$", figure[0])
    if of and not figure[1].startswith(f' data-device="{of[1]}"'):  # what the page's buttons choose by
        wrong.append(f"{figure[0]} is of no device")
    if "/ladder/" in figure[0]:
        check_skipped(figure[1], measured, figure[0])
    for ladder in re.findall(r'<table class="rungs">.*?</table>', figure[1], re.S):
        ladders += check_ladder(ladder, measured)
for line in wrong[:20]:
    print(line)
print(f"{ladders} rows of ladders, {marks} marks, {len(wrong)} wrong")
sys.exit(bool(wrong) or ladders < 100 or marks < 300)
