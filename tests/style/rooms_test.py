"""Compares includes and link lines with the table of rooms in docs/architecture.md.

usage: rooms_test.py ROOT
"""

import collections
import pathlib
import re
import sys

BANNED = {
    "ATen/ATen.h": "use single-operator headers (ATen/ops/...): 7 s a file against 1.4 s",
    "torch/torch.h": "use single-operator headers (ATen/ops/...): 7 s a file against 1.4 s",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(ATen|c10|torch|caffe2)/")
SIDES = ("broker", "worker", "both")
# The one program that is both the broker and, by a hidden command, a worker.
BOTH_PROGRAMS = "cli"
Room = collections.namedtuple("Room", "names side torch")
INTRINSICS = {"immintrin.h", "omp.h"}


def rooms_of(table_file):
    """The table's rows by room."""
    rooms = {}
    for line in table_file.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and re.fullmatch(r"[a-z_]+", cells[0]) and cells[3] in SIDES:
            names = [name for name in re.split(r",\s*", cells[2]) if name]
            rooms[cells[0]] = Room(names, cells[3], cells[4] == "yes")
    return rooms


def reachable(rooms, room):
    seen = {room}
    for name in rooms[room].names:
        seen |= reachable(rooms, name)
    return seen


def sources_below(directory):
    return sorted(p for p in directory.rglob("*") if p.suffix in (".hpp", ".cpp", ".h", ".cu"))


def includes_of(path):
    return INCLUDE.findall(path.read_text())


def is_standard(include):
    return "/" not in include and "." not in include


def check_room(root, rooms, room, complain):
    allowed = reachable(rooms, room)
    for path in sources_below(root / "harness" / room):
        for include in includes_of(path):
            top = include.split("/")[0]
            if include in BANNED:
                complain(path, include, BANNED[include])
            elif top in rooms and "/" in include and top not in allowed:
                complain(path, include, f"room {room} may include {', '.join(sorted(allowed))}")
            elif TORCH.match(include) and not rooms[room].torch:
                complain(path, include, f"room {room} may not include torch")
    lists = root / "harness" / room / "CMakeLists.txt"
    text = lists.read_text() if lists.exists() else ""
    match = re.search(r"\bDEPENDS\s+([a-z_\s]+)", text)
    linked = set(match[1].split()) if match else set()
    if not set(rooms[room].names) <= linked <= allowed:
        complain(lists, "DEPENDS " + " ".join(sorted(linked)),
                 f"the table says: {', '.join(rooms[room].names)}")
    for target in re.findall(r"RobustKBench::([a-z_]+)", text):
        if target in rooms and target not in allowed:
            complain(lists, target, f"room {room} may link {', '.join(sorted(allowed))}")


def check_sides(root, rooms, complain):
    """The broker's side includes nothing of a worker's, and vice versa."""
    table = root / "docs/architecture.md"
    for room in rooms:
        allowed = {rooms[room].side, "both"}
        for name in sorted(reachable(rooms, room) - {room}):
            if name == BOTH_PROGRAMS:
                complain(table, room, f"no room may include {BOTH_PROGRAMS}")
            elif room != BOTH_PROGRAMS and rooms[name].side not in allowed:
                complain(table, room, f"side {rooms[room].side} may not include {name}, "
                                      f"which is of side {rooms[name].side}")


def check_public_headers(root, complain):
    for path in sources_below(root / "harness/include/robust_kbench"):
        for include in includes_of(path):
            if not (is_standard(include) or re.match(r"(robust_kbench|ATen|c10)/", include)):
                complain(path, include, "a public header includes public headers, std and ATen")


def check_tasks(root, complain):
    for path in sources_below(root / "tasks"):
        plain_kernel = path.stem in ("forward", "backward")
        for include in includes_of(path):
            if is_standard(include):
                continue
            if plain_kernel:
                if not re.match(r"(torch/extension\.h|ATen/cuda/|c10/cuda/)", include):
                    complain(path, include, "a plain kernel includes torch/extension.h and std")
            elif not re.match(r"(robust_kbench/|ATen/ops/|ATen/core/|c10/)", include):
                complain(path, include, "a task includes public headers, std and ATen/ops")


def check_kernels(root, complain):
    common = root / "kernels/common"
    for path in sources_below(root / "kernels"):
        for include in includes_of(path):
            local = (path.parent / include).resolve()
            ours = local.is_file() and (common in local.parents or local.parent == path.parent)
            known = include == "torch/extension.h" or include in INTRINSICS or is_standard(include)
            if not (ours or known):
                complain(path, include, "a kernel includes torch/extension.h, std and kernels/common")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    rooms = rooms_of(root / "docs/architecture.md")
    complaints = []

    def complain(path, what, why):
        complaints.append(f"{path.relative_to(root)}: {what}: {why}")

    directories = {p.name for p in (root / "harness").iterdir() if p.is_dir()} - {"include"}
    if directories != set(rooms):
        complain(root / "docs/architecture.md", ", ".join(sorted(directories ^ set(rooms))),
                 "the table and harness/ name the same rooms")
    for room in sorted(directories & set(rooms)):
        check_room(root, rooms, room, complain)
    check_sides(root, rooms, complain)
    check_public_headers(root, complain)
    check_tasks(root, complain)
    check_kernels(root, complain)
    print("\n".join(complaints) if complaints else f"{len(rooms)} rooms keep to the table")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
