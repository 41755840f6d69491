#!/usr/bin/env python3
"""browser_test.py PAGE_SAMPLES SOURCE_DIRECTORY LIBRARY: opens sample pages in headless Chromium.

The pages must give no error on the console, draw marks in every chart, sort tables and open code by
a click. Text of kernels must stay text. The time until a page is laid out is printed. Without
Chromium or the library of charts the test is skipped, by exit code 77.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LIBRARY = "echarts-6.0.0.min.js"
# Printed by the benchmark; the limit only stops a page that has become unusable.
SLOWEST_MS = 30_000

# Runs first, so that it sees each error.
WATCH = """
const errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("securitypolicyviolation", (event) => errors.push(event.violatedDirective));
for (const kind of ["error", "warn"]) console[kind] = (...words) => errors.push(words.join(" "));
"""
# Runs once the page is shown. Charts are drawn when it ends.
ACT = """
const layout = document.body.offsetHeight;
const milliseconds = performance.now();
const firstTable = document.querySelector("table");
const column = (table, i) => [...table.tBodies[0].rows].map((row) => row.cells[i].textContent);
const sorted = [];
for (let i = 0; i < 2; ++i) {
  firstTable.querySelector("th button").click();
  sorted.push(column(firstTable, 0));
}
for (const fold of document.querySelectorAll("details.fold")) {
  fold.open = true;
  fold.dispatchEvent(new Event("toggle"));
}
if (targets.has("proposal-2")) openTarget("proposal-2");
"""
# Counts the marks of a chart by its series' colours, without those of its legend.
REPORT = """
const style = look();
const colors = new Set([...style.series, style.good, style.bad, style.odd]);
const charts = [...document.querySelectorAll("[data-chart]")].map((place) => {
  const paths = [...place.querySelectorAll("path, circle, rect, polyline")];
  const isMark = (path) => ["fill", "stroke"].some((name) => colors.has(path.getAttribute(name)));
  const { chart, drawn } = liveCharts.get(place);
  const names = drawn.getOption().legend?.length ? chart.series.length : 0;
  return { type: place.dataset.chart, marks: paths.filter(isMark).length - names, table: place.nextSibling.querySelectorAll("td").length };
});
const report = { errors, charts, milliseconds, sorted, wasRun: window.wasRun ?? 0, images: document.images.length,
  text: document.querySelector("main").innerText, diff: document.querySelectorAll(".line.added").length,
  code: document.querySelectorAll("pre.code .token-word").length, tables: document.querySelectorAll("table").length };
const element_of_report = document.createElement("pre");
element_of_report.id = "report";
element_of_report.textContent = JSON.stringify(report);
document.body.append(element_of_report);
"""


def find_browser():
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


def with_probes(page):
    """The page with the three scripts, which its policy allows by its own nonce."""
    opening = re.search(r'<script nonce="\w+">', page)[0]
    script = lambda text: f"{opening}{text}</script>"
    page = page.replace("</title>", "</title>" + script(WATCH), 1)
    before, after = page.rsplit("</body>", 1)  # the library has the word in a text
    return before + script(ACT) + script(REPORT) + "</body>" + after


def opened(browser, file):
    """What the scripts report of a page."""
    probed = file.with_suffix(".probed.html")
    probed.write_text(with_probes(file.read_text(encoding="utf-8")), encoding="utf-8")
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={profile}", "--window-size=1200,2000", "--dump-dom", probed.as_uri()],
            capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="report">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, f"the scripts of {file.name} did not end: {done.stdout[-500:]}{done.stderr[-500:]}"
    return json.loads(html.unescape(found[1]))


class Pages(unittest.TestCase):
    """Each page is opened once for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        source = pathlib.Path(SOURCE)
        subprocess.run([SAMPLES, source / "tests/golden/records.json", source / "page", LIBRARY_PLACE,
                        cls.scratch.name], check=True)
        cls.reports = {file.stem: opened(BROWSER, file)
                       for file in sorted(pathlib.Path(cls.scratch.name).glob("*.html"))}

    def test_console_stays_empty_and_text_stays_text(self):
        for name, report in self.reports.items():
            with self.subTest(page=name):
                self.assertEqual(report["errors"], [])
                self.assertEqual((report["wasRun"], report["images"]), (0, 0))
        for name in ("records", "evolution", "history"):
            self.assertIn("</script><img src=x onerror=", self.reports[name]["text"])

    def test_every_chart_has_marks_and_a_table(self):
        types = {"records": ["intervals", "distribution", "bars"], "history": ["lines", "lines"],
                 "evolution": ["lines", "lines", "tree", "bars", "bars", "bars", "bars"]}
        for name, expected in types.items():
            charts = self.reports[name]["charts"]
            self.assertEqual([chart["type"] for chart in charts], expected, name)
        for name, report in self.reports.items():
            for chart in report["charts"]:
                with self.subTest(page=name, chart=chart["type"]):
                    self.assertGreater(chart["marks"], 0)
                    self.assertGreater(chart["table"], 0)

    def test_tables_sort_by_click(self):
        for name in ("records", "2000_kernels"):
            up, down = self.reports[name]["sorted"]
            self.assertGreater(len(up), 3)
            self.assertNotEqual(up, down)
        up, down = self.reports["records"]["sorted"]
        self.assertEqual(up, down[::-1])

    def test_code_opens_on_click(self):
        report = self.reports["evolution"]
        self.assertIn("What it changes in proposal 1", report["text"])
        self.assertEqual(report["diff"], 2)
        self.assertGreater(report["code"], 0)

    def test_page_without_charts_has_the_tables(self):
        report = self.reports["without_charts"]
        self.assertEqual(report["charts"], [])
        self.assertGreater(report["tables"], 5)
        self.assertIn("3.90..4.10", report["text"])

    def test_pages_of_few_and_many_kernels_open(self):
        for name in ("1_kernel", "2000_kernels"):
            print(f"{name}: laid out after {self.reports[name]['milliseconds']:.0f} ms")
            self.assertLess(self.reports[name]["milliseconds"], SLOWEST_MS)


if __name__ == "__main__":
    SAMPLES, SOURCE, LIBRARY_PLACE = sys.argv[1:]
    BROWSER = find_browser()
    if BROWSER is None:
        print("no Chromium is in PATH; install it: apt-get install chromium")
        sys.exit(SKIPPED)
    if not (pathlib.Path(LIBRARY_PLACE) / LIBRARY).exists():
        print(f"the library of charts is missing; run: {SOURCE}/page/install.py {LIBRARY_PLACE}")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
