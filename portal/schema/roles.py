"""What each role may do: the least it needs, stated table by table and granted by the migrations.

The web process may add to `confidential` and never read it back. Nobody changes or removes an event.
"""

import re
from collections.abc import Collection, Iterator

from sqlalchemy import Connection, text

from portal.schema.base import ANIMAL_CONTROL, CONFIDENTIAL, PORTAL, SCHEMAS

WEB = "portal_web"
WORKER = "portal_worker"
DESK = "city_desk"
ROLES = (WEB, WORKER, DESK)
ROLE_WORDS = {
    WEB: "The portal's web process",
    WORKER: "The portal's worker, which sends messages and tends to what is due",
    DESK: "The city's desk, and other software of the city",
}

READ = "SELECT"
ADD = "SELECT, INSERT"
WRITE = "SELECT, INSERT, UPDATE"
HAPPENED = "INSERT (kind, subject_table, subject_id, actor, detail)"
PASSING = "SELECT, INSERT, UPDATE, DELETE"

# From 16 on whoever makes a role is a member that may hand it on and not take it, until it is granted.
MAY_TAKE = "CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END"
COLUMNS_PRESENT = """
    SELECT table_schema || '.' || table_name AS name, array_agg(column_name::text) AS columns
    FROM information_schema.columns GROUP BY table_schema, table_name
"""
NAMED = re.compile(r"\(([^)]*)\)")
FUNCTIONS_PRESENT = "SELECT name FROM unnest(CAST(:functions AS text[])) name WHERE to_regprocedure(name) IS NOT NULL"

GRANTS: dict[str, dict[str, str]] = {
    f"{ANIMAL_CONTROL}.premises": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.person": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    # A record that is joined to another takes along what its person stated, told and asked: only whose it is changes.
    f"{ANIMAL_CONTROL}.household_statement": {WEB: ADD, WORKER: READ, DESK: f"{ADD}, UPDATE (person_id)"},
    f"{ANIMAL_CONTROL}.animal": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.keeper": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.document": {WEB: ADD, WORKER: READ, DESK: ADD},
    f"{ANIMAL_CONTROL}.document_page": {WEB: ADD, WORKER: READ, DESK: ADD},
    f"{ANIMAL_CONTROL}.vaccination": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.tag_request": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.departure": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.ownership_claim": {WEB: WRITE, DESK: WRITE},
    # The web process notes what it found and can tell nobody: it may not look at it again.
    f"{ANIMAL_CONTROL}.lookalike": {WEB: "INSERT", DESK: WRITE},
    f"{ANIMAL_CONTROL}.fee_question": {WEB: ADD, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.clinic": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.clinic_filing": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.filing_candidate": {WEB: ADD, WORKER: ADD, DESK: ADD},
    f"{ANIMAL_CONTROL}.rabies_notice": {WEB: "INSERT", DESK: WRITE},
    f"{ANIMAL_CONTROL}.vet_request": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.certificate_demand": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.license": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.license_counter": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.tag": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.fee_order": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    f"{ANIMAL_CONTROL}.fee_order_line": {WEB: ADD, WORKER: ADD, DESK: ADD},
    f"{ANIMAL_CONTROL}.payment": {WEB: WRITE, WORKER: WRITE, DESK: WRITE},
    # What the processor tells opens a question, or settles one; how else it is settled is for the desk.
    f"{ANIMAL_CONTROL}.payment_question": {
        WEB: "SELECT, INSERT, UPDATE (outcome, refund_method, reason, decided_by, decided_at, settled_at)",
        WORKER: "SELECT, INSERT, UPDATE (outcome, refund_method, reason, decided_by, decided_at, settled_at)",
        DESK: WRITE,
    },
    f"{ANIMAL_CONTROL}.counter_refund": {DESK: ADD},
    # Anybody may read what an animal at the pound looks like; the rest is the city's (346.47, 13.82).
    f"{ANIMAL_CONTROL}.impoundment": {
        WEB: "SELECT (id, basis, species, breed, color, sex, size, age_text, marks, area, seized_on, photo_id, "
        "animal_id, left_on, created_at)",
        WORKER: "SELECT, UPDATE (animal_id, keepers_written_at, compared_at)",
        DESK: WRITE,
    },
    f"{ANIMAL_CONTROL}.impoundment_party": {DESK: ADD},
    # The worker asks whether a notice still holds, hides it in time, and looks for the same animal elsewhere.
    f"{ANIMAL_CONTROL}.pet_notice": {WEB: WRITE, WORKER: "SELECT, UPDATE", DESK: WRITE},
    f"{ANIMAL_CONTROL}.sighting": {WEB: ADD, WORKER: READ, DESK: ADD},
    f"{ANIMAL_CONTROL}.notice_match": {WEB: "SELECT, UPDATE (dismissed_at)", WORKER: WRITE, DESK: WRITE},
    # Whoever complained is told nothing of what others complained of.
    f"{ANIMAL_CONTROL}.notice_abuse": {WEB: "INSERT", DESK: WRITE},
    # A designation is the city's word. The portal notes for which dog it was claimed, and what an owner states of a
    # place elsewhere. What was sent and decided is added to and never changed.
    f"{ANIMAL_CONTROL}.dangerous_designation": {
        WEB: "SELECT, INSERT, UPDATE (animal_id, claimed_by, claimed_at, code_hash, version)",
        WORKER: READ,
        DESK: WRITE,
    },
    f"{ANIMAL_CONTROL}.dangerous_registration": {
        WEB: "SELECT, INSERT, UPDATE (state, sent_at, is_late, version)",
        WORKER: READ,
        DESK: WRITE,
    },
    f"{ANIMAL_CONTROL}.dangerous_requirement": {
        WEB: "SELECT, INSERT, UPDATE (state, evidence_number, decided_number, changed_at, version)",
        WORKER: READ,
        DESK: WRITE,
    },
    f"{ANIMAL_CONTROL}.requirement_evidence": {WEB: ADD, WORKER: READ, DESK: ADD},
    f"{ANIMAL_CONTROL}.requirement_decision": {WEB: ADD, WORKER: READ, DESK: ADD},
    f"{ANIMAL_CONTROL}.requirement_link": {WEB: WRITE, WORKER: READ, DESK: "SELECT, UPDATE (asked_by)"},
    f"{ANIMAL_CONTROL}.dangerous_notice": {
        WEB: ADD,
        WORKER: READ,
        DESK: "SELECT, INSERT, UPDATE (told_by, affidavit_asked_at, seen_at, seen_by)",
    },
    f"{ANIMAL_CONTROL}.hearing_request": {WEB: ADD, WORKER: READ, DESK: WRITE},
    f"{ANIMAL_CONTROL}.review_request": {
        WEB: ADD,
        WORKER: READ,
        DESK: "SELECT, INSERT, UPDATE (asked_by, outcome, reason, decided_at, decided_by)",
    },
    f"{ANIMAL_CONTROL}.seizure_security": {WEB: READ, WORKER: READ, DESK: WRITE},
    # What others reported stands in the feed too: the portal adds to it and does not look at it.
    # Its number, its transaction and its time are the database's: with another it could be written behind a reader.
    f"{ANIMAL_CONTROL}.event": {WEB: HAPPENED, WORKER: HAPPENED, DESK: f"SELECT, {HAPPENED}"},
    # 13.44, 13.82: the portal reads a report through the functions below, which answer to its reporter alone.
    f"{ANIMAL_CONTROL}.report": {WEB: "INSERT", DESK: WRITE},
    f"{ANIMAL_CONTROL}.report_merge": {DESK: ADD},
    f"{ANIMAL_CONTROL}.report_episode": {WEB: "INSERT", DESK: ADD},
    f"{ANIMAL_CONTROL}.report_update": {WEB: "INSERT", DESK: ADD},
    f"{ANIMAL_CONTROL}.report_file": {WEB: "INSERT", WORKER: "SELECT (key, thumbnail_key)", DESK: ADD},
    f"{CONFIDENTIAL}.reporter": {WEB: "INSERT"},
    f"{CONFIDENTIAL}.report_link": {WEB: "INSERT"},
    f"{CONFIDENTIAL}.report_invitation": {WEB: "INSERT", WORKER: "SELECT (code_hash, expires_at), DELETE"},
    f"{CONFIDENTIAL}.identity_read": {WEB: "INSERT"},
    # Files of drafts are kept as long as their drafts.
    f"{CONFIDENTIAL}.report_draft": {WEB: "INSERT", WORKER: "SELECT (token_hash, files, expires_at), DELETE"},
    # The desk writes to keepers through the outbox: whose mailbox it is, and no message that waits there.
    f"{PORTAL}.account": {WEB: WRITE, WORKER: READ, DESK: "SELECT (id, email, person_id)"},
    f"{PORTAL}.sign_in_request": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.sign_in": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.draft": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.upload": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.clinic_member": {WEB: WRITE, WORKER: READ, DESK: WRITE},
    # Nobody uses these yet; who does gets the right with the code that needs it.
    # The city is told by events that there is a talk; what is said in it is between the two sides.
    f"{PORTAL}.relay": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.relay_link": {WEB: ADD, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.relay_message": {WEB: ADD, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.notice_private": {WEB: WRITE, WORKER: "SELECT, UPDATE (email, phone, withheld_mark)", DESK: READ},
    f"{PORTAL}.notice_link": {WEB: ADD, WORKER: "SELECT, INSERT, DELETE", DESK: "INSERT"},
    f"{PORTAL}.notice_draft": {WEB: PASSING, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.reminder": {WORKER: "SELECT, INSERT, DELETE"},
    f"{PORTAL}.reminder_choice": {WEB: WRITE, WORKER: READ},
    f"{PORTAL}.keeper_invitation": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.email_change": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.clinic_token": {WEB: WRITE, WORKER: READ},
    f"{PORTAL}.open311_key": {WEB: "SELECT, UPDATE (last_used_at)", DESK: WRITE},
    f"{PORTAL}.reading": {WEB: ADD, WORKER: "SELECT, UPDATE, DELETE"},
    f"{PORTAL}.kept_answers": {WEB: ADD, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.submission": {WEB: WRITE, WORKER: "SELECT, DELETE"},
    f"{PORTAL}.outgoing_message": {
        WEB: "INSERT, SELECT",
        WORKER: PASSING,
        DESK: "INSERT, SELECT (id, attempts, created_at)",
    },
    f"{PORTAL}.dead_mailbox": {WEB: "SELECT (mailbox), DELETE", WORKER: "SELECT, INSERT, DELETE", DESK: READ},
    # A file that waits for the scanner is given to nobody; who serves it asks here.
    f"{PORTAL}.file_scan": {
        WEB: "SELECT (key, verdict)",
        WORKER: "SELECT, INSERT, DELETE",
        DESK: "SELECT, UPDATE (handled_by, handled_at)",
    },
    f"{PORTAL}.processor_event": {WEB: WRITE, WORKER: PASSING},
    f"{PORTAL}.rate_limit": {WEB: PASSING, WORKER: "SELECT, DELETE"},
    # Who works at the desk is no business of the public pages: their role can neither look nor let anybody in.
    f"{PORTAL}.staff": {DESK: WRITE},
    f"{PORTAL}.staff_passkey": {DESK: WRITE},
    f"{PORTAL}.staff_recovery_code": {DESK: WRITE},
    f"{PORTAL}.staff_sign_in_request": {DESK: WRITE, WORKER: "SELECT (id, expires_at), DELETE"},
    f"{PORTAL}.staff_sign_in": {DESK: WRITE, WORKER: "SELECT (id, expires_at, ended_at), DELETE"},
    f"{PORTAL}.desk_rate_limit": {DESK: PASSING, WORKER: "SELECT, DELETE"},
    # What was read and why stays as it was written down.
    f"{PORTAL}.desk_reading": {DESK: ADD},
    f"{PORTAL}.desk_kept_answers": {DESK: PASSING, WORKER: "SELECT (token_hash, expires_at), DELETE"},
    # Of its own work the portal tells counts alone, by the function below.
    f"{PORTAL}.worker_job": {WORKER: WRITE},
    f"{PORTAL}.finding": {WORKER: PASSING, DESK: "SELECT, UPDATE (resolved_by, resolved_at, reason)"},
    f"{PORTAL}.desk_opening": {DESK: WRITE, WORKER: "SELECT (id, opened_at), DELETE"},
}

# Functions that run with their owner's rights: who may call each. One that is named for nobody is used by the others.
FUNCTIONS: dict[str, tuple[str, ...]] = {
    f"{CONFIDENTIAL}.reach(text, text, timestamptz)": (),
    f"{CONFIDENTIAL}.my_reports(text, text, timestamptz)": (WEB,),
    f"{CONFIDENTIAL}.my_updates(text, text, timestamptz, uuid)": (WEB,),
    f"{CONFIDENTIAL}.my_episodes(text, text, timestamptz, uuid)": (WEB,),
    f"{CONFIDENTIAL}.my_files(text, text, timestamptz, uuid)": (WEB,),
    f"{CONFIDENTIAL}.move_mine(text, text, timestamptz, uuid, text, timestamptz)": (WEB,),
    f"{CONFIDENTIAL}.identify_mine(text, text, timestamptz, uuid, jsonb)": (WEB,),
    f"{CONFIDENTIAL}.ask_not_public(text, text, timestamptz, uuid)": (WEB,),
    f"{CONFIDENTIAL}.is_to_confirm(text)": (WEB,),
    f"{CONFIDENTIAL}.confirm_mine(text, timestamptz, boolean)": (WEB,),
    f"{CONFIDENTIAL}.invited_to(text, timestamptz)": (WEB,),
    f"{CONFIDENTIAL}.join_invited(text, text, timestamptz, uuid, text)": (WEB,),
    f"{CONFIDENTIAL}.keep_draft(text, jsonb, jsonb, timestamptz, timestamptz)": (WEB,),
    f"{CONFIDENTIAL}.read_draft(text, timestamptz)": (WEB,),
    f"{CONFIDENTIAL}.drop_draft(text)": (WEB,),
    f"{CONFIDENTIAL}.status_by_link(text)": (WEB,),
    f"{CONFIDENTIAL}.reports_accusing_nobody(timestamptz, timestamptz)": (WEB,),
    f"{CONFIDENTIAL}.status_accusing_nobody(text)": (WEB,),
    f"{CONFIDENTIAL}.read_identity(uuid, text, text, timestamptz)": (DESK,),
    f"{CONFIDENTIAL}.identity_reads(uuid)": (DESK,),
    f"{CONFIDENTIAL}.write_to_reporter(uuid, text, text, timestamptz)": (DESK,),
    f"{PORTAL}.failed_letters(uuid, integer)": (DESK,),
    f"{PORTAL}.handle_letter(uuid, text, timestamptz)": (DESK,),
    f"{PORTAL}.failed_letters_count()": (DESK,),
    f"{PORTAL}.who_asked_for_letter(uuid)": (DESK,),
    f"{PORTAL}.mailbox_owners(text, timestamptz)": (DESK,),
    f"{PORTAL}.send_letter_again(uuid, text, text, timestamptz)": (DESK,),
    f"{PORTAL}.ask_new_mailbox(uuid, text, text, text, timestamptz, timestamptz)": (DESK,),
    f"{PORTAL}.give_record(text, uuid)": (DESK,),
    f"{PORTAL}.measured(timestamptz)": (WEB, DESK),
}


def enforce(connection: Connection) -> None:
    """Make the database's roles and rights those of this module, no more and no less; part of every migration."""
    tables = {row.name: row.columns for row in connection.execute(text(COLUMNS_PRESENT))}
    functions = set(connection.scalars(text(FUNCTIONS_PRESENT), {"functions": list(FUNCTIONS)}))
    statements = [
        *create_roles(),
        *grant_schemas(),
        *default_privileges(),
        *(statement for table in GRANTS if table in tables for statement in grants_on_table(table, tables[table])),
        *(statement for function in FUNCTIONS if function in functions for statement in grants_on_function(function)),
    ]
    connection.exec_driver_sql("; ".join(statements))  # hundreds of them, in one round trip


def grants_on_table(table: str, present: Collection[str] | None = None) -> Iterator[str]:
    """Of the columns that are named, those that are `present`: a later migration may add one."""
    yield f"REVOKE ALL ON {table} FROM {', '.join(ROLES)}"
    for role, privileges in GRANTS[table].items():
        able = privileges if present is None else NAMED.sub(lambda named: _those(named[1], present), privileges)
        yield f"GRANT {able} ON {table} TO {role}"


def _those(named: str, present: Collection[str]) -> str:
    return f"({', '.join(column for column in named.split(', ') if column in present)})"


def grants_on_function(function: str) -> Iterator[str]:
    yield f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC, {', '.join(ROLES)}"
    yield from (f"GRANT EXECUTE ON FUNCTION {function} TO {role}" for role in FUNCTIONS[function])


def create_roles() -> Iterator[str]:
    """Roles belong to the whole server, so they are made only when missing, under a lock of their own."""
    yield "SELECT pg_advisory_xact_lock(9000)"
    for role in ROLES:
        yield (
            f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') "
            f"THEN CREATE ROLE {role} NOLOGIN NOINHERIT; END IF; END $$"
        )
        yield (
            f"DO $$ BEGIN IF NOT pg_has_role(CURRENT_USER, '{role}', {MAY_TAKE}) "
            f"THEN GRANT {role} TO CURRENT_USER; END IF; END $$"
        )


def grant_schemas() -> Iterator[str]:
    """The schemas are opened to the three roles, and to nobody else."""
    for schema in SCHEMAS:
        yield f"CREATE SCHEMA IF NOT EXISTS {schema}"
        yield f"REVOKE ALL ON SCHEMA {schema} FROM PUBLIC"
        yield f"GRANT USAGE ON SCHEMA {schema} TO {', '.join(ROLES)}"
    yield f"GRANT SELECT ON {PORTAL}.alembic_version TO {', '.join(ROLES)}"


def default_privileges() -> Iterator[str]:
    """A table added to `confidential` later can be added to by the web process, and is read by nobody by default."""
    yield f"ALTER DEFAULT PRIVILEGES IN SCHEMA {CONFIDENTIAL} GRANT INSERT ON TABLES TO {WEB}"
