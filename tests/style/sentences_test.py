"""Every sentence of the comments and the documents is short, and none begins with "Of".

usage: sentences_test.py ROOT

An indented line of a comment is code, a formula or a table's row. Each of its cells is judged
alone, as is each cell of a table in Markdown. A span of code counts as one word.
"""

import io
import itertools
import pathlib
import re
import sys
import tokenize

MOST_WORDS = 25
DIRECTORIES = (".ci", "benchmarks", "client", "cmake", "docs", "examples", "harness", "importer", "kernels",
               "llm", "packaging", "tasks", "tests")
CODE_SPAN = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
SENTENCE = re.compile(r"\S.*?(?:[.!?][\"')\]*]*(?=\s)|\Z)", re.DOTALL)
WORD = re.compile(r"[\w'.-]*\w[\w'.-]*")
LIST_ITEM = re.compile(r"(?:[-*]|\d+[.])\s+")
COLUMN_GAP = re.compile(r"\s{2,}")
FENCED = re.compile(r"^\s*```.*?^\s*```", re.DOTALL | re.MULTILINE)
# A // or # in a literal begins no comment. C++ also has ' in numbers, so it needs its own pattern.
CPP_LITERAL = re.compile(r"""'(?:\\.|[^'\\])'|"(?:\\.|[^"\\])*\"""")
SCRIPT_LITERAL = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*\"""")
CPP_COMMENT = re.compile(r"//(.*)")
SCRIPT_COMMENT = re.compile(r"(?:^|(?<=\s))#(?!!)(.*)")
BRACKET_COMMENT = re.compile(r"#\[\[\n(.*?)\]\]", re.DOTALL)


def blank(match):
    """A literal's text in underscores, which keep columns and begin no comment."""
    return "_" * len(match[0])


def marked_comments(text, literal, comment):
    """Yields line number, column and text of each line's comment."""
    for number, line in enumerate(text.splitlines(), 1):
        match = comment.search(literal.sub(blank, line))
        if match:
            if line[:match.start()].strip():
                yield number, match.start(), ""  # a comment beside code begins a passage
            yield number, match.start(), line[match.start(1):].rstrip()


def lines_from(first, text):
    """Yields the lines of a text as if each were a comment in the first column."""
    for number, line in enumerate(text.splitlines(), first):
        yield number, 0, f" {line}".rstrip()


def cpp_comments(text):
    return marked_comments(text, CPP_LITERAL, CPP_COMMENT)


def script_comments(text):
    """Yields the comments of a shell script or of CMake."""
    for match in BRACKET_COMMENT.finditer(text):
        yield from lines_from(text.count("\n", 0, match.start(1)) + 1, match[1])
    rest = BRACKET_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    yield from marked_comments(rest, SCRIPT_LITERAL, SCRIPT_COMMENT)


def python_comments(text):
    """Yields comments and docstrings."""
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            yield token.start[0], token.start[1], token.string[1:]
        elif token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT):
            indent = re.compile(rf"^ {{{token.start[1]}}}", re.MULTILINE)
            yield from lines_from(token.start[0], indent.sub("", token.string).strip("\"'"))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def comment_passages(comments):
    """Yields the first line's number and the text of each paragraph, list item and cell."""
    passage, last, column, in_item = [], 0, 0, False
    for number, where, text in itertools.chain(comments, [(0, 0, "")]):
        text = text.removeprefix(" ")
        indented = text.startswith("  ") and not in_item
        starts_item = LIST_ITEM.match(text)
        new = number != last + 1 or where != column or not text or indented or starts_item
        if new and passage:
            yield last - len(passage) + 1, "\n".join(passage)
            passage = []
        in_item = bool(starts_item) or (in_item and not new)
        if indented:
            yield from ((number, cell) for cell in COLUMN_GAP.split(text.strip()))
        elif text:
            passage.append(text.strip())
        last, column = number, where


def markdown_passages(text):
    """Yields the first line's number and the text of each paragraph, list item and cell."""
    text = FENCED.sub(lambda match: "\n" * match[0].count("\n"), text)
    passage = []
    for number, line in enumerate(itertools.chain(text.splitlines(), [""]), 1):
        line = line.strip().removeprefix("> ")
        alone, item = line.startswith(("|", "#")), LIST_ITEM.match(line)
        if passage and (alone or item or not line):
            yield number - len(passage), "\n".join(passage)
            passage = []
        if alone:
            yield from ((number, cell) for cell in CODE_SPAN.sub("code", line).split("|"))
        elif line:
            passage.append(line[item.end():] if item else line)


READERS = {".md": markdown_passages, ".py": python_comments,
           **dict.fromkeys((".cpp", ".hpp", ".h", ".cu", ".cuh"), cpp_comments),
           **dict.fromkeys(("CMakeLists.txt", ".cmake", ".sh", "run"), script_comments)}


def passages_of(path):
    name = pathlib.Path(path.name.removesuffix(".in"))
    reader = READERS.get(name.name) or READERS.get(name.suffix)
    if reader is None:
        return ()
    found = reader(path.read_text())
    return found if reader is markdown_passages else comment_passages(found)


def faults_of(passage):
    """Yields the line within a passage, the words and the text of each sentence at fault."""
    prose = CODE_SPAN.sub(lambda match: "code" + "\n" * match[0].count("\n"), passage)
    prose = LINK.sub(r"\1", prose)
    for match in SENTENCE.finditer(prose):
        words = WORD.findall(match[0])
        if len(words) > MOST_WORDS or words[:1] == ["Of"]:
            yield prose.count("\n", 0, match.start()), len(words), " ".join(match[0].split())


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [path for path in root.iterdir() if path.suffix in (".md", ".sh", ".txt")]
    for directory in DIRECTORIES:
        files += (root / directory).rglob("*")
    judged = faults = 0
    for path in sorted(path for path in files if path.is_file()):
        for line, passage in passages_of(path):
            judged += 1
            for offset, words, sentence in faults_of(passage):
                faults += 1
                print(f"{path.relative_to(root)}:{line + offset}: {words}: {sentence}")
    print(f"{faults} sentences in {judged} passages have over {MOST_WORDS} words or begin with Of")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
