# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Curves with bars and bands as SVG, in two panels; for tradeoff.py."""
import math

WIDTH, HEIGHT, LEFT, TOP = 380, 260, 55, 30  # of a panel, and its margins
COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#555555")


class Panel:
    """One pair of axes; x is logarithmic, y too if `log`."""

    def __init__(self, index, title, x, y, log):
        self.offset, self.log, self.parts = index * (WIDTH + LEFT + 20) + LEFT, log, []
        self.x, self.y = (math.log(x[0]), math.log(x[1])), tuple(map(self.scaled, y))
        self.text(self.offset, TOP - 12, title, 12)
        self.parts.append(f'<rect x="{self.offset}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" '
                          'fill="none" stroke="#888"/>')

    def scaled(self, value):
        return math.log(value) if self.log else value

    def at(self, x, y):
        """Where a point lies on the page."""
        right = (math.log(x) - self.x[0]) / (self.x[1] - self.x[0])
        up = (self.scaled(y) - self.y[0]) / (self.y[1] - self.y[0])
        return f"{self.offset + right * WIDTH:.1f}", f"{TOP + (1 - up) * HEIGHT:.1f}"

    def text(self, x, y, words, size=10, anchor="start"):
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}">'
                          f"{words}</text>")

    def ticks(self, x, y, label):
        for value in x:
            right, _ = self.at(value, math.exp(self.y[0]) if self.log else self.y[0])
            self.text(right, TOP + HEIGHT + 14, f"{value:g}", anchor="middle")
        for value in y:
            _, down = self.at(math.exp(self.x[0]), value)
            self.text(self.offset - 5, float(down) + 3, f"{value:g}", anchor="end")
        self.text(self.offset + WIDTH / 2, TOP + HEIGHT + 30, label, anchor="middle")

    def path(self, points, colour, dashed, width=1.5):
        where = " ".join(",".join(self.at(*point)) for point in points)
        dash = ' stroke-dasharray="5 3"' if dashed else ""
        self.parts.append(f'<polyline points="{where}" fill="none" stroke="{colour}" '
                          f'stroke-width="{width}"{dash}/>')

    def band(self, lower, upper, colour):
        where = " ".join(",".join(self.at(*p)) for p in [*lower, *reversed(upper)])
        self.parts.append(f'<polygon points="{where}" fill="{colour}" fill-opacity="0.12"/>')

    def mark(self, x, y, colour, sign):
        right, down = self.at(x, y)
        self.parts.append(f'<text x="{right}" y="{float(down) + 6:.1f}" font-size="18" '
                          f'text-anchor="middle" fill="{colour}">{sign}</text>')


def page(panels):
    width = len(panels) * (WIDTH + LEFT + 20) + 10
    body = "\n".join(part for panel in panels for part in panel.parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + 45}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')
