"""Settings from the environment: all of them survive the way to a child process, and no secret is printed."""

from __future__ import annotations

import pytest

from pbem.campaign.config import Settings, SettingsMistake

EVERYTHING = {
    "DATABASE_URL": "postgresql://user:sesame@db.example/pbem",
    "REDIS_URL": "redis://:sesame@queue.example/0",
    "PBEM_HOST": "play.example",
    "PBEM_URL": "https://play.example/",
    "SMTP_RELAY": "smtp.example:465",
    "SMTP_RELAY_TLS": "tls",
    "SMTP_RELAY_USER": "sesame",
    "SMTP_RELAY_PASSWORD": "sesame",
    "PBEM_MAIL_DIR": "mail",
    "PBEM_WORKERS": "3",
    "PBEM_TICK_MS": "250",
    "PBEM_CHECK_DKIM": "no",
    "PBEM_HOOK_SECRET": "sesame",
    "PBEM_IMAP": "imap.example",
    "PBEM_IMAP_PASSWORD": "sesame",
}


def test_they_survive_the_way_to_a_child() -> None:
    settings = Settings.from_environment(EVERYTHING)
    assert Settings.from_environment(settings.to_environment()) == settings
    assert (settings.relay_host, settings.relay_port, settings.relay_tls) == ("smtp.example", 465, "tls")
    assert (settings.imap_host, settings.imap_port, settings.url) == ("imap.example", 993, "https://play.example")
    assert settings.tick_seconds == 0.25 and not settings.check_dkim


def test_no_secret_is_printed() -> None:
    assert "sesame" not in repr(Settings.from_environment(EVERYTHING))


def test_defaults_need_nothing() -> None:
    assert Settings.from_environment({}) == Settings()
    assert Settings().database.startswith("sqlite:///")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SMTP_RELAY", "smtp.example:many"),
        ("SMTP_RELAY_TLS", "ssl"),
        ("PBEM_WORKERS", "0"),
        ("PBEM_SMTP_PORT", "٣"),
        ("PBEM_CHECK_DKIM", "perhaps"),
    ],
)
def test_a_mistake_names_the_variable_and_what_would_be_right(name: str, value: str) -> None:
    with pytest.raises(SettingsMistake, match=name):
        Settings.from_environment({name: value})
