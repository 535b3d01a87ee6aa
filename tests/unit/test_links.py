"""The links of the document: each leads from what an answer says to a next request."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest

from tests.documented import DESCRIBED, Described, Json

IN_ANSWER: Final = "$response.body#/"
IN_PATH: Final = "$request.path."


class Link(NamedTuple):
    """A link, and the operation whose answer has it."""

    source: Described
    text: Json

    @property
    def target(self) -> Described:
        """The operation that it leads to."""
        return DESCRIBED[self.text["operationId"]]

    @property
    def terms(self) -> dict[str, str]:
        """Where the parameters and the body come from."""
        body = {"body": self.text["requestBody"]} if "requestBody" in self.text else {}
        return {**self.text["parameters"], **body}


def links() -> Iterator[Link]:
    """All links."""
    for operation in DESCRIBED.values():
        for text in operation.success.get("links", {}).values():
            yield Link(operation, text)


LINKS: Final = {
    f"{link.source.id} {link.text['operationId']}": link for link in links()
}

each_link = pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)


@each_link
def test_a_link_gives_what_its_target_needs(link: Link) -> None:
    """Each parameter is one of the target's, and none that it needs is missing."""
    taken = {each["name"]: each for each in link.target.text["parameters"]}
    given = set(link.text["parameters"])
    assert given <= set(taken)
    needed = {name for name, each in taken.items() if each["required"]}
    assert needed <= given
    assert "requestBody" not in link.text or link.target.body is not None


@each_link
def test_a_link_takes_what_its_answer_has(link: Link) -> None:
    """Each part is in the request's path, or lies in the answer's example."""
    answer = link.source.answer
    assert answer is not None
    for term in link.terms.values():
        if term.startswith(IN_PATH):
            assert f"{{{term.removeprefix(IN_PATH)}}}" in link.source.path
            continue
        assert term.startswith(IN_ANSWER)
        found = answer["example"]
        for name in term.removeprefix(IN_ANSWER).split("/"):
            if found == []:
                break  # a list may be empty, as this one is
            found = found[int(name) if isinstance(found, list) else name]


def test_every_operation_at_a_table_is_led_to() -> None:
    """Who has made a table can find out all that can be done at it."""
    reached = {link.target.id for link in LINKS.values()}
    assert {it.id for it in DESCRIBED.values() if "{table}" in it.path} <= reached
