"""Where a server cannot listen it says so in one line, and starts nothing."""

import socket
from pathlib import Path

import pytest

from infra.addresses import CannotListen, check_listening
from tests.e2e.running import misere

HERE = "127.0.0.1"


def test_an_address_that_is_free_is_left_so() -> None:
    """It is tried, not kept; a name may stand for several addresses."""
    for host in (HERE, "localhost", HERE):
        check_listening(host, 0)


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1", "two..dots"])
def test_an_address_that_is_not_ours_is_named(host: str) -> None:
    """With the reason, whether it is no name, not known or not this machine's."""
    with pytest.raises(CannotListen, match=f"^cannot listen on {host}, port 80: .+"):
        check_listening(host, 80)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_in_use_is_told_in_one_line(tmp_path: Path, workers: str) -> None:
    """Whoever takes the requests: nothing else is printed, and nothing is begun."""
    with socket.create_server((HERE, 0)) as other:
        port = str(other.getsockname()[1])
        folder = tmp_path / "data"
        ended = misere("serve", "--port", port, "--workers", workers, "--data", folder)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"Error: cannot listen on {HERE}, port {port}: Address already in use\n"
    )
    assert not folder.exists()
