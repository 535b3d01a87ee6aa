"""Settings from the environment."""

from pathlib import Path

import pytest

from infra.settings import Settings, SettingsError, from_environment


def test_nothing_set_gives_the_defaults() -> None:
    """Other variables, and empty ones, change nothing."""
    assert from_environment({"PATH": "/bin", "MISERE_PORT": ""}) == Settings()


def test_values_are_read() -> None:
    """Each variable sets the field of its name."""
    settings = from_environment(
        {
            "MISERE_PORT": "9000",
            "MISERE_DATA": "/somewhere",
            "MISERE_DATABASE_URL": "postgresql://host/base",
            "MISERE_ALLOWED_ORIGINS": "https://one.example, https://two.example",
            "MISERE_ONE_SHARD_FLIGHTS": "true",
        }
    )
    assert settings.port == 9000
    assert settings.data == Path("/somewhere")
    assert settings.database_url == "postgresql://host/base"
    assert settings.one_shard_flights
    assert settings.origins() == ["https://one.example", "https://two.example"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MISERE_PORT", "many"),
        ("MISERE_PORT", "65536"),
        ("MISERE_LOG", "loud"),
        ("MISERE_DATABASE_URL", "mysql://user:secret@host/base"),
        ("MISERE_REDIS_URL", "redis://user:sec/ret@host"),
        ("MISERE_REDIS_URL", "redis-cluster://user:sec/ret@host"),
        ("MISERE_REGISTRATION", "perhaps"),
        ("MISERE_ONE_SHARD_FLIGHTS", "sometimes"),
        ("MISERE_OPEN_HOURS", "-1"),
        ("MISERE_IDLE_HOURS", "100000000"),
        ("MISERE_RATE_LIMIT", "-7"),
        ("MISERE_RATE_LIMIT", "many"),
        ("MISERE_MAX_LIVE_TABLES", "0.5"),
        ("MISERE_TRUSTED_PROXIES", "*"),
        ("MISERE_TRUSTED_PROXIES", "10.0.0.0/8, proxy.example"),
        ("MISERE_TRUSTED_PROXIES", "10.0.0.1/8"),
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, value: str) -> None:
    """The error names the variable, and does not repeat the value: it may be secret."""
    with pytest.raises(SettingsError, match=name) as refused:
        from_environment({name: value})
    assert value not in str(refused.value)
    assert "sec" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("PORT", "many", "a number from 0 to 65535"),
        ("WORKERS", "0", "a number from 1 to 64"),
        ("OPEN_HOURS", "0", "a number from 1 to 876000"),
        ("LOG", "loud", "one of debug, info, warning, error"),
        ("ONE_SHARD_FLIGHTS", "sometimes", "true or false"),
        ("RATE_LIMIT", "0", "a number from 1 on, or off"),
        ("DATABASE_URL", "mysql://host", "a URL that begins with postgresql://"),
        (
            "REDIS_URL",
            "host:6379",
            "a URL that begins with redis://, rediss://, unix:// or redis-cluster://",
        ),
        (
            "ALLOWED_ORIGINS",
            "cards.example",
            "origins as https://cards.example, separated by commas, or *",
        ),
        (
            "TRUSTED_PROXIES",
            "10.0.0.1/8",
            "addresses and networks as 127.0.0.1 and 10.0.0.0/8, separated by commas",
        ),
    ],
)
def test_what_is_wanted_is_told_in_words(name: str, value: str, wanted: str) -> None:
    """Those of a host, not those of the program."""
    with pytest.raises(SettingsError) as refused:
        from_environment({f"MISERE_{name}": value})
    assert str(refused.value) == f"MISERE_{name}: Expected {wanted}"


@pytest.mark.parametrize(
    ("host", "given", "bounds"),
    [
        ("127.0.0.1", None, (None, None)),
        ("192.0.2.1", None, (1200, 50)),
        ("192.0.2.1", "off", (None, None)),
        ("127.0.0.1", "7", (7, 7)),
    ],
)
def test_who_can_be_reached_by_others_has_bounds(
    host: str, given: str | None, bounds: tuple[int | None, int | None]
) -> None:
    """Unless they are named, those that are usual; on loopback none."""
    settings = Settings(host=host, rate_limit=given, max_live_tables=given)
    assert (settings.requests_a_minute(), settings.most_live_tables()) == bounds


def test_proxies_are_addresses_and_networks() -> None:
    """As a list, of both kinds of address."""
    given = {"MISERE_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,2001:db8::/32"}
    settings = from_environment(given)
    assert settings.proxies() == ["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]
