#!/usr/bin/env python3
"""The labelled set of kernels by which verifiers are judged and tuned (docs/verifiers.md).

usage: mutant_set.py label BUILD [--work DIR]   evaluates mutants, and writes labels.json
       mutant_set.py make BUILD SET             writes the set with its sources

BUILD is a build's directory, as build/robust. labels.json has no sources: it names kernels of the
repository and the rules that change them.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LABELS = HERE / "labels.json"
VERIFIERS = ("compilation", "memory", "numerics")
# No task is in both splits. These tasks have ten right kernels, and the others more than fifteen.
HELD_OUT = {"mnist_cross_entropy", "mnist_conv_relu_pool", "llama_ffw", "resnet_block",
            "unet_conv2d"}
PER_SPLIT = {"tune": 30, "held_out": 20}
# The number of mutants to evaluate, by intent. Many memory errors have no effect that a CPU shows.
TRIED = {"tune": {"compilation": 22, "memory": 64, "numerics": 26},
         "held_out": {"compilation": 15, "memory": 44, "numerics": 18}}
FOUND_CHARACTERS = 300

Kernel = collections.namedtuple("Kernel", "path task direction")


def right_kernels(suffix):
    """The right kernels of the repository with this suffix: plain ones, then shipped ones."""
    plain = [Kernel(path, path.parent.name, path.stem)
             for path in sorted(ROOT.glob(f"tasks/*/*ward{suffix}"))]
    shipped = [Kernel(path, path.parent.parent.name, path.parent.name)
               for path in sorted(ROOT.glob(f"kernels/*/*ward/*{suffix}"))]
    return plain + shipped


def split_of(task):
    return "held_out" if task in HELD_OUT else "tune"


def digest(source):
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def run_tool(build, *arguments):
    return json.loads(subprocess.run([build / "tests/mutants/mutants", *arguments], check=True,
                                     capture_output=True, text=True).stdout)


def candidates(build, suffix=".cpp"):
    """All mutants of the right kernels, and these themselves, which have no rule."""
    kernels = {str(kernel.path): kernel for kernel in right_kernels(suffix)}
    found = [{"kernel": path, "intent": "", "rule": "", "place": 0,
              "source": pathlib.Path(path).read_text(encoding="utf-8")} for path in kernels]
    found += run_tool(build, "list", *kernels)
    for candidate in found:
        kernel = kernels[candidate["kernel"]]
        candidate.update(task=kernel.task, direction=kernel.direction,
                         kernel=str(kernel.path.relative_to(ROOT)),
                         hash=digest(candidate["source"]))
    return found


def spread(items, count, most_per_kernel):
    """Up to `count` items, from all rules in turn, of as many different kernels as possible."""
    by_rule = collections.defaultdict(list)
    for item in sorted(items, key=lambda item: item["hash"]):
        by_rule[item["rule"]].append(item)
    taken, per_kernel = [], collections.Counter()
    while by_rule and len(taken) < count:
        for rule in sorted(by_rule):
            waiting = by_rule[rule]
            best = min(waiting, key=lambda item: per_kernel[item["kernel"]])
            if per_kernel[best["kernel"]] >= most_per_kernel:
                del by_rule[rule]
                continue
            waiting.remove(best)
            if not waiting:
                del by_rule[rule]
            taken.append(best)
            per_kernel[best["kernel"]] += 1
            if len(taken) == count:
                break
    return taken


def kernels_of(records):
    """The records of a file, or those that a run kept beside it until it was cut off."""
    if records.exists():
        return json.loads(records.read_text(encoding="utf-8"))["kernels"]
    kept = records.with_name(records.name + ".part")
    if not kept.exists():
        return []
    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines() if line]
    return [line for line in lines if "path" in line]


def evaluated(records):
    """The paths of the kernels that an earlier run of this script has evaluated."""
    return {kernel["path"] for kernel in kernels_of(records)} if records.exists() else set()


def evaluate_entry(build, items, records):
    """Writes the evaluator's records of kernels of one task and direction."""
    if {str(item["path"]) for item in items} <= evaluated(records):
        return
    task, direction = items[0]["task"], items[0]["direction"]
    print(f"{task} {direction}: {len(items)} kernels", flush=True)
    # The evaluator's status is not checked, since refused kernels give it one of their own.
    subprocess.run([build / "bin/rkb", "evaluate", "--task", task, "--direction", direction,
                    "--no-bench", "--jobs", "2", "--call-timeout", "20", "--json", records,
                    *[item["path"] for item in items]], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write_sources(work, chosen):
    """Writes a file for each mutant, and returns the mutants by the file of their records."""
    # Shipped kernels find their common/ beside them.
    shutil.copytree(ROOT / "kernels/common", work / "common", dirs_exist_ok=True)
    entries = collections.defaultdict(list)
    for item in chosen:
        kernel = pathlib.Path(item["kernel"])
        name = "_".join(filter(None, [kernel.stem, item["rule"], item["hash"][:8]]))
        item["path"] = work / item["task"] / item["direction"] / f"{name}{kernel.suffix}"
        item["path"].parent.mkdir(parents=True, exist_ok=True)
        item["path"].write_text(item["source"], encoding="utf-8")
        entries[item["task"], item["direction"]].append(item)
    return {work / f"{task}_{direction}.json": items
            for (task, direction), items in sorted(entries.items())}


def evaluate(build, work, chosen, at_a_time=1):
    """The files of the evaluator's records, made for some entries at a time."""
    files = write_sources(work, chosen)
    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        for done in [pool.submit(evaluate_entry, build, items, file) for file, items in files.items()]:
            done.result()
    return list(files)


def verdicts_of(files):
    """The verdict of each kernel by its path, in the evaluator's records."""
    return {kernel["path"]: kernel["verdict"] for file in files for kernel in kernels_of(file)}


def finding(text, path):
    """The beginning of a finding, without its replay command and without names of files."""
    text = text.split("\nrkb test ")[0]
    for name in (str(path), path.name):
        text = text.replace(name, "kernel.cpp")
    text = text.replace(str(path.parents[2]) + "/", "").replace(str(ROOT) + "/", "")
    return re.sub(r"/tmp/\w+/", "", text)[:FOUND_CHARACTERS]


def select(labelled):
    """As many wrong kernels as right ones for each verifier and split."""
    for verifier in VERIFIERS:
        for split, count in PER_SPLIT.items():
            known = [item for item in labelled
                     if verifier in item["truth"] and split_of(item["task"]) == split]
            wrong = [item for item in known if not item["truth"][verifier]["valid"]]
            right = [item for item in known if item["truth"][verifier]["valid"]]
            # Half of the right ones are changed, too, so that a change is no sign of an error.
            changed = spread([item for item in right if item["rule"]], count // 4, 2)
            whole = spread([item for item in right if not item["rule"]],
                           count // 2 - len(changed), 1)
            taken = spread(wrong, count // 2, 3) + changed + whole
            print(f"{verifier} {split}: {len(wrong)} wrong, {len(right)} right, {len(taken)} taken")
            if len(taken) < count:
                print("  too few: raise TRIED")
            for item in taken:
                truth = dict(item["truth"][verifier], split=split)
                item.setdefault("labels", {})[verifier] = truth
    return [item for item in labelled if "labels" in item]


def label(build, work):
    everything = candidates(build)
    chosen = [item for item in everything if not item["rule"]]
    for split, tried in TRIED.items():
        for intent, count in tried.items():
            meant = [item for item in everything
                     if item["intent"] == intent and split_of(item["task"]) == split]
            chosen += spread(meant, count, 6)
    work.mkdir(parents=True, exist_ok=True)
    truths = run_tool(build, "truths", *evaluate(build, work.resolve(), chosen))
    for item in chosen:
        item["truth"] = truths.get(str(item["path"]), {})
        for truth in item["truth"].values():
            truth["found"] = finding(truth["found"], item["path"])
    kept = sorted(select(chosen), key=lambda item: (item["kernel"], item["rule"], item["place"]))
    columns = ("kernel", "task", "direction", "rule", "place", "hash", "labels")
    rows = [{name: item[name] for name in columns} for item in kept]
    LABELS.write_text('{"version": 1, "device": "cpu", "kernels": [\n'
                      + ",\n".join(json.dumps(row) for row in rows) + "\n]}\n", encoding="utf-8")
    print(f"{len(rows)} kernels in {LABELS}")


def labelled_set(build):
    """The content of a set: labels.json with sources."""
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    sources = {(item["kernel"], item["rule"], item["place"]): item for item in candidates(build)}
    kernels = []
    for row in labels["kernels"]:
        made = sources.get((row["kernel"], row["rule"], row["place"]))
        if made is None or made["hash"] != row["hash"]:
            raise SystemExit(f"{row['kernel']} has changed since it was labelled: run "
                             "tests/mutants/mutant_set.py label BUILD, and commit labels.json")
        name = f"{row['task']}.{row['direction']}.{pathlib.Path(row['kernel']).stem}"
        if row["rule"]:
            name += f".{row['rule']}.{row['place']}"
        kernels.append({"name": name, "task": row["task"], "direction": row["direction"],
                        "source": made["source"], "labels": row["labels"]})
    return {"version": labels["version"], "device": labels["device"], "kernels": kernels}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    labelling = commands.add_parser("label")
    labelling.add_argument("build", type=pathlib.Path)
    labelling.add_argument("--work", type=pathlib.Path, help="default: BUILD/mutants")
    making = commands.add_parser("make")
    making.add_argument("build", type=pathlib.Path)
    making.add_argument("set", type=pathlib.Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if arguments.command == "label":
        label(build, arguments.work or build / "mutants")
    else:
        arguments.set.write_text(json.dumps(labelled_set(build), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
