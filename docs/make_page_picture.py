#!/usr/bin/env python3
"""Makes the picture of a page of records, docs/page.png.

  docs/make_page_picture.py build/robust/bin

The records are those of docs/runs/records/page.json. It needs the target rkb, a network for the
first time or page/ of the build, and Chromium.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
SIZE = "1000,1180"
LARGEST = 300_000  # bytes


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]) / "rkb"
    browser = shutil.which("chromium") or sys.exit("Chromium is missing; install it: apt-get install chromium")
    with tempfile.TemporaryDirectory() as scratch:
        page, picture = pathlib.Path(scratch, "page.html"), pathlib.Path(scratch, "page.png")
        # It exits with 1, since one of the kernels is wrong.
        subprocess.run([program, "report", DOCS / "runs/records/page.json", "--html", page],
                       stdout=subprocess.DEVNULL, check=False)
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={scratch}/profile", f"--window-size={SIZE}",
                        f"--screenshot={picture}", page.as_uri()], stderr=subprocess.DEVNULL, check=True)
        if picture.stat().st_size > LARGEST:
            sys.exit(f"the picture has {picture.stat().st_size} bytes, more than {LARGEST}")
        shutil.copy(picture, DOCS / "page.png")


if __name__ == "__main__":
    main()
