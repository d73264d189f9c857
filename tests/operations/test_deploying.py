"""What the guide gives to copy says what the portal understands; bench.one_dog tries a machine that followed it."""

import re
from pathlib import Path

import pytest

from portal.city import load_city
from portal.cli import MODULES
from portal.composition import CITIES
from portal.serving.large_bodies import LARGEST_BODY_BYTES
from portal.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY, GUIDE = ROOT / "docs" / "deploy", ROOT / "docs" / "operations.md"
ENVIRONMENTS = {path.name: path.read_text() for path in (DEPLOY / "env").glob("*.env")}
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
IMAGE = (DEPLOY / "Containerfile").read_text()
KEPT_FROM_OUTSIDE = ("/metrics", "/health/ready", "/desk/metrics", "/desk/health/ready")
NGINX = (DEPLOY / "nginx" / "portal.conf").read_text()
VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\bPORT\b")
OF_OTHERS = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}
SECRETS = {
    "SECRET_KEY": "k" * 40,
    "STRIPE_SECRET_KEY": "sk_live_x",
    "STRIPE_WEBHOOK_SECRET": "whsec_x",
}


def read_by_the_portal() -> set[str]:
    """Every variable that the settings name."""
    return {name for path in (ROOT / "portal" / "settings").glob("*.py") for name in VARIABLE.findall(path.read_text())}


def assigned(text: str) -> dict[str, str]:
    lines = re.findall(r"(?m)^([A-Z_0-9]+)=(.*)$", text)
    return {name: value.strip('"') for name, value in lines}


def in_manifests() -> set[str]:
    found = "\n".join(path.read_text() for path in MANIFESTS)
    return set(re.findall(r"(?m)^  ([A-Z][A-Z0-9_]+):", found)) | set(re.findall(r"- name: ([A-Z][A-Z0-9_]+)", found))


def test_each_variable_of_the_guide_is_one_the_portal_reads() -> None:
    told = set(re.findall(r"(?m)^\| (`.*?`) \|", GUIDE.read_text()))
    names = {name for cell in told for name in VARIABLE.findall(cell)}
    assert len(names) > 15
    assert names - OF_OTHERS <= read_by_the_portal()


def test_each_variable_that_is_given_to_copy_is_one_the_portal_reads() -> None:
    given = {name for text in ENVIRONMENTS.values() for name in assigned(text)} | in_manifests()
    given |= {name for unit in UNITS for name in re.findall(r"Environment=([A-Z_]+)", unit.read_text())}
    assert given - OF_OTHERS <= read_by_the_portal()


@pytest.mark.parametrize("process", ["web", "desk", "worker", "owner"])
def test_a_process_starts_with_what_is_given_once_the_secrets_are_written_in(process: str, tmp_path: Path) -> None:
    told = assigned(ENVIRONMENTS["portal.env"]) | assigned(ENVIRONMENTS[f"{process}.env"]) | SECRETS
    settings = Settings.from_environment(told | {"PORTAL_DATA": str(tmp_path)})
    assert settings.base_url == "https://animals.example.gov"
    assert settings.trusted_proxies == 1


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_each_unit_runs_a_command_there_is_with_the_settings_of_its_own(unit: Path) -> None:
    text = unit.read_text()
    (command,) = re.findall(r"(?m)^ExecStart=/opt/portal/\.venv/bin/portal (\w+)", text)
    assert command in MODULES
    files = re.findall(r"(?m)^EnvironmentFile=/etc/portal/(\S+)", text)
    assert files[0] == "portal.env"
    assert set(files) <= set(ENVIRONMENTS)
    for means in ("User=portal", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet=\n"):
        assert means in text


def test_only_migrations_and_the_console_hold_the_owners_login() -> None:
    holders = {unit.stem for unit in UNITS if "owner.env" in unit.read_text()}
    assert holders <= {"portal-migrate", "portal-backup"}
    assert "name: portal-owner" in (DEPLOY / "kubernetes" / "migrate.yaml").read_text()
    for name in ("web", "desk", "worker"):
        assert "portal-owner" not in (DEPLOY / "kubernetes" / f"{name}.yaml").read_text()


def test_every_pod_runs_a_command_there_is_without_rights_of_its_own() -> None:
    for path in MANIFESTS:
        text = path.read_text()
        for command in re.findall(r'args: \["(\w+)"\]', text):
            assert command in MODULES
            assert "runAsNonRoot: true" in text
            assert 'drop: ["ALL"]' in text


@pytest.mark.parametrize(("name", "below"), [("web", ""), ("desk", "/desk")])
def test_each_pod_is_asked_for_its_health_where_it_answers(name: str, below: str) -> None:
    """A desk that is served alone has all it has below /desk."""
    asked = re.findall(r"(?m)^ +path: (\S+)$", (DEPLOY / "kubernetes" / f"{name}.yaml").read_text())
    assert asked == [f"{below}/health/{what}" for what in ("ready", "live", "live")]


def test_the_ingress_hands_out_nothing_that_is_for_machines() -> None:
    text = (DEPLOY / "kubernetes" / "ingress.yaml").read_text()
    for kept in KEPT_FROM_OUTSIDE:
        assert re.search(rf"path: {kept}\n +pathType: Exact\n +backend:\n +service:\n +name: portal-nobody", text)


def test_the_image_takes_nothing_from_a_checkout_but_what_is_named() -> None:
    """A checkout may hold var/, with keys and people's files."""
    copied = [line.split()[1:-1] for line in IMAGE.splitlines() if line.startswith("COPY ") and "--from" not in line]
    assert {name for names in copied for name in names} == {
        "Makefile", "README.md", "pyproject.toml", "requirements.lock", "portal"
    }  # fmt: skip


def test_nginx_lets_through_what_the_portal_answers_with_a_page() -> None:
    (told,) = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    largest_form = load_city(CITIES / "benson.toml").uploads.max_form_bytes
    assert largest_form < int(told) * 1024 * 1024 <= LARGEST_BODY_BYTES
    assert f"proxy-body-size: {told}m" in (DEPLOY / "kubernetes" / "ingress.yaml").read_text()


def test_nginx_believes_nobody_about_their_address() -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    assert "TRUSTED_PROXIES=1\n" in ENVIRONMENTS["portal.env"]
    for kept in KEPT_FROM_OUTSIDE:
        assert re.search(rf"location = {kept} \{{\s+return 404;", NGINX)


def test_nginx_gives_each_request_an_id_of_its_own() -> None:
    assert "proxy_set_header X-Request-ID $request_id;" in NGINX


def test_nginx_writes_down_no_key_of_a_link() -> None:
    (form,) = re.findall(r"log_format portal (.*?);", NGINX, flags=re.DOTALL)
    assert not {"$request ", "$request_uri", "$args", "$query_string", "$http_referer", "$uri"} & set(form.split())
    assert "$shown" in form


def test_the_guide_names_files_that_are_there() -> None:
    for page in (ROOT / "docs" / "operations").glob("*.md"):
        for named in re.findall(r"docs/deploy/[\w./*-]+", page.read_text()):
            assert list(ROOT.glob(named.rstrip("./"))), (page.name, named)
