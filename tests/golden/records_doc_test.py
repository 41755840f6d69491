"""Compares the tables of docs/records.md with the approved records beside this file.

The unit tests of core compare these records with the code, which reads them and writes them again
without a difference.

usage: records_doc_test.py ROOT
"""

import json
import pathlib
import re
import sys

# Sections that no approved record covers.
UNHELD = {"Benchmark file", "Solution"}
# Maps the table's name of an object's type to the section that describes it.
OBJECTS = {
    "kernel": "Kernel",
    "case": "Case",
    "error": "Error",
    "example": "Example",
    "timing": "Timing",
    "roofline": "Roofline",
    "subject": "Subject",
    "speed-up": "Speed-up",
    "estimate": "Estimate",
    "profile": "Profile",
    "tool": "Tool",
    "finding": "Finding",
    "advice": "Advice",
    "sandbox": "Sandbox",
    "use": "Use",
    "rival": "Rival",
    "machine": "Machine",
    "solution": "Solution",
}


def sections_of(page):
    """Field to type, by section."""
    sections = {}
    for line in page.read_text().splitlines():
        if line.startswith("## "):
            section = sections.setdefault(line[3:], {})
        row = re.fullmatch(r"\| `(\w+)` \| ([^|]+) \| [123] \| [^|]+ \|", line)
        if row:
            section[row[1]] = row[2]
    return sections


def is_of_plain_type(value, name):
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": number,
        "boolean": isinstance(value, bool),
    }[name]


class Page:
    def __init__(self, page):
        self.sections = sections_of(page)
        self.seen = set()  # (section, field) that had a value other than null or an empty list
        self.complaints = []

    def check_object(self, value, section, where):
        fields = self.sections.get(section, {})
        for field in sorted(set(value) ^ set(fields)):
            here = "the record" if field in value else "the page"
            self.complaints.append(f"{where}: only {here} has '{field}' (section {section})")
        for field in set(value) & set(fields):
            if value[field] not in (None, []):
                self.seen.add((section, field))
            self.check_type(value[field], fields[field], f"{where}.{field}")

    def check_type(self, value, name, where):
        if name.endswith(" or null"):
            if value is None:
                return
            name = name.removesuffix(" or null")
        if name.startswith("list of "):
            if not isinstance(value, list):
                self.complaints.append(f"{where}: {value!r} is no list")
                return
            element = name.removeprefix("list of ").replace("lists of", "list of")
            if not element.startswith("list of "):
                element = element.removesuffix("s")
            for i, one in enumerate(value):
                self.check_type(one, element, f"{where}[{i}]")
        elif name in OBJECTS:
            self.check_object(value, OBJECTS[name], where)
        elif not is_of_plain_type(value, name):
            self.complaints.append(f"{where}: {value!r} is no {name}")

    def check_coverage(self):
        for section, fields in self.sections.items():
            if section in UNHELD:
                continue
            for field in fields:
                if (section, field) not in self.seen and (section, field) != ("Build record",
                                                                              "cheat_class"):
                    self.complaints.append(f"section {section}: no approved record has '{field}'")


def main():
    root = pathlib.Path(sys.argv[1])
    page = Page(root / "docs/records.md")
    for name, section in [("records", "Record file"), ("build_record", "Build record")]:
        record = json.loads((root / f"tests/golden/{name}.json").read_text())
        page.check_object(record, section, name)
    page.check_coverage()
    print("\n".join(page.complaints) or "docs/records.md describes the records")
    return 1 if page.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
