"""The task that docs/tasks.md shows is the task that is built."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
shown = re.findall(r"```cpp\n(.*?)```", (root / "docs/tasks.md").read_text(), re.DOTALL)
built = (root / "tasks/mnist_cross_entropy/task.cpp").read_text()
if built not in shown:
    sys.exit("docs/tasks.md does not show tasks/mnist_cross_entropy/task.cpp as it is; copy it there")
