"""A million dogs with their people and homes, and a queue with much waiting in it, as sets of rows.

Names are as they are: a few hundred dogs of each thousand share a dozen names, one surname of ten is Johnson or Olson.
"""

from sqlalchemy import Connection, Engine, text

A_HOME = 3
DOGS = (
    """
    INSERT INTO animal_control.premises (id, kind, line1, city, state, postal_code, match_key)
    SELECT md5('premises ' || n)::uuid, 'street', (20000 + n / 50) || ' ' || street, 'Benson', 'MN', '56215',
        (20000 + n / 50) || ' ' || lower(street) || ' benson 56215'
    FROM generate_series(1, :homes) AS n, LATERAL (SELECT
        (ARRAY['Idaho','Atlantic','Pacific','Kansas','Utah','Nevada','Oakwood','Montana','Wisconsin','Nordic'])
            [1 + n % 10] || ' ' || (ARRAY['Ave','St','Rd','Ave N','St SW'])[1 + n / 10 % 5] AS street) AS said
    """,
    """
    INSERT INTO animal_control.person (id, kind, name, email, phone, phone_e164, home_premises_id)
    SELECT md5('person ' || n)::uuid, 'person',
        (ARRAY['Pat','Gavin','María','Zoë','Sven','Ingrid','Amina','Yer','Linh','John','Anne','Ole','Karin','Ahmed'])
            [1 + n % 14] || ' ' || CASE WHEN n % 10 > 0
            THEN initcap(substr(md5('surname ' || n % 4999), 1, 7))
            ELSE (ARRAY['Johnson','Olson','Larson','Núñez','O’Brien','Müller','Nguyễn'])[1 + n / 10 % 7] END,
        'person' || n || '@example.com', e164, '+1' || e164, md5('premises ' || n)::uuid
    FROM generate_series(1, :homes) AS n, LATERAL (SELECT (2000000000 + n * 23::bigint)::text AS e164) AS said
    """,
    """
    INSERT INTO portal.account (id, email, email_key, person_id)
    SELECT md5('account ' || n)::uuid, 'person' || n || '@example.com', 'person' || n || '@example.com',
        md5('person ' || n)::uuid
    FROM generate_series(1, :homes) AS n
    """,
    """
    INSERT INTO animal_control.animal (id, species, name, breed, color, sex, microchip, premises_id, state)
    SELECT md5('animal ' || n)::uuid, 'dog',
        CASE WHEN mixed % 1000 = 0 THEN 'Écho' WHEN mixed % 3 = 0
        THEN (ARRAY['Bella','Luna','Max','Pepper','Charlie','Cooper','Lucy','Buddy','Rocky','Daisy','Sadie','Bear'])
            [1 + mixed / 3 % 12]
        ELSE initcap(substr(md5('name ' || mixed % 20011), 1, 5)) END,
        'Labrador', 'black', 'female',
        CASE WHEN n % 10 > 0 THEN (ARRAY['985112','985141','982000','956000','900164','991001'])[1 + mixed % 6]
            || lpad((mixed::bigint * 48271 % 1000000000)::text, 9, '0') END,
        md5('premises ' || (n - 1) / 3 + 1)::uuid, CASE WHEN n % 33 = 0 THEN 'died' ELSE 'kept' END
    FROM generate_series(1, :homes * 3) AS n, LATERAL (SELECT abs(hashint4(n)) AS mixed) AS said
    """,
    """
    INSERT INTO animal_control.keeper (id, animal_id, person_id, role, since)
    SELECT md5('keeper ' || n)::uuid, md5('animal ' || n)::uuid, md5('person ' || (n - 1) / 3 + 1)::uuid, 'owner', now()
    FROM generate_series(1, :homes * 3) AS n
    """,
    """
    INSERT INTO animal_control.license
        (id, animal_id, year, valid_from, valid_until, basis, number, state, delivery, proof_code, issued_at)
    SELECT md5('license ' || n)::uuid, md5('animal ' || n)::uuid, 2025, '2025-01-01', '2025-12-31', 'fee', n, 'issued',
        'mail', 'B' || n, now()
    FROM generate_series(1, :homes * 3) AS n
    """,
    """
    INSERT INTO animal_control.fee_order (id, reference, person_id, total_cents, state, paid_at, created_at)
    SELECT md5('paid ' || n)::uuid, 'P' || n, md5('person ' || n)::uuid, 3000, 'paid', '2025-02-01', '2025-02-01'
    FROM generate_series(1, :homes) AS n
    """,
    """
    INSERT INTO animal_control.fee_order_line
        (id, order_id, kind, license_id, description, amount_cents, resolution, ledger_code)
    SELECT md5('line ' || n)::uuid, md5('paid ' || (n - 1) / 3 + 1)::uuid, 'license', md5('license ' || n)::uuid,
        'Dog license 2025', 1000, 'sample', '101-32200'
    FROM generate_series(1, :homes * 3) AS n
    """,
    """
    INSERT INTO animal_control.payment
        (id, order_id, method, state, amount_cents, receipt_number, taken_by, paid_at, created_at)
    SELECT md5('payment ' || n)::uuid, md5('paid ' || n)::uuid, CASE WHEN n % 3 = 0 THEN 'counter' ELSE 'card' END,
        'paid', 3000, 'P' || n, CASE WHEN n % 3 = 0 THEN 'olsen@benson.example' END, '2025-02-01', '2025-02-01'
    FROM generate_series(1, :homes) AS n
    """,
    "INSERT INTO animal_control.license_counter (year, last_number) VALUES (2025, :homes * 3) ON CONFLICT DO NOTHING",
    """
    INSERT INTO animal_control.event (kind, subject_table, subject_id, actor)
    SELECT 'animal.registered', 'animal', md5('animal ' || n)::uuid, 'system'
    FROM generate_series(1, :homes * 3) AS n
    """,
)
# So many of each kind of item as are asked for, come in over the last weeks.
WAITING = (
    """
    INSERT INTO animal_control.clinic (id, name, address, phone, email, email_key, state, decided_at)
    VALUES (md5('clinic')::uuid, 'Prairie Vet', '1 Main St', '(320) 555-0100', 'vet@example.com', 'vet@example.com',
        'approved', now())
    """,
    """
    INSERT INTO animal_control.clinic (id, name, address, phone, email, email_key, created_at)
    SELECT md5('clinic ' || n)::uuid, 'Clinic ' || n, n || ' Main St', '(320) 555-0101', 'clinic' || n ||
        '@example.com', 'clinic' || n || '@example.com', now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.rabies_notice
        (id, clinic_id, sent_by, called, animal, place, owner, what, phone, created_at)
    SELECT md5('rabies ' || n)::uuid, md5('clinic')::uuid, 'vet@example.com', 'police', 'A bat', 'Benson', 'Nobody',
        'It bit', '(320) 555-0100', now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.report
        (id, reference, kind, place_text, place_key, animal_description, whose_text, narrative, created_at)
    SELECT md5('report ' || n)::uuid, 'R' || n, CASE WHEN n % 10 = 0 THEN 'bite' ELSE 'barking' END,
        n % 97 || ' Idaho Ave', n % 97 || ' idaho ave benson 56215', 'A dog', '', 'It barks',
        now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.pet_notice (id, reference, kind, state, species, place_text, happened_on, created_at)
    SELECT md5('notice ' || n)::uuid, 'N' || n, 'lost', CASE WHEN n % 2 = 0 THEN 'checking' ELSE 'shown' END, 'dog',
        'Ambush Park', current_date, now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.notice_abuse (id, notice_id, kind, created_at)
    SELECT md5('abuse ' || n)::uuid, md5('notice ' || n)::uuid, 'other',
        now() - n * interval '1 minute'
    FROM generate_series(1, :many, 2) AS n
    """,
    """
    INSERT INTO animal_control.dangerous_designation
        (id, reference, kind, state, dog, grounds, noticed_on, designated_by, animal_id, created_at)
    SELECT md5('designation ' || n)::uuid, 'D' || n, 'dangerous', 'standing', 'A black dog', '["bit"]',
        current_date - 30, 'olsen@benson.example', md5('animal ' || n)::uuid, now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.dangerous_registration
        (id, designation_id, animal_id, person_id, starts_on, ends_on, sent_at, created_at)
    SELECT md5('year ' || n)::uuid, md5('designation ' || n)::uuid, md5('animal ' || n)::uuid,
        md5('person ' || (n - 1) / 3 + 1)::uuid, current_date, current_date + 364, now(),
        now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.dangerous_requirement
        (id, designation_id, registration_id, kind, state, evidence_number, changed_at)
    SELECT md5('row ' || n)::uuid, md5('designation ' || n)::uuid, md5('year ' || n)::uuid, 'insurance', 'sent', 1,
        now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.requirement_evidence (id, requirement_id, number, source, sent_by)
    SELECT md5('evidence ' || n)::uuid, md5('row ' || n)::uuid, 1, 'owner', 'keeper'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.hearing_request
        (id, reference, kind, dog, name, signed_name, asked_at, hold_by, designation_id)
    SELECT md5('hearing ' || n)::uuid, 'H' || n, 'dangerous', 'A black dog', 'Pat Larson', 'Pat Larson', now(),
        current_date + 14, md5('designation ' || n)::uuid
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.review_request (id, reference, designation_id, asked_by, changes, told, signed_name,
        from_day, is_early, created_at)
    SELECT md5('review ' || n)::uuid, 'V' || n, md5('designation ' || n)::uuid,
        md5('person ' || (n - 1) / 3 + 1)::uuid, '[]', 'It is calm now', 'Pat Larson', current_date, false,
        now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.dangerous_notice (id, reference, designation_id, animal_id, told_by, kind, happens_on,
        owner_name, owner_address, signed_name, legal_last_day, show_by, is_late, created_at)
    SELECT md5('told ' || n)::uuid, 'T' || n, md5('designation ' || n)::uuid, md5('animal ' || n)::uuid,
        md5('person ' || (n - 1) / 3 + 1)::uuid, 'death', current_date, 'Pat Larson', '1 Main St', 'Pat Larson',
        current_date, current_date, false, now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.vaccination
        (id, animal_id, source, evidence, dose, vaccine_type, needs_review, created_at)
    SELECT md5('certificate ' || n)::uuid, md5('animal ' || n)::uuid, 'owner', 'certificate', 'booster', 'unknown',
        false, now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.license (id, animal_id, year, valid_from, valid_until, basis, waiver_state, delivery,
        proof_code, created_at)
    SELECT md5('waiver ' || n)::uuid, md5('animal ' || n)::uuid, 2026, '2026-01-01', '2026-12-31', 'assistance_dog',
        'claimed', 'mail', 'W' || n, now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.tag (id, license_id, year, number, delivery, created_at)
    SELECT md5('tag ' || n)::uuid, md5('license ' || n)::uuid, 2025, n, 'mail', now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.fee_order (id, reference, person_id, total_cents, counter_chosen_at, created_at)
    SELECT md5('order ' || n)::uuid, 'O' || n, md5('person ' || (n - 1) / 3 + 1)::uuid, 1000,
        now() - n * interval '1 minute', now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.clinic_filing (id, clinic_id, channel, filed_by, owner_name, owner_address, owner_key,
        address_key, animal_name, species, description, dose, vaccine_type, veterinarian, state, created_at)
    SELECT md5('filing ' || n)::uuid, md5('clinic')::uuid, 'page', 'vet@example.com', 'Pat Larson', '1 Main St',
        'pat larson', '1 main st', 'Rex', 'dog', 'A black dog', 'booster', 'unknown', 'Dr. Moe', 'unsure',
        now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO portal.outgoing_message
        (id, recipient, template, context, not_before, attempts, failed_at, last_error, created_at)
    SELECT md5('letter ' || n)::uuid, 'person' || n || '@example.com', 'receipt', '{}', now(), 5,
        now() - n * interval '1 minute',
        'No such mailbox', now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.fee_question (id, fee, text, created_at)
    SELECT md5('question ' || n)::uuid, 'license', 'Why?',
        now() - n * interval '1 minute' FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.lookalike (id, animal_id, other_animal_id, agrees, created_at)
    SELECT md5('lookalike ' || n)::uuid, md5('animal ' || n)::uuid, md5('animal ' || n + 3)::uuid, 'microchip',
        now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.departure (id, animal_id, told_by, kind)
    SELECT md5('departure ' || n)::uuid, md5('animal ' || n)::uuid, md5('person ' || (n - 1) / 3 + 1)::uuid,
        'given_away'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO animal_control.ownership_claim (id, animal_id, departure_id, claimed_by, created_at)
    SELECT md5('claim ' || n)::uuid, md5('animal ' || n)::uuid, md5('departure ' || n)::uuid,
        md5('person ' || (n - 1) / 3 + 4)::uuid, now() - n * interval '1 minute'
    FROM generate_series(1, :many) AS n
    """,
)
KINDS_WAITING = 17
# As a restore does: rows first, then each index at once, and no key is looked up that is right by its making.
INDEXES = """
    SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'animal_control'::regnamespace)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
"""
BEFORE = (
    "SET LOCAL session_replication_role = replica",
    "SET LOCAL synchronous_commit = off",
    "SET LOCAL maintenance_work_mem = '512MB'",
    "SET LOCAL work_mem = '256MB'",
)
SETTLE = ("VACUUM (ANALYZE)", "CHECKPOINT")


def fill(engine: Engine, *, dogs: int, waiting: int) -> None:
    """So many dogs, and so many open items of every kind."""
    with engine.begin() as connection:
        for statement in BEFORE:
            connection.execute(text(statement))
        indexes = connection.execute(text(INDEXES)).all()
        for index, _ in indexes:
            connection.execute(text(f"DROP INDEX {index}"))
        _insert(connection, dogs=dogs, waiting=waiting)
        for _, definition in indexes:
            connection.execute(text(definition))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in SETTLE:
            connection.execute(text(statement))


def _insert(connection: Connection, *, dogs: int, waiting: int) -> None:
    for statement in DOGS:
        connection.execute(text(statement), {"homes": dogs // A_HOME})
    for statement in WAITING:
        connection.execute(text(statement), {"many": waiting})
