"""Data folders for an embedded Postgres, made once, lent to where it is wanted."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.embedded import running


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Yield a folder that everybody can enter, as `tmp_path` is not."""
    path = Path(tempfile.mkdtemp(prefix="misere-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder whose cluster was made; to write its files takes long."""
    path = tmp_path_factory.mktemp("made") / "data"
    with running(path):
        pass
    return path


@pytest.fixture
def lend(made: Path, public_folder: Path) -> Iterator[Callable[[Path], Path]]:
    """Return what moves that folder to a path; it is moved back after the test."""
    del public_folder  # named so that the folder is moved out before it is removed
    places = [made]

    def to(path: Path) -> Path:
        places.append(Path(shutil.move(places[-1], path)))
        return path

    yield to
    shutil.move(places[-1], made)


@pytest.fixture
def data(lend: Callable[[Path], Path], tmp_path: Path) -> Path:
    """Return a data folder in a private place, like any after its first start."""
    return lend(tmp_path / "data")
