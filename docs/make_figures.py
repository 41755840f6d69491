#!/usr/bin/env python3
"""Writes the measured figures of README.md and docs/ from the recorded runs in docs/runs/.

  docs/make_figures.py            writes them into the pages
  docs/make_figures.py --check    fails where a page differs from the runs, or a run is used nowhere

A page names a figure between two comments, and this program writes what is between them:

  <!-- figures: RUN.NAME --> ... <!-- end -->

RUN is a file docs/runs/RUN.json. NAME is one of its tables, facts or printed texts. The NAME
`origin` is machine, command and date. Columns in brackets, as in `entries[entry,kernel]`, are those
that are shown of a table. `joined.NAME` is a table of several runs.
"""

import argparse
import difflib
import functools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
from figures import table_text, text_of  # noqa: E402

RUNS = ROOT / "docs" / "runs"
MARK = re.compile(r"(<!-- figures: (\S+) -->)(.*?)(<!-- end -->)", re.DOTALL)
NAME = re.compile(r"(\w+)\.(\w+)(?:\[([^\]]*)\])?")


@functools.cache
def run(name):
    path = RUNS / f"{name}.json"
    if not path.exists():
        sys.exit(f"{path.relative_to(ROOT)} is missing: record the run, or mend the mark in the page")
    return json.loads(path.read_text())


def part_of(table, columns):
    """The named columns of a table, or all of it."""
    if not columns:
        return table["columns"], table["rows"]
    unknown = set(columns) - set(table["columns"])
    if unknown:
        sys.exit(f"a table has no column {', '.join(unknown)}; it has {', '.join(table['columns'])}")
    places = [table["columns"].index(column) for column in columns]
    return columns, [[row[place] for place in places] for row in table["rows"]]


def forward_speedups():
    """The speed-ups of each shipped forward kernel on the CPU and on the GPU."""
    on_gpu = {row[0]: row[1:] for row in part_of(
        run("h100")["tables"]["entries"], ["entry", "eager / kernel", "compile / kernel"])[1]}
    on_cpu = part_of(run("cpu_demo")["tables"]["entries"], ["entry", "eager / kernel"])[1]
    columns = ["entry", "CPU, over eager", "H100, over eager", "H100, over torch.compile"]
    return table_text(columns, [[*row, *on_gpu[row[0]]] for row in on_cpu
                                 if row[0].endswith(" forward")])


def origin(recorded):
    """The machine, the command and the date of a run."""
    command = recorded["command"]
    command = command if command == "named in each row" else f"`{command}`"
    return f"\n**Machine**: {recorded['machine']}.\n**Command**: {command}, {recorded['date']}.\n"


JOINED = {"forward_speedups": (forward_speedups, ["cpu_demo", "h100"])}


def figure(name):
    match = NAME.fullmatch(name)
    if match is None:
        sys.exit(f"figures: {name}: write RUN.NAME or RUN.NAME[COLUMN,...], without spaces")
    source, key, columns = match.groups()
    if source == "joined":
        return "\n" + JOINED[key][0]()
    recorded = run(source)
    if key in recorded.get("tables", {}):
        wanted = [c.replace("_", " ") for c in columns.split(",")] if columns else []
        return "\n" + table_text(*part_of(recorded["tables"][key], wanted))
    if key in recorded.get("printed", {}):
        return "\n```\n" + "\n".join(recorded["printed"][key]) + "\n```\n"
    if key == "origin":
        return origin(recorded)
    for values in (recorded.get("facts", {}), recorded):
        if key in values:
            return text_of(values[key])
    sys.exit(f"docs/runs/{source}.json has no {key}")


def unused_runs(pages):
    marks = [NAME.fullmatch(mark[2]) for text in pages.values() for mark in MARK.finditer(text)]
    named = {mark[1] for mark in marks if mark}
    for mark in marks:
        if mark and mark[1] == "joined":
            named.update(JOINED[mark[2]][1])
    return sorted(path.stem for path in RUNS.glob("*.json") if path.stem not in named)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    pages = {path: path.read_text() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]}
    complaints = [f"docs/runs/{name}.json is used by no page\n" for name in unused_runs(pages)]
    for path, text in pages.items():
        made = MARK.sub(lambda mark: mark[1] + figure(mark[2]) + mark[4], text)
        if made == text:
            continue
        if check:
            name = str(path.relative_to(ROOT))
            complaints += difflib.unified_diff(
                text.splitlines(True), made.splitlines(True), name, f"{name} by its runs")
        else:
            path.write_text(made)
    if complaints:
        sys.exit("".join(complaints) + "run docs/make_figures.py")


if __name__ == "__main__":
    main()
