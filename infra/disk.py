"""What it takes for a change of names to outlast a power cut."""

import os
from pathlib import Path


def make_lasting(folder: Path) -> None:
    """Have the disk hold the names in a folder as they are now."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
