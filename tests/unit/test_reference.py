"""The reference pages: complete by themselves, served from the server's own address."""

import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from typing import TypeAlias

import pytest
from litestar import Litestar
from litestar.testing import AsyncTestClient

from api.app import application
from api.docs import ASSETS, PAGE, SERVED
from tests.documented import DOCUMENT, empty_house

Client: TypeAlias = AsyncTestClient[Litestar]


class _Addresses(HTMLParser):
    """The addresses that a page loads or links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in {"href", "src"}]


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """A client of a server whose house is empty: the pages need none."""
    async with AsyncTestClient(application(empty_house, [])) as client:
        yield client


def test_the_page_loads_from_its_own_address_alone() -> None:
    """No other host is named in it, by address or in the script."""
    page = _Addresses()
    page.feed(PAGE)
    assert page.found
    assert all(re.match(r"/(?!/)", address) for address in page.found)
    assert "//" not in PAGE


async def test_what_the_page_loads_is_served(client: Client) -> None:
    """Each address on the page answers with a file of its type."""
    page = await client.get("/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    addresses = _Addresses()
    addresses.feed(page.text)
    for address in addresses.found:
        answer = await client.get(address)
        assert answer.status_code == 200, address
        media = answer.headers["content-type"].partition(";")[0]
        assert media == SERVED[address.removeprefix("/docs/")]


async def test_the_document_is_served(client: Client) -> None:
    """What `/openapi.json` answers is what `misere openapi` prints."""
    answer = await client.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == DOCUMENT


@pytest.mark.parametrize("asset", SERVED)
def test_the_assets_come_with_the_package(asset: str) -> None:
    """The pinned package has each of them, and none is empty."""
    assert (ASSETS / asset).read_bytes()


def test_the_style_loads_nothing() -> None:
    """Whatever it needs is in it."""
    style = (ASSETS / "swagger-ui.css").read_text("utf-8")
    loaded = re.findall(r"url\(\s*['\"]?([^'\")]*)", style)
    assert all(address.startswith("data:") for address in loaded)
    assert "@import" not in style


@pytest.mark.parametrize("asset", ["nothing.js", "index.html", "..%2fLICENSE"])
async def test_nothing_else_of_the_package_is_served(
    client: Client, asset: str
) -> None:
    """Any other name is a problem like elsewhere: 404."""
    answer = await client.get(f"/docs/{asset}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not-found"
