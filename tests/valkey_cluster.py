"""Three nodes of Valkey that make a cluster, each with a third of the slots."""

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from redis import Redis
from redis.exceptions import RedisError

from infra.embedded.daemon import Daemon, Program
from infra.embedded.valkey import find
from tests.children import eventually

SLOTS: Final = ((0, 5460), (5461, 10922), (10923, 16383))


class Node:
    """A Valkey at a port of its own; what it knows of its cluster lasts."""

    def __init__(self, folder: Path, slots: tuple[int, int]) -> None:
        """Nothing runs yet."""
        self.slots = slots
        self.port, self.bus = _free_ports()
        self._folder = folder
        self._folder.mkdir()
        self._daemon: Daemon | None = None

    def start(self) -> None:
        """Run it, and return once it answers."""
        argv = [str(find()), "--port", str(self.port), "--bind", "127.0.0.1"]
        argv += ["--cluster-enabled", "yes", "--cluster-port", str(self.bus)]
        argv += ["--cluster-node-timeout", "1000", "--save", "", "--appendonly", "no"]
        self._daemon = Daemon.start(
            Program(
                name="a node",
                argv=(*argv, "--dir", str(self._folder)),
                log=self._folder / "valkey.log",
                is_ready=self._answers,
                death_signal=signal.SIGKILL,
                stop_steps=((signal.SIGKILL, 5.0),),
            )
        )

    def kill(self) -> None:
        """End it at once."""
        if self._daemon is not None:
            self._daemon.stop()
            self._daemon = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let it do nothing while the block lasts, though its connections stand."""
        assert self._daemon is not None
        os.kill(self._daemon.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._daemon.pid, signal.SIGCONT)

    def ask(self, *command: str | int) -> Any:  # noqa: ANN401 - whatever it is
        """What it answers to a command."""
        with Redis(port=self.port, socket_timeout=5.0) as client:
            return client.execute_command(*command)

    def is_content(self) -> bool:
        """Whether it finds all of its cluster in order."""
        with suppress(RedisError, OSError), Redis(port=self.port) as client:
            info = client.execute_command("CLUSTER INFO")
            return bool(info["cluster_state"] == "ok")
        return False

    def _answers(self) -> bool:
        with suppress(RedisError, OSError):
            return bool(self.ask("PING"))
        return False


class Cluster:
    """Three nodes that know each other."""

    def __init__(self, nodes: list[Node]) -> None:
        """Take nodes that were not started."""
        self.nodes = nodes

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Run them, and return once each finds all in order."""
        cluster = cls([Node(folder / str(n), slots) for n, slots in enumerate(SLOTS)])
        first = cluster.nodes[0]
        for node in cluster.nodes:
            node.start()
            node.ask("CLUSTER ADDSLOTSRANGE", *node.slots)
            node.ask("CLUSTER MEET", "127.0.0.1", first.port, first.bus)
        cluster.wait()
        return cluster

    def url(self) -> str:
        """The URL that names one of them."""
        return f"redis-cluster://127.0.0.1:{self.nodes[0].port}"

    def wait(self) -> None:
        """Return once each finds all in order."""
        assert eventually(lambda: all(node.is_content() for node in self.nodes), 30)


@contextmanager
def valkey_cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster for the length of a block."""
    folder.mkdir()
    with ExitStack() as stack:
        cluster = Cluster.start(folder)
        for node in cluster.nodes:
            stack.callback(node.kill)
        yield cluster
    shutil.rmtree(folder)


def _free_ports() -> tuple[int, int]:
    """Two ports that nobody listens at."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
