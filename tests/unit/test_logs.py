"""What libraries log is passed on without the values that they put into it."""

import json
import subprocess
import sys
from typing import Final

import pytest

from infra.logs import traced

FAILING: Final = """
import asyncio
import gc
import logging

from infra.logs import configure

configure("debug")

async def fails():
    raise ValueError("hand: QS")

def fails_too(card):
    raise ValueError(card)

async def main():
    loop = asyncio.get_running_loop()
    task = loop.create_task(fails())
    loop.call_soon(fails_too, "QS")
    await asyncio.sleep(0.01)
    del task
    gc.collect()
    logging.getLogger("library").error("no %s in %s", "QS", ["QS"])
    logging.getLogger("library").error("Traceback:\\n  ValueError: QS")

asyncio.run(main())
"""


STARTING: Final = """
from contextlib import asynccontextmanager

from api.app import application
from api.serving import uvicorn_config
from infra.logs import configure
from infra.settings import Settings
import uvicorn

configure("debug")

@asynccontextmanager
async def house():
    raise ValueError("Port could not be cast: hunter2")
    yield

uvicorn.Server(uvicorn_config(application(house, []), Settings(port=0))).run()
"""


MANY: Final = """
import os

import structlog

from infra.logs import configure

configure("debug")
child = os.fork()
for number in range(3000):
    structlog.get_logger().info("told", number=number)
if child:
    os.waitpid(child, 0)
"""


def test_a_start_that_fails_is_told_without_its_words() -> None:
    """By kind and place; its words could be parts of a password."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", STARTING], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "hunter2" not in done.stderr + done.stdout
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    [ours] = [line for line in lines if line["event"] == "the server does not go on"]
    assert ours["error"] == "ValueError"
    assert ours["at"]


def test_no_value_is_passed_on() -> None:
    """Neither a template's arguments nor what the event loop says of a failed task.

    What does not tell of a fault names none.
    """
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", FAILING], capture_output=True, text=True, check=True
    )
    assert "QS" not in done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["event"], line.get("error")) for line in lines] == [
        ("Exception in callback fails_too", "ValueError"),
        ("Task exception was never retrieved", "ValueError"),
        ("no ... in ...", None),
        ("Traceback:", None),
    ]
    assert ["error" in line for line in lines] == [True, True, False, False]


def test_processes_that_share_a_log_have_lines_of_their_own() -> None:
    """As workers do, which all write to one."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", MANY], capture_output=True, text=True, check=True
    )
    numbers = [json.loads(line)["number"] for line in done.stderr.splitlines()]
    assert sorted(numbers) == sorted([*range(3000)] * 2)


def test_a_fault_is_told_by_kind_and_place() -> None:
    """Not by its words; of some that came together, the first one is told."""
    with pytest.raises(ValueError, match="QS") as raised:
        raise ValueError("QS")
    told = traced(ExceptionGroup("QS", [raised.value, KeyError("QS")]))
    assert told["error"] == "ValueError"
    assert str(told["at"]).count(__file__) == 1
    assert "QS" not in str(told)
    assert traced(None) == {"error": None}
