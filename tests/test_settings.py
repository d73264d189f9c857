"""The environment: what stands in for what on one's own machine, and what stops the start in public."""

import re
from pathlib import Path

import pytest
from sqlalchemy import make_url

from portal.gateways.database.connections import is_pooled
from portal.settings import REQUIRED_IN_PUBLIC, Settings, SettingsError

A_KEY = "k" * 40
PUBLIC = {
    "BASE_URL": "https://animals.example.gov",
    "DATABASE_URL": "postgresql://portal:hunter2@db.example.gov/portal",
    "MAIL_FROM": "City of Benson <animals@example.gov>",
    "MAIL_URL": "smtps://mailer:hunter3@mail.example.gov:587",
    "SECRET_KEY": A_KEY,
    "STORAGE_URL": "s3://key:hunter4@bucket/portal",
    "STRIPE_SECRET_KEY": "sk_live_hunter5",
    "STRIPE_WEBHOOK_SECRET": "whsec_hunter6",
}


def problems(environ: dict[str, str]) -> str:
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment(environ)
    return str(refused.value)


@pytest.fixture
def local(tmp_path: Path) -> dict[str, str]:
    return {"PORTAL_DATA": str(tmp_path / "var")}


def test_a_newcomer_needs_no_environment_at_all(local: dict[str, str]) -> None:
    settings = Settings.from_environment(local)
    assert settings.base_url == "http://localhost:8000"
    assert settings.is_local
    assert settings.uses_embedded_database
    assert settings.stripe.is_practice
    assert settings.stripe.api_base == settings.practice_url == "http://localhost:8001"
    assert settings.mail_url is None
    assert settings.mail_folder == settings.data / "mail"
    assert settings.storage_url == f"file://{settings.data / 'files'}"
    assert settings.city == "benson"
    assert settings.trusted_proxies == 0


def test_texts_are_files_on_ones_own_machine_and_not_offered_in_public_without_a_provider(
    local: dict[str, str],
) -> None:
    ours = Settings.from_environment(local)
    assert ours.sms.is_offered
    assert ours.sms.url is None
    assert ours.text_folder == ours.data / "texts"
    assert len(ours.sms.secret) == 64
    public = Settings.from_environment(PUBLIC | local)
    assert not public.sms.is_offered
    assert (public.sms.secret, public.text_folder) == ("", None)


def test_a_provider_of_texts_needs_its_token_and_its_secret(local: dict[str, str]) -> None:
    provider = {"SMS_URL": "https://sms.example.com", "SMS_TOKEN": "hunter7", "SMS_SECRET": "hunter8"}
    settings = Settings.from_environment(PUBLIC | local | provider)
    assert settings.sms.is_offered
    assert "hunter" not in repr(settings)
    for name in provider:
        assert "go together" in problems(local | {name: provider[name]})
    assert "SMS_URL must begin with https:" in problems(PUBLIC | provider | {"SMS_URL": "http://sms.example.com"})
    assert "SMS_URL must begin with https:, http:, twilio: or" in problems(
        local | provider | {"SMS_URL": "ftp://sms.example.com"}
    )


def test_the_data_are_under_var_where_nothing_else_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings.from_environment({}).data == tmp_path / "var"


def test_the_secret_is_made_once_and_only_its_owner_may_read_it(local: dict[str, str]) -> None:
    first, second = Settings.from_environment(local), Settings.from_environment(local)
    kept = first.data / "secret_key"
    assert first.secret_keys == second.secret_keys == (kept.read_text(),)
    assert len(first.secret_keys[0]) >= 32
    assert kept.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in first.data.iterdir()] == ["secret_key"]


def test_all_processes_agree_on_the_practice_secret_and_another_city_has_another(local: dict[str, str]) -> None:
    first, second = Settings.from_environment(local), Settings.from_environment(local)
    other = Settings.from_environment({**local, "SECRET_KEY": A_KEY})
    assert first.stripe == second.stripe
    assert first.stripe.webhook_secret != other.stripe.webhook_secret


def test_a_city_in_public_has_everything_of_its_own(tmp_path: Path) -> None:
    settings = Settings.from_environment({**PUBLIC, "PORTAL_DATA": str(tmp_path / "var"), "TRUSTED_PROXIES": "1"})
    assert not settings.is_local
    assert not settings.stripe.is_practice
    assert settings.stripe.api_base is None
    assert settings.database_url == "postgresql+psycopg://portal:hunter2@db.example.gov/portal"
    assert settings.trusted_proxies == 1
    assert not settings.data.exists()


def test_no_secret_is_ever_shown(tmp_path: Path) -> None:
    shown = repr(Settings.from_environment(PUBLIC))
    assert "hunter" not in shown
    assert A_KEY not in shown


@pytest.mark.parametrize("name", REQUIRED_IN_PUBLIC)
def test_in_public_each_missing_part_is_named(name: str) -> None:
    told = problems({key: value for key, value in PUBLIC.items() if key != name})
    assert re.search(rf"animals\.example\.gov set {name} too", told)
    assert "only for a local address" in told


def test_in_public_one_sentence_names_all_that_is_missing(tmp_path: Path) -> None:
    told = problems({"BASE_URL": "https://animals.example.gov", "PORTAL_DATA": str(tmp_path / "var")})
    assert "DATABASE_URL, MAIL_FROM, MAIL_URL, SECRET_KEY, STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET" in told
    assert told.count("\n") == 0
    assert not (tmp_path / "var").exists()


def test_blank_is_the_same_as_missing() -> None:
    assert "set MAIL_URL too" in problems({**PUBLIC, "MAIL_URL": "  "})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_stand_ins_are_for_this_machine_alone(host: str, local: dict[str, str]) -> None:
    assert Settings.from_environment({**local, "BASE_URL": f"http://{host}:8000/"}).is_local


@pytest.mark.parametrize(
    "host", ["localhost.example.gov", "127.0.0.1.example.gov", "10.0.0.4", "benson", "example.gov"]
)
def test_whatever_else_it_is_called_it_is_public(host: str, local: dict[str, str]) -> None:
    assert "SECRET_KEY" in problems({**local, "BASE_URL": f"https://{host}"})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("BASE_URL", "http://animals.example.gov", "must begin with https://"),
        ("BASE_URL", "animals.example.gov", "must be an address such as"),
        ("BASE_URL", "https://animals.example.gov/portal", "nothing after them"),
        ("BASE_URL", "https://me:hunter2@animals.example.gov", "nothing after them"),
        ("BASE_URL", "https://animals.example.gov:many", "must be an address such as"),
        ("BASE_URL", "https://[::1", "must be an address such as"),
        ("BASE_URL", "http://[::1]:8000", "say localhost instead"),
        ("SECRET_KEY", "short", "at least 32 characters"),
        ("SECRET_KEY", f"{A_KEY},short", "at least 32 characters"),
        ("DATABASE_URL", "mysql://portal@db/portal", "DATABASE_URL must begin with postgresql:"),
        ("MAIL_URL", "mail.example.gov", "MAIL_URL must begin with smtp:"),
        ("STORAGE_URL", "ftp://files", "STORAGE_URL must begin with file: or s3:"),
        ("STRIPE_API_BASE", "localhost:8001", "STRIPE_API_BASE must begin with https: or http:"),
        ("MAIL_FROM", "the city", "MAIL_FROM must be an e-mail address"),
        ("MAIL_FROM", "a@example.gov\nBcc: b@example.gov", "MAIL_FROM must be an e-mail address"),
        ("PORT", "eighty", "PORT must be a whole number from 1 to 65534, not “eighty”"),
        ("PORT", "65535", "PORT must be a whole number"),
        ("TRUSTED_PROXIES", "-1", "TRUSTED_PROXIES must be a whole number from 0 to 10"),
        ("PORTAL_DESK", "on", "PORTAL_DESK must be beside, alone or off, not “on”"),
        ("DATABASE_REPLICA_URL", "mysql://db/portal", "DATABASE_REPLICA_URL must begin with postgresql:"),
        ("DATABASE_URL", "postgresql://db/portal?pooler=session", "say pooler=transaction or pooler=transaction-prep"),
        ("DATABASE_DIRECT_URL", "postgresql://db/portal?pooler=transaction", "past any pooler"),
    ],
)
def test_a_wrong_value_is_named_and_no_secret_told(name: str, value: str, told: str) -> None:
    message = problems({**PUBLIC, name: value})
    assert told in message
    assert "hunter" not in message


def test_all_wrong_values_are_told_at_once() -> None:
    message = problems({**PUBLIC, "PORT": "0", "MAIL_URL": "carrier pigeon", "SECRET_KEY": "short"})
    assert all(name in message for name in ("PORT", "MAIL_URL", "SECRET_KEY"))


@pytest.mark.parametrize("name", ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"])
def test_half_a_pair_of_processor_keys_is_no_practice(name: str, local: dict[str, str]) -> None:
    assert "go together" in problems({**local, name: "sk_test_something"})


def test_keys_may_be_changed_without_signing_everybody_out(local: dict[str, str]) -> None:
    new, old = "n" * 32, "o" * 32
    assert Settings.from_environment({**local, "SECRET_KEY": f"{new}, {old}"}).secret_keys == (new, old)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_database_address_is_taken_as_hosts_hand_it_out(scheme: str, local: dict[str, str]) -> None:
    settings = Settings.from_environment({**local, "DATABASE_URL": f"{scheme}://me@db/portal?sslmode=require"})
    assert settings.database_url == "postgresql+psycopg://me@db/portal?sslmode=require"
    assert not settings.uses_embedded_database


def test_several_hosts_are_tried_in_turn(local: dict[str, str]) -> None:
    told = "postgresql://me:hunter%402@db1:5433,db2/portal?target_session_attrs=read-write"
    url = make_url(Settings.from_environment({**local, "DATABASE_URL": told}).database_url or "")
    assert (url.username, url.password, url.database) == ("me", "hunter@2", "portal")
    assert url.query == {"host": "db1,db2", "port": "5433,5432", "target_session_attrs": "read-write"}


def test_behind_a_pooler_the_desk_has_a_login_of_its_own(local: dict[str, str]) -> None:
    pooled = local | {"DATABASE_URL": "postgresql://web@pooler:6432/portal?pooler=transaction"}
    assert "the desk needs a login of its own" in problems(pooled)
    apart = Settings.from_environment(pooled | {"PORTAL_DESK": "off"})
    assert is_pooled(apart.database_url or "")
    beside = pooled | {"DESK_DATABASE_URL": "postgresql://desk@pooler:6432/portal?pooler=transaction"}
    assert is_pooled(Settings.from_environment(beside).desk_database_url or "")


@pytest.mark.parametrize("name", ["DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"])
def test_another_way_to_a_database_needs_the_first(name: str, local: dict[str, str]) -> None:
    assert "without DATABASE_URL" in problems({**local, name: "postgresql://me@db/portal"})


def test_the_practice_processor_may_stand_elsewhere(local: dict[str, str]) -> None:
    settings = Settings.from_environment({**local, "STRIPE_API_BASE": "http://localhost:9999", "PORT": "8100"})
    assert settings.stripe.is_practice
    assert settings.stripe.api_base == "http://localhost:9999"
    assert settings.base_url == "http://localhost:8100"


def test_where_letters_come_back_to_is_read_and_its_password_is_not_shown() -> None:
    given = {"BOUNCE_ADDRESS": "bounces@example.gov", "BOUNCE_URL": "imaps://bounces:hunter9@mail.example.gov/INBOX"}
    settings = Settings.from_environment(PUBLIC | given)
    assert settings.bounces.address == "bounces@example.gov"
    assert "hunter9" not in repr(settings)
    for wrong in ("bounces", "city+bounces@example.gov", "returned.letters@example.gov", "@example.gov"):
        assert "BOUNCE_ADDRESS must be" in problems(PUBLIC | {"BOUNCE_ADDRESS": wrong})
    assert "BOUNCE_URL must begin with imaps:" in problems(PUBLIC | {"BOUNCE_URL": "pop3://mail.example.gov"})


def test_twilio_has_its_token_in_its_address_and_needs_no_other() -> None:
    url = "twilio://AC1:hunter10@api.twilio.com/+13205550100"
    settings = Settings.from_environment(PUBLIC | {"SMS_URL": url})
    assert (settings.sms.is_offered, settings.sms.twilio_token, settings.sms.secret) == (True, "hunter10", "")
    assert "hunter10" not in repr(settings)
    assert "not for Twilio" in problems(PUBLIC | {"SMS_URL": url, "SMS_TOKEN": "x", "SMS_SECRET": "y"})
    assert "must look like twilio://" in problems(PUBLIC | {"SMS_URL": "twilio://api.twilio.com"})
    assert "must begin with twilio:" in problems(PUBLIC | {"SMS_URL": url.replace("twilio:", "twilio+http:")})


def test_backups_are_sealed_for_public_keys_alone(local: dict[str, str]) -> None:
    settings = Settings.from_environment({**local, "BACKUP_RECIPIENTS": "age1one, age1two"})
    assert settings.backup_recipients == ("age1one", "age1two")
    assert "BACKUP_RECIPIENTS must hold public keys" in problems({**local, "BACKUP_RECIPIENTS": "AGE-SECRET-KEY-1X"})


def test_the_virus_scanner_is_named_by_a_socket_or_a_port() -> None:
    assert Settings.from_environment(PUBLIC).clamd_url is None
    assert Settings.from_environment(PUBLIC | {"CLAMD_URL": "unix:/run/clamav/clamd.ctl"}).clamd_url
    assert "CLAMD_URL must begin with unix: or tcp:" in problems(PUBLIC | {"CLAMD_URL": "http://127.0.0.1"})
