"""Treats each request as its batch size says, and answers as the importer does."""

import json
import os
import pathlib
import sys
import time

for request in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    batch = request["params"]["batch"]
    print("torch may print this", flush=True)
    if batch == 5:
        answer = {"refused": {"reason": "torch refuses it", "remedy": "use eager"}}
    elif batch == 1:
        os._exit(3)
    elif batch == 2:
        time.sleep(1000)
    else:
        assert pathlib.Path(request["package"]).exists()
        pathlib.Path(request["out"]).write_text(json.dumps(request))
        answer = {"seconds": 0.5}
    print(json.dumps(answer), flush=True)
