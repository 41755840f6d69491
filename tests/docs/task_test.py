"""The tasks in docs/tasks.md equal tasks of the build."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
shown = re.findall(r"```cpp\n(.*?)```", (root / "docs/tasks.md").read_text(), re.DOTALL)
for source in ("tasks/mnist_cross_entropy/task.cpp", "tests/unit/tensor/moments_task.cpp"):
    if (root / source).read_text() not in shown:
        sys.exit(f"docs/tasks.md does not show {source} as it is; copy it there")
