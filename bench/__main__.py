"""All benchmarks: `python -m bench` runs them, `--list` names them, `--quick` makes them short."""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import time
from pathlib import Path


def questions() -> dict[str, str]:
    """Every benchmark and the question it answers: a file here whose first line ends with a question mark."""
    found = {}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        first = (ast.get_docstring(ast.parse(file.read_text())) or "").partition("\n")[0]
        if first.endswith("?"):
            found[file.stem] = first
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--list", action="store_true", help="name the benchmarks and their questions")
    parser.add_argument("--quick", action="store_true", help="smaller and shorter, to see that they work")
    asked = parser.parse_args()
    known = questions()
    unknown = set(asked.names) - known.keys()
    if unknown:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    failed = []
    for name, question in known.items():
        if asked.names and name not in asked.names:
            continue
        print(f"{name}: {question}", flush=True)
        if not asked.list:
            begun = time.monotonic()
            command = [sys.executable, "-m", f"bench.{name}", *(["--quick"] if asked.quick else [])]
            if subprocess.run(command, check=False).returncode != 0:
                failed.append(name)
            print(f"({time.monotonic() - begun:.0f} s)\n", flush=True)
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
