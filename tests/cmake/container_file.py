"""Reads the instructions of the Containerfile."""

import re


def stages_of(text):
    """Returns the instructions of each stage, as pairs of a keyword and its words."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    stages = []
    for line in lines:
        if not line or line.startswith("#"):
            continue
        keyword, words = line.split(maxsplit=1)
        if keyword == "FROM":
            stages.append([])
        stages[-1].append((keyword, words))
    return stages


def packages_of(stage):
    """Returns the Debian packages that a stage installs by name."""
    commands = [words for keyword, words in stage if keyword == "RUN"]
    lists = [re.findall(r"apt-get install -y --no-install-recommends ([^&]*)", command)
             for command in commands]
    return {word for found in lists for names in found for word in names.split()}
