"""`python -m robust_kbench_llm [--keys-fd N]`: answers the lines of JSON on its standard input."""

import sys

LEAST_PYTHON = (3, 11)

# The modules behind this one need that Python even to be compiled, so the check comes first.
if sys.version_info < LEAST_PYTHON:
    sys.exit("robust_kbench_llm: this is Python %d.%d; it needs Python %d.%d or newer"
             % (sys.version_info[:2] + LEAST_PYTHON))

from robust_kbench_llm.server import main  # noqa: E402

if __name__ == "__main__":
    main(sys.argv[1:])
