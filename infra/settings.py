"""What the environment says, read once into a frozen struct."""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert
from redis.asyncio.connection import parse_url

from infra.addresses import is_loopback

PREFIX: Final = "MISERE_"

ORIGIN: Final = r"(\*|https?://[^/\s,]+)"
ORIGINS: Final = rf"^\s*({ORIGIN}(\s*,\s*{ORIGIN})*)?\s*$"

Postgres: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^postgres(ql)?://", description="a URL that begins with postgresql://"
    ),
]

Redis: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^(redis|rediss|unix|redis-cluster)://",
        description="a URL that begins with redis://, rediss://, unix:// or"
        " redis-cluster://",
    ),
]

Bound: TypeAlias = Annotated[
    str,
    Meta(pattern="^(off|[1-9][0-9]{0,8})$", description="a number from 1 on, or off"),
]
"""How many there may be, or that there may be any number."""

Hours: TypeAlias = Annotated[
    int, Meta(ge=1, le=876_000, description="a number from 1 to 876000")
]
"""A century at most: times of long ago cannot be told."""

RATE_LIMIT: Final = 1200
"""Requests a minute and token on a server that is open to others."""

MAX_LIVE_TABLES: Final = 50
"""Tables of a host that are not over, on such a server."""

FOR_TESTS: Final = "MISERE_TEST_"

CLUSTER: Final = "redis-cluster://"
"""How the URL of a cluster begins, of which one node is named."""

UNREADABLE: Final = "the URL cannot be read; is a character in it to be written as %XX?"

DEFAULT_DATA: Final = Path(".data")


class SettingsError(Exception):
    """A setting has a value that cannot be used; the text names it."""


class Settings(Struct, frozen=True, kw_only=True):
    """How a server runs: each field is a variable, `MISERE_` and its name in capitals.

    Without `database_url` a Postgres of our own runs in the folder `data`, without
    `redis_url` a Valkey. Migrations run under `migrate_url` where it is given.
    After `open_hours` a table is given up that nobody comes to, after `idle_hours` a
    match that nobody plays. `allowed_origins` is a list for CORS, `trusted_proxies` one
    of the addresses and networks that are believed whom they speak for. Commas separate
    the parts. A database that is distributed by shard wants `one_shard_flights`.
    """

    database_url: Postgres | None = None
    migrate_url: Postgres | None = None
    redis_url: Redis | None = None
    data: Path = DEFAULT_DATA
    postgres_bin: Path | None = None
    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[
        int, Meta(ge=0, le=65535, description="a number from 0 to 65535")
    ] = 8000
    workers: Annotated[int, Meta(ge=1, le=64, description="a number from 1 to 64")] = 1
    log: Literal["debug", "info", "warning", "error"] = "info"
    registration: Literal["open", "closed"] = "open"
    open_hours: Hours = 48
    idle_hours: Hours = 14 * 24
    allowed_origins: Annotated[
        str,
        Meta(
            pattern=ORIGINS,
            description="origins as https://cards.example, separated by commas, or *",
        ),
    ] = ""
    one_shard_flights: Annotated[bool, Meta(description="true or false")] = False
    rate_limit: Bound | None = None
    max_live_tables: Bound | None = None
    trusted_proxies: Annotated[
        str,
        Meta(
            description="addresses and networks as 127.0.0.1 and 10.0.0.0/8, separated"
            " by commas"
        ),
    ] = ""

    def __post_init__(self) -> None:
        for proxy in self.proxies():
            ip_network(proxy)

    def origins(self) -> list[str]:
        """The origins that browsers may call from."""
        return _parts(self.allowed_origins)

    def proxies(self) -> list[str]:
        """The addresses and networks of proxies that are believed."""
        return _parts(self.trusted_proxies)

    def requests_a_minute(self) -> int | None:
        """How many a token or an address may make; None for any number."""
        return self._bound(self.rate_limit, RATE_LIMIT)

    def most_live_tables(self) -> int | None:
        """How many tables of a host may be on at once; None for any number."""
        return self._bound(self.max_live_tables, MAX_LIVE_TABLES)

    def _bound(self, given: Bound | None, usual: int) -> int | None:
        """A bound that was given, or the usual one where others can reach us."""
        if given is None:
            return None if is_loopback(self.host) else usual
        return None if given == "off" else int(given)


def _parts(text: str) -> list[str]:
    parts = (part.strip() for part in text.split(","))
    return [part for part in parts if part]


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings that the environment gives.

    Raises:
        SettingsError: a variable has a value that cannot be used.
    """
    known = Settings.__struct_fields__
    given = {
        field: environment[PREFIX + field.upper()]
        for field in known
        if environment.get(PREFIX + field.upper())
    }
    values: dict[str, object] = {}
    for field, text in given.items():
        try:
            convert({field: text}, Settings, strict=False, dec_hook=_path)
        except ValidationError:
            raise SettingsError(_refusal(field)) from None
        if field == "redis_url" and not _can_be_read(text):
            raise SettingsError(f"{PREFIX}REDIS_URL: {UNREADABLE}")
        values[field] = text
    return convert(values, Settings, strict=False, dec_hook=_path)


def unknown(environment: Mapping[str, str]) -> list[str]:
    """The variables that look like settings and are none."""
    known = {PREFIX + field.upper() for field in Settings.__struct_fields__}
    return sorted(
        name
        for name in environment
        if name.startswith(PREFIX)
        and not name.startswith(FOR_TESTS)
        and name not in known
    )


def _refusal(field: str) -> str:
    """What is wanted of a variable, without its value, which may be secret."""
    kind = Settings.__annotations__[field]
    origin: object = get_origin(kind)
    if origin is Literal:
        wanted = f"one of {', '.join(get_args(kind))}"
    else:
        parts = (kind, *get_args(kind))
        told = [meta for part in parts for meta in getattr(part, "__metadata__", ())]
        wanted = told[0].description
    return f"{PREFIX}{field.upper()}: Expected {wanted}"


def _can_be_read(redis_url: str) -> bool:
    try:
        parse_url(redis_url.replace(CLUSTER, "redis://", 1))
    except ValueError:
        return False
    return True


def _path(kind: type, value: object) -> object:
    if kind is Path:
        return Path(str(value))
    raise TypeError(kind)
