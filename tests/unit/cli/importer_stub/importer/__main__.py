"""Treats each source as its text says, and answers as the importer does."""

import json
import os
import pathlib
import socket
import time

from .sources import listed, options


def reach_out():
    """The parts of the world outside of the sandbox that can be reached."""
    found = []
    try:
        pathlib.Path(__file__).with_name("written.txt").write_text("")
        found.append("files")
    except OSError:
        pass
    try:
        socket.create_connection(("127.0.0.1", 9), 1)
        found.append("network")
    except ConnectionRefusedError:
        found.append("network")
    except OSError:
        pass
    return found


def imported(source, out):
    text = pathlib.Path(source["source"]).read_text().strip()
    if text == "refuse":
        return {"refused": {"reason": "it is random", "remedy": "seed it"}}
    if text == "hang":
        time.sleep(1000)
    if text == "exit":
        os._exit(3)
    if text == "reach out":
        return {"refused": {"reason": f"reached {reach_out()}", "remedy": "none"}}
    out.mkdir(parents=True, exist_ok=True)
    package = json.loads(pathlib.Path(__file__).with_name("package.json").read_text())
    package |= {"name": source["name"], "made_with": source["made_with"],
                "out_arguments": given.out_arguments}
    if text == "wrong":
        package["graphs"][0]["nodes"][0]["op"] = "aten::from_file"
    (out / (source["name"] + ".task.json")).write_text(json.dumps(package))
    return {"package": "anywhere", "notes": package["notes"]}


given = options()
for one in listed(given):
    print("a source may print this", flush=True)
    print(json.dumps({"source": one["source"], "seconds": 0.5, **imported(one, pathlib.Path(given.out))}),
          flush=True)
