"""Writes down the figures of scripts that measure, with logs and records beside them."""

import subprocess
import sys
import time


class Figures:
    """A directory with figures.md, the logs of the commands that made it, and their records."""

    def __init__(self, out):
        self.out = out.resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.text = []
        self.failed = []

    def run(self, what, *command, check=True, late_input=lambda: None):
        """The seconds that a command took; its output goes to <what>.log.

        Its input is what `late_input`, called when the command runs, returns.
        """
        start = time.monotonic()
        with (
            open(self.out / f"{what}.log", "w") as log,
            subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            ) as process,
        ):
            process.communicate(late_input())
        seconds = time.monotonic() - start
        print(f"{what}: {seconds:.1f} s, exit code {process.returncode}", flush=True)
        if process.returncode != 0:
            self.failed.append(what)
            if check:
                sys.exit(f"{what} failed; see {self.out / what}.log")
        return seconds

    def write(self, *lines):
        self.text += [*lines, ""]
        (self.out / "figures.md").write_text("\n".join(self.text))

    def table(self, header, rows):
        def line(cells):
            return "| " + " | ".join(str(cell) for cell in cells) + " |"

        self.write(line(header), "|" + "---|" * len(header), *map(line, rows))


def microseconds(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
