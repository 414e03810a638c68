"""Where tests put their folders: in memory where there is room for them.

A suite makes and forgets some thousand databases. A disk that is told of each keeps all processes waiting.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
WANTED = 4 << 30
"""Bytes that must be free there: containers often have very few."""


def prefer_memory() -> None:
    """For this process and all that it starts, unless somebody has said where (TMPDIR)."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free >= WANTED:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # what was found before is asked for anew
