"""What the portal is made of is known: each package is pinned with its hashes and comes under a license that fits."""

from tests.supply.bill import bill
from tests.supply.licenses import LIST, text, unfit
from tests.supply.packages import Package, packages


def test_every_package_comes_under_a_license_that_somebody_looked_at():
    assert {one.name: unfit(one) for one in packages() if unfit(one)} == {}


def test_a_license_that_does_not_fit_is_noticed():
    for unfitting in ("GPL-3.0-only", "AGPL-3.0-or-later", "unknown", "MIT AND GPL-2.0-only", "Proprietary"):
        assert unfit(Package("pypi", "one", "1", unfitting))
    assert not unfit(Package("pypi", "one", "1", "MIT OR GPL-2.0-only"))


def test_the_list_of_licenses_is_the_one_in_the_documents():
    assert LIST.read_text() == text(packages()), "run `make licenses`"


def test_every_python_package_is_pinned_with_its_hashes():
    assert [one.name for one in packages() if one.kind == "pypi" and not one.hashes] == []


def test_the_bill_of_materials_names_every_package_once():
    components = bill(packages())["components"]
    addresses = [one["bom-ref"] for one in components]
    assert len(addresses) == len(set(addresses)) == len(packages())
    assert "pkg:npm/htmx.org@2.0.11" in addresses
