"""The functions through which a report is read: by its reporter alone, and by an officer who says why

Each runs with the rights of the schema's owner and names every table in full. What opens a report is its private link,
or a live sign-in: of that the token itself is asked for, which the browser holds and no table does.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

AS_OWNER = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
READS = f"LANGUAGE sql STABLE {AS_OWNER}"
WRITES = f"LANGUAGE plpgsql VOLATILE {AS_OWNER}"

REACH = """
CREATE FUNCTION confidential.reach(link_hash text, sign_in_token text, moment timestamptz)
RETURNS SETOF uuid {READS} ROWS 10 AS $$
    WITH mine AS (
        SELECT account.id, account.email_key
        FROM portal.sign_in JOIN portal.account ON account.id = sign_in.account_id
        WHERE sign_in.token_hash = encode(sha256(convert_to(sign_in_token, 'UTF8')), 'hex')
            AND sign_in.ended_at IS NULL AND sign_in.expires_at > moment AND account.closed_at IS NULL
    )
    SELECT report_link.report_id FROM confidential.report_link
    WHERE report_link.token_hash = link_hash AND report_link.purpose = 'follow'
    UNION
    SELECT reporter.report_id FROM mine JOIN confidential.reporter ON reporter.account_id = mine.id
    UNION
    SELECT reporter.report_id FROM mine JOIN confidential.reporter ON reporter.email_key = mine.email_key
    WHERE reporter.confirmed_at IS NOT NULL
$$
"""
MY_REPORTS = """
CREATE FUNCTION confidential.my_reports(link_hash text, sign_in_token text, moment timestamptz)
RETURNS TABLE (
    id uuid, reference text, kind text, state text, closed_reason text, closed_at timestamptz,
    reopened_at timestamptz, happened_at timestamptz, happened_text text, place_text text, place_key text,
    is_outside_city boolean, animal_description text, whose_text text, is_going_on boolean, is_again boolean,
    details jsonb, details_version int, narrative text, has_identity boolean, asked_not_public_at timestamptz,
    changed_at timestamptz, created_at timestamptz
) {READS} AS $$
    SELECT r.id, r.reference, r.kind, r.state, r.closed_reason, r.closed_at, r.reopened_at, r.happened_at,
        r.happened_text, r.place_text, r.place_key, r.is_outside_city, r.animal_description, r.whose_text,
        r.is_going_on, r.is_again, r.details, r.details_version, r.narrative, r.has_identity,
        reporter.asked_not_public_at, r.changed_at, r.created_at
    FROM confidential.reach(link_hash, sign_in_token, moment) AS reached(id)
    JOIN animal_control.report AS r ON r.id = reached.id
    LEFT JOIN confidential.reporter ON reporter.report_id = r.id
    ORDER BY r.created_at DESC, r.id
$$
"""
MY_UPDATES = """
CREATE FUNCTION confidential.my_updates(link_hash text, sign_in_token text, moment timestamptz, report uuid)
RETURNS TABLE (id uuid, by text, kind text, text text, happened_at timestamptz, details jsonb, created_at timestamptz)
{READS} AS $$
    SELECT u.id, u.by, u.kind, u.text, u.happened_at, u.details, u.created_at
    FROM animal_control.report_update AS u
    WHERE u.report_id = report AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment))
    ORDER BY u.created_at, u.id
$$
"""
MY_EPISODES = """
CREATE FUNCTION confidential.my_episodes(link_hash text, sign_in_token text, moment timestamptz, report uuid)
RETURNS TABLE (
    id uuid, started_at timestamptz, ended_at timestamptz, source text, is_backdated boolean, heard_from text,
    created_at timestamptz
) {READS} AS $$
    SELECT e.id, e.started_at, e.ended_at, e.source, e.is_backdated, e.heard_from, e.created_at
    FROM animal_control.report_episode AS e
    WHERE e.report_id = report AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment))
    ORDER BY e.started_at, e.id
$$
"""
MY_FILES = """
CREATE FUNCTION confidential.my_files(link_hash text, sign_in_token text, moment timestamptz, report uuid)
RETURNS TABLE (
    id uuid, update_id uuid, kind text, key text, thumbnail_key text, original_name text, media_type text,
    size_bytes bigint, created_at timestamptz
) {READS} AS $$
    SELECT f.id, f.update_id, f.kind, f.key, f.thumbnail_key, f.original_name, f.media_type, f.size_bytes, f.created_at
    FROM animal_control.report_file AS f
    WHERE f.report_id = report AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment))
    ORDER BY f.created_at, f.id
$$
"""
MOVE_MINE = """
CREATE FUNCTION confidential.move_mine(
    link_hash text, sign_in_token text, moment timestamptz, report uuid, change text, closed_since timestamptz
) RETURNS boolean {WRITES} AS $$
BEGIN
    IF report NOT IN (SELECT confidential.reach(link_hash, sign_in_token, moment)) THEN
        RETURN false;
    END IF;
    CASE change
    WHEN 'touched' THEN
        UPDATE animal_control.report AS r SET changed_at = moment WHERE r.id = report;
    WHEN 'answered' THEN
        UPDATE animal_control.report AS r SET state = 'looking', changed_at = moment
        WHERE r.id = report AND r.state = 'waiting';
    WHEN 'withdrawn' THEN
        UPDATE animal_control.report AS r
        SET state = 'closed', closed_at = moment, closed_reason = 'Taken back by whoever reported it',
            changed_at = moment
        WHERE r.id = report AND r.state <> 'closed';
    WHEN 'reopened' THEN
        UPDATE animal_control.report AS r
        SET state = 'received', closed_at = NULL, closed_reason = NULL, reopened_at = moment, changed_at = moment
        WHERE r.id = report AND r.state = 'closed' AND r.closed_at >= closed_since;
    ELSE
        RAISE EXCEPTION 'A report is not % by its reporter', change;
    END CASE;
    RETURN FOUND;
END $$
"""
IDENTIFY_MINE = """
CREATE FUNCTION confidential.identify_mine(
    link_hash text, sign_in_token text, moment timestamptz, report uuid, given jsonb
) RETURNS boolean {WRITES} AS $$
BEGIN
    IF report NOT IN (SELECT confidential.reach(link_hash, sign_in_token, moment)) THEN
        RETURN false;
    END IF;
    UPDATE confidential.reporter AS r
    SET name = given->>'name', phone = given->>'phone', address = given->>'address',
        email = coalesce(r.email, given->>'email'), email_key = coalesce(r.email_key, given->>'email_key'),
        account_id = coalesce(r.account_id, (given->>'account_id')::uuid),
        asked_not_public_at = coalesce(r.asked_not_public_at, (given->>'asked_not_public_at')::timestamptz),
        attested_name = given->>'attested_name', attested_at = moment,
        attestation_version = given->>'attestation_version', notice_version = given->>'notice_version'
    WHERE r.report_id = report AND r.name IS NULL;
    IF FOUND THEN
        UPDATE animal_control.report AS r SET has_identity = true, changed_at = moment WHERE r.id = report;
        RETURN true;
    END IF;
    RETURN false;
END $$
"""
ASK_NOT_PUBLIC = """
CREATE FUNCTION confidential.ask_not_public(link_hash text, sign_in_token text, moment timestamptz, report uuid)
RETURNS boolean {WRITES} AS $$
BEGIN
    UPDATE confidential.reporter AS r SET asked_not_public_at = moment
    WHERE r.report_id = report AND r.asked_not_public_at IS NULL
        AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment));
    RETURN FOUND;
END $$
"""
IS_TO_CONFIRM = """
CREATE FUNCTION confidential.is_to_confirm(link_hash text) RETURNS boolean {READS} AS $$
    SELECT EXISTS (
        SELECT FROM confidential.report_link
        WHERE report_link.token_hash = link_hash AND report_link.purpose = 'confirm'
    )
$$
"""
CONFIRM_MINE = """
CREATE FUNCTION confidential.confirm_mine(link_hash text, moment timestamptz, is_theirs boolean)
RETURNS boolean {WRITES} AS $$
DECLARE
    confirmed uuid;
BEGIN
    IF is_theirs THEN
        -- The link in the letter is the way to the report from now on.
        UPDATE confidential.report_link AS l SET purpose = 'follow'
        WHERE l.token_hash = link_hash AND l.purpose = 'confirm' RETURNING l.report_id INTO confirmed;
        UPDATE confidential.reporter AS r SET confirmed_at = coalesce(r.confirmed_at, moment)
        WHERE r.report_id = confirmed;
    ELSE
        DELETE FROM confidential.report_link AS l
        WHERE l.token_hash = link_hash AND l.purpose = 'confirm' RETURNING l.report_id INTO confirmed;
        UPDATE confidential.reporter AS r SET denied_at = moment, confirmed_at = NULL WHERE r.report_id = confirmed;
    END IF;
    RETURN confirmed IS NOT NULL;
END $$
"""
INVITED_TO = """
CREATE FUNCTION confidential.invited_to(code_hash text, moment timestamptz) RETURNS text {READS} AS $$
    SELECT r.kind FROM confidential.report_invitation AS i JOIN animal_control.report AS r ON r.id = i.report_id
    WHERE i.code_hash = invited_to.code_hash AND i.expires_at > moment
$$
"""
JOIN_INVITED = """
CREATE FUNCTION confidential.join_invited(
    link_hash text, sign_in_token text, moment timestamptz, report uuid, code_hash text
) RETURNS boolean {WRITES} AS $$
BEGIN
    IF report NOT IN (SELECT confidential.reach(link_hash, sign_in_token, moment)) THEN
        RETURN false;
    END IF;
    UPDATE animal_control.report AS r SET joined_report_id = coalesce(first.joined_report_id, first.id)
    FROM confidential.report_invitation AS i JOIN animal_control.report AS first ON first.id = i.report_id
    WHERE i.code_hash = join_invited.code_hash AND i.expires_at > moment
        AND r.id = report AND r.joined_report_id IS NULL AND first.id <> r.id
        AND first.joined_report_id IS DISTINCT FROM r.id;
    RETURN FOUND;
END $$
"""
KEEP_DRAFT = """
CREATE FUNCTION confidential.keep_draft(
    draft_hash text, given jsonb, given_files jsonb, moment timestamptz, kept_until timestamptz
) RETURNS void {WRITES} AS $$
BEGIN
    INSERT INTO confidential.report_draft AS d (token_hash, answers, files, updated_at, expires_at, created_at)
    VALUES (draft_hash, given, given_files, moment, kept_until, moment)
    ON CONFLICT (token_hash) DO UPDATE SET answers = given, files = given_files, updated_at = moment,
        expires_at = kept_until;
END $$
"""
READ_DRAFT = """
CREATE FUNCTION confidential.read_draft(draft_hash text, moment timestamptz)
RETURNS TABLE (answers jsonb, files jsonb) {READS} AS $$
    SELECT d.answers, d.files FROM confidential.report_draft AS d
    WHERE d.token_hash = draft_hash AND d.expires_at > moment
$$
"""
DROP_DRAFT = """
CREATE FUNCTION confidential.drop_draft(draft_hash text) RETURNS void {WRITES} AS $$
BEGIN
    DELETE FROM confidential.report_draft AS d WHERE d.token_hash = draft_hash;
END $$
"""
STATUS_BY_LINK = """
CREATE FUNCTION confidential.status_by_link(link_hash text)
RETURNS TABLE (kind text, state text, closed_reason text, changed_at timestamptz, created_at timestamptz)
{READS} AS $$
    SELECT r.kind, r.state, r.closed_reason, r.changed_at, r.created_at
    FROM confidential.report_link AS l JOIN animal_control.report AS r ON r.id = l.report_id
    WHERE l.token_hash = link_hash AND l.purpose = 'status'
$$
"""
ACCUSING_NOBODY = """
CREATE FUNCTION confidential.reports_accusing_nobody(since timestamptz, until timestamptz)
RETURNS TABLE (
    reference text, kind text, state text, closed_reason text, changed_at timestamptz, created_at timestamptz
) {READS} AS $$
    SELECT r.reference, r.kind, r.state, r.closed_reason, r.changed_at, r.created_at FROM animal_control.report AS r
    WHERE r.kind IN ('dead_animal', 'stray') AND r.created_at >= since AND r.created_at < until
        AND NOT r.is_suspicious
    ORDER BY r.created_at DESC, r.id LIMIT 1000
$$
"""
READ_IDENTITY = """
CREATE FUNCTION confidential.read_identity(report uuid, staff text, reason text, moment timestamptz)
RETURNS TABLE (
    name text, email text, phone text, address text, asked_not_public_at timestamptz, attested_name text,
    attested_at timestamptz, attestation_version text, notice_version text, confirmed_at timestamptz,
    denied_at timestamptz, is_signed_in boolean
) {WRITES} AS $$
BEGIN
    IF btrim(coalesce(staff, '')) = '' OR btrim(coalesce(reason, '')) = '' THEN
        RAISE EXCEPTION 'Who reads an identity, and why, is written down' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO confidential.identity_read (report_id, read_by, why, created_at) VALUES (report, staff, reason, moment);
    RETURN QUERY SELECT r.name, r.email, r.phone, r.address, r.asked_not_public_at, r.attested_name, r.attested_at,
        r.attestation_version, r.notice_version, r.confirmed_at, r.denied_at, r.account_id IS NOT NULL
    FROM confidential.reporter AS r WHERE r.report_id = report;
END $$
"""
IDENTITY_READS = """
CREATE FUNCTION confidential.identity_reads(report uuid)
RETURNS TABLE (read_by text, why text, created_at timestamptz) {READS} AS $$
    SELECT i.read_by, i.why, i.created_at FROM confidential.identity_read AS i
    WHERE i.report_id = report ORDER BY i.created_at, i.id
$$
"""
# The token is made here, so that an officer who writes never holds a reporter's link.
WRITE_TO_REPORTER = """
CREATE FUNCTION confidential.write_to_reporter(report uuid, letter text, page text, moment timestamptz)
RETURNS boolean {WRITES} AS $$
DECLARE
    mailbox text;
    token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
BEGIN
    SELECT coalesce(account.email, CASE WHEN r.confirmed_at IS NOT NULL THEN r.email END) INTO mailbox
    FROM confidential.reporter AS r
    LEFT JOIN portal.account ON account.id = r.account_id AND account.closed_at IS NULL
    WHERE r.report_id = report;
    IF mailbox IS NULL THEN
        RETURN false;
    END IF;
    INSERT INTO confidential.report_link (token_hash, report_id, purpose, created_at)
    VALUES (encode(sha256(convert_to(token, 'UTF8')), 'hex'), report, 'follow', moment);
    INSERT INTO portal.outgoing_message (channel, recipient, template, context, is_secret, is_confidential, not_before)
    VALUES (
        'email', mailbox, letter, jsonb_build_object('path', replace(page, '{token}', token)), true, true, moment
    );
    PERFORM pg_notify('portal_outbox', '');
    RETURN true;
END $$
"""

FUNCTIONS = {
    "reach(text, text, timestamptz)": (REACH, "The reports that a link or a live sign-in opens."),
    "my_reports(text, text, timestamptz)": (MY_REPORTS, "What a reporter sees of their reports."),
    "my_updates(text, text, timestamptz, uuid)": (MY_UPDATES, "What was said on a reporter's own report."),
    "my_episodes(text, text, timestamptz, uuid)": (MY_EPISODES, "The log of a reporter's own report."),
    "my_files(text, text, timestamptz, uuid)": (MY_FILES, "The files of a reporter's own report."),
    "move_mine(text, text, timestamptz, uuid, text, timestamptz)": (
        MOVE_MINE,
        "A reporter answers, withdraws or reopens their own report.",
    ),
    "identify_mine(text, text, timestamptz, uuid, jsonb)": (IDENTIFY_MINE, "A reporter without a name gives one."),
    "ask_not_public(text, text, timestamptz, uuid)": (
        ASK_NOT_PUBLIC,
        "A reporter asks the police not to identify them publicly (13.82).",
    ),
    "is_to_confirm(text)": (IS_TO_CONFIRM, "Whether a mailed link waits for its button."),
    "confirm_mine(text, timestamptz, boolean)": (CONFIRM_MINE, "A mailbox's holder says whether a report is theirs."),
    "invited_to(text, timestamptz)": (INVITED_TO, "The kind of report a code joins, and nothing more."),
    "join_invited(text, text, timestamptz, uuid, text)": (
        JOIN_INVITED,
        "A reporter's own report joins another household's, unseen by both.",
    ),
    "keep_draft(text, jsonb, jsonb, timestamptz, timestamptz)": (KEEP_DRAFT, "Keeps a report that is not sent yet."),
    "read_draft(text, timestamptz)": (READ_DRAFT, "The draft of a browser, by its secret."),
    "drop_draft(text)": (DROP_DRAFT, "Forgets a draft."),
    "status_by_link(text)": (STATUS_BY_LINK, "Kind and state of a report, for software that sent it."),
    "reports_accusing_nobody(timestamptz, timestamptz)": (
        ACCUSING_NOBODY,
        "Reports of dead and stray animals: kind and state, never a place.",
    ),
    "read_identity(uuid, text, text, timestamptz)": (
        READ_IDENTITY,
        "Who made a report; writes down who asked and why (13.055).",
    ),
    "identity_reads(uuid)": (IDENTITY_READS, "Who read the identity behind a report."),
    "write_to_reporter(uuid, text, text, timestamptz)": (
        WRITE_TO_REPORTER,
        "Writes to a reporter with a fresh link, and tells nobody where.",
    ),
}


def upgrade() -> None:
    for signature, (definition, sentence) in FUNCTIONS.items():
        rights = definition.replace("{READS}", READS).replace("{WRITES}", WRITES)
        op.execute(rights.replace(":", r"\:"))
        quoted = sentence.replace("'", "''")
        op.execute(f"COMMENT ON FUNCTION confidential.{signature} IS '{quoted}'")
        op.execute(f"REVOKE ALL ON FUNCTION confidential.{signature} FROM PUBLIC")


def downgrade() -> None:
    for signature in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION confidential.{signature}")
