"""The shared schema as data, for software that reads the contract: `portal schema --as json`."""

import json
from dataclasses import asdict
from typing import Any

from portal.schema.base import Privacy
from portal.schema.contract import CLASS_WORDS, SCHEMA_WORDS, VERSION
from portal.schema.described import DescribedColumn, DescribedTable, cited, described
from portal.schema.migrate import head
from portal.schema.roles import FUNCTIONS, ROLE_WORDS

FEED = {
    "table": "animal_control.event",
    "channel": "animal_control_event",
    "cursor": "id",
    "order": ["transaction_id", "id"],
    "only_where": "transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint",
}


def contract_json() -> str:
    return json.dumps(contract_data(), indent=2, ensure_ascii=False) + "\n"


def contract_data() -> dict[str, Any]:
    """Everything the page says, and in the same words."""
    return {
        "version": VERSION,
        "migration": head(),
        "schemas": SCHEMA_WORDS,
        "roles": ROLE_WORDS,
        "classes": {privacy.value: CLASS_WORDS[privacy] for privacy in Privacy},
        "feed": FEED,
        "functions": {name: list(callers) for name, callers in FUNCTIONS.items()},
        "tables": [_table(table) for table in described()],
    }


def _table(table: DescribedTable) -> dict[str, Any]:
    columns = [_column(column) for column in table.columns]
    return asdict(table) | {"sections": list(map(cited, table.sections)), "columns": columns}


def _column(column: DescribedColumn) -> dict[str, Any]:
    sections = list(map(cited, column.sections))
    return asdict(column) | {"sections": sections, "written_by": column.written_by}
