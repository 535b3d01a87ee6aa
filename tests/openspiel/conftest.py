"""Without OpenSpiel these tests are not there; then `pytest -m openspiel` fails."""

from importlib.util import find_spec

if find_spec("pyspiel") is None:
    collect_ignore_glob = ["test_*.py"]
