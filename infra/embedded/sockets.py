"""Where an embedded server's Unix socket can lie."""

import os
import tempfile
from pathlib import Path
from typing import Final

# The kernel's limit is 107 bytes on Linux, 103 elsewhere.
_LONGEST_PATH: Final = 100


def private_folder(place: Path, socket: str, *, forbidden: str = "") -> Path:
    """Return `place` if a socket of that name can lie there, else a new short folder.

    It cannot where the address gets too long for the kernel, or has a character that
    is `forbidden`. A new folder has mode 0700, and is the caller's to remove.
    """
    fits = len(os.fsencode(place / socket)) <= _LONGEST_PATH
    if fits and not set(str(place)) & set(forbidden):
        return place
    return Path(tempfile.mkdtemp(prefix="misere-"))
