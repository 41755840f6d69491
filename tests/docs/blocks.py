"""The fenced blocks of the documents, and the commands in them."""

import collections
import re
import shlex

Block = collections.namedtuple("Block", "page language text")
Command = collections.namedtuple("Command", "page words")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ASSIGNMENT = re.compile(r"\w+=.*")
ENDS = ("&&", "|", ";")


def blocks_of(root):
    pages = sorted([*root.glob("*.md"), *root.glob("docs/*.md")])
    return [Block(page.relative_to(root).as_posix(), *match.groups())
            for page in pages for match in FENCED.finditer(page.read_text())]


def lines_of(text):
    """Yields the words of each line of a shell. One whose quotes are open goes on in the next."""
    pending = ""
    for line in text.splitlines(keepends=True):
        pending += line
        try:
            words = shlex.split(pending, comments=True)
        except ValueError:
            continue
        pending = ""
        yield words
    assert not pending, f"quotes are open at the end of:\n{pending}"


def commands_of(block):
    """Yields the commands of a block, without what they assign to the environment."""
    for words in lines_of(block.text):
        command = []
        for word in [*words, ENDS[0]]:
            if word not in ENDS:
                command.append(word)
                continue
            while command and ASSIGNMENT.fullmatch(command[0]):
                command.pop(0)
            if command:
                yield Command(block.page, command)
            command = []
