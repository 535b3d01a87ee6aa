"""Results and standings, as they follow from the matches that are played."""

from random import Random

from tests.e2e.client import Client, Json, played_out, refused
from tests.e2e.conftest import Guests

QUICK = {"target": 1}


async def played(people: list[Client], seed: int = 1, **terms: object) -> Json:
    """The view of a short match between these people and a bot, which is over."""
    seats = [*({} for _ in people), {"bot": "steady"}]
    table = await people[0].open_table(seats=seats, options=QUICK, **terms)
    for seat, player in enumerate(people):
        await player.sit(table, seat)
    return await played_out(table, dict(enumerate(people)), Random(seed))


async def test_a_match_is_in_its_players_results(
    guests: Guests, stranger: Client
) -> None:
    """With score and place as the result of the table has them; anybody may look."""
    people = await guests(2)
    view = await played(people)
    scores = view["result"]["scores"]
    end = (await stranger.events(view["table"]["id"]))[-1]
    for seat, player in enumerate(people):
        [result] = (await stranger.get(f"/players/{player.id}/results"))["items"]
        assert result == {
            "table": view["table"]["id"],
            "game": "hearts",
            "ended_at": end["at"],
            "seats": 3,
            "seat": seat,
            "score": scores[seat],
            "place": 1 + sum(score < scores[seat] for score in scores),
            "won": seat in view["result"]["winners"],
            "shared": seat in view["result"]["winners"]
            and len(view["result"]["winners"]) > 1,
            "rated": False,
            "rating": None,
        }
        [standing] = (await stranger.get(f"/players/{player.id}/standings"))["items"]
        assert standing["player"] == {
            "id": player.id,
            "name": f"Guest {seat}",
            "kind": "human",
        }
        assert standing["wins"] == result["won"]
        assert standing["average_score"] == result["score"]
        assert (standing["rated_games"], standing["rating"]) == (0, 0)


async def test_rated_matches_move_ratings(guests: Guests, stranger: Client) -> None:
    """Who is placed better has the higher rating; the ladder is sorted by it."""
    people = await guests(2)
    for seed in range(2):
        await played(people, seed, rated=True)
    ratings, places = [], []
    for player in people:
        path = f"/players/{player.id}"
        newest, first = (await stranger.get(f"{path}/results"))["items"]
        assert newest["ended_at"] > first["ended_at"]
        assert newest["rating"] != first["rating"]
        [standing] = (await stranger.get(f"{path}/standings"))["items"]
        assert standing["rating"] == newest["rating"]
        assert (standing["games"], standing["rated_games"]) == (2, 2)
        mean = (newest["place"] + first["place"]) / 2
        assert standing["average_place"] == mean
        ratings.append(first["rating"])
        places.append(first["place"])
    assert (ratings[0] > ratings[1]) == (places[0] < places[1])

    ladder: list[Json] = []
    cursor: dict[str, str | int] = {}
    while True:
        page = await stranger.get("/standings", game="hearts", limit=3, **cursor)
        ladder += page["items"]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    order = [(-each["rating"], each["player"]["id"]) for each in ladder]
    assert order == sorted(order)
    assert {player.id for player in people} < {it["player"]["id"] for it in ladder}
    unknown = await stranger.ask("GET", "/standings", params={"game": "no-such-game"})
    assert refused(unknown, 400, "invalid-request")["params"] == {"field": "query.game"}


async def test_one_player_among_bots_is_not_rated(guests: Guests) -> None:
    """There is nobody to be compared with."""
    [player] = await guests(1)
    seats = [{}, {"bot": "random"}, {"bot": "random"}]
    table = await player.open_table(seats=seats, options=QUICK, rated=True)
    await player.sit(table, 0)
    await played_out(table, {0: player}, Random(1))
    [result] = (await player.get(f"/players/{player.id}/results"))["items"]
    assert (result["rated"], result["rating"]) == (False, None)


async def test_a_table_that_was_given_up_leaves_no_result(guests: Guests) -> None:
    """Whatever had been played there."""
    [player] = await guests(1)
    seats = [{}, {"bot": "random"}, {"bot": "random"}]
    table = await player.open_table(seats=seats)
    await player.sit(table, 0)
    await player.lead(table, "abandon")
    for what in ("results", "standings"):
        assert (await player.get(f"/players/{player.id}/{what}"))["items"] == []


async def test_results_are_listed_by_game_and_page(guests: Guests) -> None:
    """The newest first, each once."""
    people = await guests(1)
    tables = [(await played([*people, *await guests(1)]))["table"]["id"] for _ in "123"]
    path = f"/players/{people[0].id}/results"
    first = await people[0].get(path, game="hearts", limit=2)
    rest = await people[0].get(path, game="hearts", limit=2, cursor=first["next"])
    found = [each["table"] for each in first["items"] + rest["items"]]
    assert found == tables[::-1]
    assert rest["next"] is None
    assert (await people[0].get(path, game="tetka"))["items"] == []


async def test_who_is_forgotten_stands_without_a_name(
    guests: Guests, stranger: Client
) -> None:
    """The results stay, under the id."""
    people = await guests(2)
    await played(people)
    await people[1].ask("DELETE", "/me")
    path = f"/players/{people[1].id}"
    [standing] = (await stranger.get(f"{path}/standings"))["items"]
    assert standing["player"] == {"id": people[1].id, "name": None, "kind": "human"}
    assert len((await stranger.get(f"{path}/results"))["items"]) == 1


async def test_a_player_who_never_was_has_no_results(stranger: Client) -> None:
    """That is another thing than having played nothing yet."""
    nobody = "/players/00000000-0000-4000-8000-000000000000"
    for what in ("results", "standings"):
        refused(await stranger.ask("GET", f"{nobody}/{what}"), 404, "not-found")
