"""What a kernel can see is drawn by core/cipher.hpp alone, so that it tells nothing of what follows.

usage: generators_test.py ROOT
"""

import pathlib
import re
import sys

DRAWS = re.compile(r"\bstd::(?:mt19937\w*|minstd_rand0?|ranlux\w+|default_random_engine|"
                   r"random_device)\b|\b(?:mix|s?rand|[dlm]rand48)\(|\bSplitMix\b|"
                   r"\b(?:at|torch)::(?:rand\w*|normal|manual_seed)\(")
# Searches, samples of measured times, hashes, and the functions that kernels call themselves. No
# kernel sees numbers of the others.
ALLOWED = {
    "harness/core/seed.hpp", "harness/core/statistics.cpp", "harness/prompt/recommendations.cpp",
    "harness/propose/llm_proposer.cpp", "harness/shim/functions.cpp", "harness/source/split_mix.hpp",
    "harness/tune/parameter_search.cpp", "harness/tune/parameter_search.hpp",
    "harness/verify/vote_ranking.cpp"}


def main():
    root = pathlib.Path(sys.argv[1])
    code = re.compile(r"//.*|\"(?:[^\"\\]|\\.)*\"")
    drawing = {str(path.relative_to(root)) for path in (root / "harness").rglob("*.[ch]pp")
               if DRAWS.search(code.sub("", path.read_text()))}
    print(*sorted(drawing - ALLOWED), f"{len(drawing)} files draw numbers themselves", sep="\n")
    return 0 if drawing == ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
