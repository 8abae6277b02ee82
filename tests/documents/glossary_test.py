# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/text/ShortText.cpp, simulator/report/html/RunPage.cpp.
"""Every word that the ten lines of a run and its page use as a label or count things with, and every unit, is explained
in the glossary (dialects/README.md), or is plain English, listed here."""
import html
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIF = ROOT / "models" / "lif"
PLAIN = set("""a across active all and answer area at be beside busy by cause choice count depend detail different down end
error every few first float for format formula from full geometry go goes has held high how in integer it its kind label large
largest last layer leakage like limit link look low many mean metric more most name none of on one or other out own part
per picture port price provenance read resource result right rough sample shape share size small source stay step that the time to
together total type unit use used value was weight what whatever where which who whole whom with word worst zeroed
accuracy class correct critical error event neuron network chip core tile energy latency memory power table
bit ns pj sha colour looked predicted run changed cut clipped conventional convolution digit frame model rank reason row slowest state
figure is leave no over process published remedy same term why
""".split())


def singular(word):
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def known_words():
    text = (ROOT / "dialects" / "README.md").read_text()
    text = text[text.index("## Glossary"):]
    known = set()
    for row in re.findall(r"^\| ([^|]+) \| [^|]+\|$", text, re.M):
        known |= {singular(word.strip().lower()) for word in row.split(",")}
    return known - {"word", "---"}


def labels_of_lines(text):
    labels = re.findall(r"^([A-Z][A-Za-z ]+):", text, re.M)
    critical = re.search(r"critical path: ([^;]+);", text)
    labels += ["critical path"] + re.findall(r"([a-z ]+) \d+ %", critical[1])
    return labels + re.findall(r"; ([a-z ]+) [\d.]+ % full", text)


def labels_of_page(text):
    text = text[:text.index("<script")] if "<script" in text else text
    found = re.findall(r"<h[23][^>]*>(.*?)</h[23]>|<th scope=\"col\"[^>]*>(.*?)</th>", text, re.S)
    return [html.unescape(re.sub("<.*?>", "", a or b)) for a, b in found]


def unknown(labels, known):
    missing = {}
    for label in labels:
        words = re.sub(r"\(.*?\)|[^a-z\- ]", " ", label.lower()).split()
        whole = " ".join(map(singular, words))
        for word in [] if whole in known or " ".join(words) in known else words:
            if singular(word) not in known | PLAIN and word not in known | PLAIN:
                missing.setdefault(word, label)
    return missing


def units_of(text):
    """What stands behind numbers and in the brackets of headings, where it is a unit."""
    text = html.unescape(text[:text.index("<script")] if "<script" in text else text)
    found = re.findall(r"\d[ \xa0]([A-Za-zµ²]+)(?![A-Za-zµ²])", re.sub("<[^>]*>", " ", text))
    found += re.findall(r"\(([^() ]+)\)</t[hd]>", text)
    return {unit for unit in found if re.fullmatch(r"[fpnuµmkMG]?(J|s|W|m|m²|V|A|Hz|B)", unit)}


def counted(text):
    return [noun for noun in re.findall(r"\d ([a-z]+)\b", text) if noun not in units_of(text)]


known = known_words()
units = re.search(r"^\| unit \| (.*) \|$", (ROOT / "dialects/README.md").read_text(), re.M)[1]
assert units_of("5 uJ, 3 to 4 cores, <th>x (ns)</th>") == {"uJ", "ns"}
assert unknown(["Energy by flurb"], known) == {"flurb": "Energy by flurb"} and not unknown(["Energy by tile"], known)
with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder) / "run.html"
    lines = subprocess.run([sys.argv[1], "run", LIF / "shapes_lif.nir", "--target", "loihi1", "--calibrate", LIF / "calib_x.npy",
                            "--input", LIF / "test_x.npy", "--labels", LIF / "test_y.npy", "--engine", "cycle", "--html", page],
                           check=True, capture_output=True, text=True).stdout
    labels = labels_of_lines(lines) + labels_of_page(page.read_text()) + counted(lines)
    used = units_of(lines) | units_of(page.read_text())
missing = unknown(labels, known)
missing.update({unit: "a unit" for unit in used - set(re.findall(r"[A-Za-zµ²]+", units))})
for word, label in missing.items():
    print(f"FAILED '{word}' of '{label}' is neither in the glossary nor plain English")
print(f"{len(labels)} labels, {len(known)} words in the glossary, {len(used)} units, {len(missing)} missing")
sys.exit(1 if missing or len(labels) < 60 or len(used) < 6 else 0)
