#!/usr/bin/env python3
"""Draws the Grafana dashboards of the chart as SVG files, with the data of a Prometheus. They are not screenshots: Grafana is not needed.

usage: draw.py URL DIRECTORY START END [SCRAPE_INTERVAL]

URL is that of Prometheus, START and END are seconds since 1970, SCRAPE_INTERVAL is in seconds (15). Prints the panels without data.
"""

import html
import json
import math
import pathlib
import sys
import time
import urllib.parse
import urllib.request

DASHBOARDS = pathlib.Path(__file__).parent / "helm" / "heddle" / "files" / "dashboards"
COLOURS = ["#1f78c1", "#e0752d", "#508642", "#bf1b00", "#705da0", "#0a9aa8", "#cca300", "#ba43a9", "#6d8f1f", "#7d4a2b", "#447ebc", "#99440a"]
COLUMN, ROW, GAP = 50, 30, 8
POINTS = 100
TEXT = "#24292f"
FAINT = "#6e7781"
WINDOW_SCRAPES = 4


class Prometheus:
    def __init__(self, url, start, end, scrape):
        self.url, self.start, self.end = url, start, end
        self.step = max(1, math.ceil((end - start) / POINTS))
        self.variables = {"$job": "heddle", "$namespace": ".*", "$instance": ".*", "$__rate_interval": f"{max(self.step + scrape, WINDOW_SCRAPES * scrape)}s"}

    def series(self, expression, legend):
        """The series as pairs of a name and a list of values, one for each step, None where there is none."""
        for variable, value in self.variables.items():
            expression = expression.replace(variable, value)
        query = urllib.parse.urlencode({"query": expression, "start": self.start, "end": self.end, "step": self.step})
        with urllib.request.urlopen(f"{self.url}/api/v1/query_range?{query}", timeout=60) as answer:
            results = json.load(answer)["data"]["result"]
        count = int((self.end - self.start) // self.step) + 1
        series = []
        for result in results:
            values = [None] * count
            for when, text in result["values"]:
                value = float(text)
                values[round((when - self.start) / self.step)] = None if math.isnan(value) or math.isinf(value) else value
            name = legend
            for label in result["metric"]:
                name = name.replace("{{" + label + "}}", result["metric"][label])
            series.append((name, values))
        return sorted(series, key=lambda each: each[0])


def scaled(value, steps, digits=3):
    """The value with the greatest unit that is not greater than it."""
    factor, unit = steps[0]
    for each, name in steps:
        if abs(value) >= each:
            factor, unit = each, name
    text = f"{value / factor:.{digits}g}"
    if "e" in text:
        text = f"{value / factor:.0f}"
    return text + unit


THOUSANDS = [(1, ""), (1e3, " K"), (1e6, " M"), (1e9, " G")]


def formatted(value, unit):
    if value == 0 and unit not in ("percentunit", "dateTimeFromNow"):
        return "0"
    if unit == "bytes":
        return scaled(value, [(1, " B"), (2**10, " KiB"), (2**20, " MiB"), (2**30, " GiB")])
    if unit == "Bps":
        return scaled(value, [(1, " B/s"), (1e3, " kB/s"), (1e6, " MB/s"), (1e9, " GB/s")])
    if unit == "s":
        return scaled(value, [(1e-6, " µs"), (1e-3, " ms"), (1, " s"), (60, " min"), (3600, " h")])
    if unit == "µs":
        return scaled(value, [(1, " µs"), (1e3, " ms"), (1e6, " s")])
    if unit == "percentunit":
        return f"{value * 100:.3g}%"
    if unit == "cps":
        return scaled(value, THOUSANDS) + "/s"
    return scaled(value, THOUSANDS)


def ticks(highest, unit):
    """Round values from 0 to at least the highest."""
    base = 2 if unit == "bytes" else 10
    if highest <= 0:
        highest = 1
    if base == 2:
        raw = highest / 4
        power = 2 ** math.floor(math.log2(raw))
        step = power if raw <= power else 2 * power
    else:
        raw = highest / 4
        power = 10 ** math.floor(math.log10(raw))
        step = next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= raw * 0.999)
    if unit == "short":
        step = max(step, 0.25 if highest < 1 else 1) if highest <= 4 else step
    return [step * i for i in range(math.ceil(highest / step - 1e-9) + 1)]


def text(x, y, content, size=11, colour=TEXT, anchor="start", weight=""):
    bold = ' font-weight="600"' if weight else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{bold}>{html.escape(content)}</text>'


def path(points):
    """A path through the points, with gaps at None. Points on a straight line between their neighbours are left out."""
    commands, kept = [], []
    for index, point in enumerate(points):
        before, after = points[index - 1] if index else None, points[index + 1] if index + 1 < len(points) else None
        if point is not None and before is not None and after is not None and before[1] == point[1] == after[1]:
            continue
        kept.append(point)
    pen_down = False
    for point in kept:
        if point is None:
            pen_down = False
            continue
        commands.append(f"{'L' if pen_down else 'M'}{point[0]:g},{point[1]:g}")
        pen_down = True
    return "".join(commands)


def runs(values):
    """The indexes of the values, in lists that are divided where there is no value."""
    found, run = [], []
    for index, value in enumerate([*values, None]):
        if value is not None:
            run.append(index)
        elif run:
            found.append(run)
            run = []
    return found


def widths(content):
    return 6 * len(content) + 24


class Panel:
    def __init__(self, panel, prometheus):
        self.panel, self.prometheus = panel, prometheus
        self.unit = panel["fieldConfig"]["defaults"]["unit"]
        self.series = [each for target in panel["targets"] for each in prometheus.series(target["expr"], target["legendFormat"])]
        self.series = [each for each in self.series if any(value is not None for value in each[1])]
        place = panel["gridPos"]
        self.x, self.y = place["x"] * COLUMN + GAP / 2, place["y"] * ROW + GAP / 2
        self.width, self.height = place["w"] * COLUMN - GAP, place["h"] * ROW - GAP

    def svg(self):
        out = [f'<g transform="translate({self.x:g},{self.y:g})">',
               f'<rect width="{self.width}" height="{self.height}" rx="3" fill="#fff" stroke="#d8dee4"/>',
               text(10, 19, self.panel["title"], 13, weight="bold")]
        if not self.series:
            out.append(text(self.width / 2, self.height / 2 + 8, "No data", 13, FAINT, "middle"))
        elif self.panel["type"] == "stat":
            out.extend(self.number())
        else:
            out.extend(self.curves())
        return "\n".join([*out, "</g>"])

    def number(self):
        last = [(name, next(value for value in reversed(values) if value is not None)) for name, values in self.series]
        steps = self.panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
        rows = len(last)
        for row, (name, value) in enumerate(last):
            colour = [step["color"] for step in steps if step["value"] is None or value >= step["value"]][-1]
            if self.unit == "dateTimeFromNow":
                shown = formatted((self.prometheus.end - value / 1000), "s") + " ago"
            else:
                shown = formatted(value, self.unit)
            y = self.height / 2 + 18 if rows == 1 else 50 + row * (self.height - 60) / rows
            yield text(self.width / 2, y, (name + ": " if name and rows > 1 else "") + shown, 32 if rows == 1 else 16,
                       {"red": "#c4162a", "green": "#37872d"}[colour], "middle", "bold")

    def legend(self):
        """The rows of the legend: lists of pairs of a colour and a name."""
        rows, used = [[]], 0
        for index, (name, _) in enumerate(self.series):
            width = widths(name)
            if used + width > self.width - 16 and rows[-1]:
                rows.append([])
                used = 0
            rows[-1].append((COLOURS[index % len(COLOURS)], name))
            used += width
        return rows

    def curves(self):
        legend = self.legend()
        shown = legend[:3]
        left, right, top = 58, self.width - 12, 32
        bottom = self.height - 24 - 15 * len(shown)
        stacked = self.panel["fieldConfig"]["defaults"]["custom"]["stacking"]["mode"] == "normal"
        columns, below, sums = [], [], [0.0] * len(self.series[0][1])
        for _, values in self.series:
            below.append(sums)
            if stacked:
                sums = [total + (value or 0) for total, value in zip(sums, values)]
                columns.append([None if value is None else total for total, value in zip(sums, values)])
            else:
                columns.append(values)
        marks = ticks(max(value for values in columns for value in values if value is not None), self.unit)
        highest = marks[-1]

        def place(index, value):
            return (round(left + (right - left) * index / (len(sums) - 1), 1), round(bottom - (bottom - top) * min(max(value, 0), highest) / highest, 1))

        for mark in marks:
            y = place(0, mark)[1]
            yield f'<path d="M{left},{y:g}H{right}" stroke="#eaeef2"/>'
            yield text(left - 6, y + 4, formatted(mark, self.unit), 10, FAINT, "end")
        yield from self.times(left, right, top, bottom)
        for index, values in enumerate(columns):
            colour = COLOURS[index % len(COLOURS)]
            points = [None if value is None else place(i, value) for i, value in enumerate(values)]
            if stacked:
                for known in runs(values):
                    area = path([place(i, values[i]) for i in known]) + "L" + path([place(i, below[index][i]) for i in reversed(known)])[1:]
                    yield f'<path d="{area}Z" fill="{colour}" fill-opacity=".2"/>'
            alone = [i for i, point in enumerate(points) if point and not (i and points[i - 1]) and not (i + 1 < len(points) and points[i + 1])]
            for i in alone:
                yield f'<circle cx="{points[i][0]:g}" cy="{points[i][1]:g}" r="1.5" fill="{colour}"/>'
            yield f'<path d="{path(points)}" fill="none" stroke="{colour}" stroke-width="1.3"/>'
        for row, entries in enumerate(shown):
            x, y = 10, self.height - 8 - 15 * (len(shown) - 1 - row)
            for colour, name in entries:
                yield f'<path d="M{x},{y - 4}h12" stroke="{colour}" stroke-width="3"/>'
                yield text(x + 16, y, name, 11)
                x += widths(name)
        hidden = sum(map(len, legend[len(shown):]))
        if hidden and shown[-1]:
            yield f'<rect x="{self.width - 90}" y="{self.height - 20}" width="86" height="16" fill="#fff"/>'
            yield text(self.width - 8, self.height - 8, f"and {hidden} more", 11, FAINT, "end")

    def times(self, left, right, top, bottom):
        start, end = self.prometheus.start, self.prometheus.end
        wanted = (end - start) / 4
        step = next((each for each in (60, 120, 300, 600, 1800, 3600) if each >= wanted * 0.75), 7200)
        when = math.ceil(start / step) * step
        while when <= end:
            x = left + (right - left) * (when - start) / (end - start)
            yield f'<path d="M{x:.0f},{top}V{bottom}" stroke="#f3f5f7"/>'
            yield text(x, bottom + 14, time.strftime("%H:%M", time.gmtime(when)), 10, FAINT, "middle")
            when += step


def draw(dashboard, prometheus):
    """The picture, and the titles of the panels without data."""
    parts, empty, height = [], [], 0
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        height = max(height, (place["y"] + place["h"]) * ROW)
        if panel["type"] == "row":
            parts.append(text(6, place["y"] * ROW + 21, panel["title"], 14, weight="bold"))
            continue
        drawn = Panel(panel, prometheus)
        if not drawn.series:
            empty.append(panel["title"])
        parts.append(drawn.svg())
    width = 24 * COLUMN
    head = 44
    title = text(6, 28, dashboard["title"], 18, weight="bold") + text(width - 6, 28, dashboard["description"], 12, FAINT, "end")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + head + GAP}" font-family="Helvetica,Arial,sans-serif">\n'
            f'<rect width="100%" height="100%" fill="#f6f8fa"/>\n{title}\n<g transform="translate(0,{head})">\n' + "\n".join(parts) + "\n</g>\n</svg>\n"), empty


def main(url, directory, start, end, scrape="15"):
    prometheus = Prometheus(url, int(float(start)), int(float(end)), int(scrape))
    out = pathlib.Path(directory)
    out.mkdir(parents=True, exist_ok=True)
    for file in sorted(DASHBOARDS.glob("*.json")):
        picture, empty = draw(json.loads(file.read_text(encoding="utf-8")), prometheus)
        (out / (file.stem + ".svg")).write_text(picture, encoding="utf-8")
        print(f"{file.stem}: {len(picture) // 1000} KB" + (", without data: " + ", ".join(empty) if empty else ""))


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
