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
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, value: str) -> None:
    """The error names the variable, and does not repeat the value: it may be secret."""
    with pytest.raises(SettingsError, match=name) as refused:
        from_environment({name: value})
    assert value not in str(refused.value)
    assert "sec" not in str(refused.value)
