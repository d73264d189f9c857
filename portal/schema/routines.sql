CREATE TYPE animal_control.key_range AS RANGE (subtype = uuid, multirange_type_name = key_multirange);

CREATE OR REPLACE FUNCTION animal_control.announce_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM pg_notify('animal_control_event', '');
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION animal_control.event_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION 'animal_control.event is append-only' USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION animal_control.folded(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
SELECT btrim(regexp_replace(
    replace(replace(translate(lower(
        regexp_replace(normalize(typed, NFD), '[\u0027\u2019\u0300-\u036f]', '', 'g')
    ), 'ĐđØøŁł', 'ddooll'), 'ß', 'ss'), 'æ', 'ae'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u2190-\u2bff\u3000-\u303f'
    '\ufe00-\ufe0f\U0001f000-\U0001faff]+', ' ', 'g'))
$function$;

CREATE OR REPLACE FUNCTION animal_control.is_only_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION 'animal_control.% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION animal_control.mark(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ SELECT nullif(upper(regexp_replace(typed, '[^0-9A-Za-z]', '', 'g')), '') $function$;

CREATE OR REPLACE FUNCTION animal_control.parts(typed text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
SELECT ARRAY(
    SELECT DISTINCT substr(marked, place, 4)
    FROM (SELECT animal_control.mark(typed) AS marked) AS one, generate_series(1, length(marked) - 3) AS place)
$function$;

CREATE OR REPLACE FUNCTION animal_control.phone_end(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$ SELECT reverse(regexp_replace(typed, '[^0-9]', '', 'g')) $function$;

CREATE OR REPLACE FUNCTION animal_control.surname(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
SELECT regexp_replace(regexp_replace(
    animal_control.folded(CASE
        WHEN position(',' IN name) > 0 AND animal_control.folded(split_part(name, ',', 1)) <> ''
        THEN split_part(name, ',', 1) ELSE name END),
    '( (jr|sr|ii|iii|iv|md|dvm))+$', ''), '^.* ', '')
$function$;

CREATE OR REPLACE FUNCTION animal_control.words(typed text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
SELECT array_to_tsvector(array_remove(string_to_array(left(animal_control.folded(typed), 500), ' '), ''))
$function$;

CREATE OR REPLACE FUNCTION confidential.ask_not_public(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    UPDATE confidential.reporter AS r SET asked_not_public_at = moment
    WHERE r.report_id = report AND r.asked_not_public_at IS NULL
        AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment));
    RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION confidential.confirm_mine(link_hash text, moment timestamp with time zone, is_theirs boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION confidential.drop_draft(draft_hash text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    DELETE FROM confidential.report_draft AS d WHERE d.token_hash = draft_hash;
END $function$;

CREATE OR REPLACE FUNCTION confidential.identify_mine(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid, given jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION confidential.identity_reads(report uuid)
 RETURNS TABLE(read_by text, why text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT i.read_by, i.why, i.created_at FROM confidential.identity_read AS i
    WHERE i.report_id = report ORDER BY i.created_at, i.id
$function$;

CREATE OR REPLACE FUNCTION confidential.invited_to(code_hash text, moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT r.kind FROM confidential.report_invitation AS i JOIN animal_control.report AS r ON r.id = i.report_id
    WHERE i.code_hash = invited_to.code_hash AND i.expires_at > moment
$function$;

CREATE OR REPLACE FUNCTION confidential.is_to_confirm(link_hash text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT EXISTS (
        SELECT FROM confidential.report_link
        WHERE report_link.token_hash = link_hash AND report_link.purpose = 'confirm'
    )
$function$;

CREATE OR REPLACE FUNCTION confidential.join_invited(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid, code_hash text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION confidential.keep_draft(draft_hash text, given jsonb, given_files jsonb, moment timestamp with time zone, kept_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO confidential.report_draft AS d (token_hash, answers, files, updated_at, expires_at, created_at)
    VALUES (draft_hash, given, given_files, moment, kept_until, moment)
    ON CONFLICT (token_hash) DO UPDATE SET answers = given, files = given_files, updated_at = moment,
        expires_at = kept_until;
END $function$;

CREATE OR REPLACE FUNCTION confidential.move_mine(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid, change text, closed_since timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION confidential.my_episodes(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid)
 RETURNS TABLE(id uuid, started_at timestamp with time zone, ended_at timestamp with time zone, source text, is_backdated boolean, heard_from text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT e.id, e.started_at, e.ended_at, e.source, e.is_backdated, e.heard_from, e.created_at
    FROM animal_control.report_episode AS e
    WHERE e.report_id = report AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment))
    ORDER BY e.started_at, e.id
$function$;

CREATE OR REPLACE FUNCTION confidential.my_files(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid)
 RETURNS TABLE(id uuid, update_id uuid, kind text, key text, thumbnail_key text, original_name text, media_type text, size_bytes bigint, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT f.id, f.update_id, f.kind, f.key, f.thumbnail_key, f.original_name, f.media_type, f.size_bytes, f.created_at
    FROM animal_control.report_file AS f
    WHERE f.report_id = report AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment))
    ORDER BY f.created_at, f.id
$function$;

CREATE OR REPLACE FUNCTION confidential.my_reports(link_hash text, sign_in_token text, moment timestamp with time zone)
 RETURNS TABLE(id uuid, reference text, kind text, state text, closed_reason text, closed_at timestamp with time zone, reopened_at timestamp with time zone, happened_at timestamp with time zone, happened_text text, place_text text, place_key text, is_outside_city boolean, animal_description text, whose_text text, is_going_on boolean, is_again boolean, details jsonb, details_version integer, narrative text, has_identity boolean, asked_not_public_at timestamp with time zone, changed_at timestamp with time zone, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT r.id, r.reference, r.kind, r.state, r.closed_reason, r.closed_at, r.reopened_at, r.happened_at,
        r.happened_text, r.place_text, r.place_key, r.is_outside_city, r.animal_description, r.whose_text,
        r.is_going_on, r.is_again, r.details, r.details_version, r.narrative, r.has_identity,
        reporter.asked_not_public_at, r.changed_at, r.created_at
    FROM confidential.reach(link_hash, sign_in_token, moment) AS reached(id)
    JOIN animal_control.report AS r ON r.id = reached.id
    LEFT JOIN confidential.reporter ON reporter.report_id = r.id
    ORDER BY r.created_at DESC, r.id
$function$;

CREATE OR REPLACE FUNCTION confidential.my_updates(link_hash text, sign_in_token text, moment timestamp with time zone, report uuid)
 RETURNS TABLE(id uuid, by text, kind text, text text, happened_at timestamp with time zone, details jsonb, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT u.id, u.by, u.kind, u.text, u.happened_at, u.details, u.created_at
    FROM animal_control.report_update AS u
    WHERE u.report_id = report AND report IN (SELECT confidential.reach(link_hash, sign_in_token, moment))
    ORDER BY u.created_at, u.id
$function$;

CREATE OR REPLACE FUNCTION confidential.reach(link_hash text, sign_in_token text, moment timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION confidential.read_draft(draft_hash text, moment timestamp with time zone)
 RETURNS TABLE(answers jsonb, files jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT d.answers, d.files FROM confidential.report_draft AS d
    WHERE d.token_hash = draft_hash AND d.expires_at > moment
$function$;

CREATE OR REPLACE FUNCTION confidential.read_identity(report uuid, staff text, reason text, moment timestamp with time zone)
 RETURNS TABLE(name text, email text, phone text, address text, asked_not_public_at timestamp with time zone, attested_name text, attested_at timestamp with time zone, attestation_version text, notice_version text, confirmed_at timestamp with time zone, denied_at timestamp with time zone, is_signed_in boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    IF btrim(coalesce(staff, '')) = '' OR btrim(coalesce(reason, '')) = '' THEN
        RAISE EXCEPTION 'Who reads an identity, and why, is written down' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO confidential.identity_read (report_id, read_by, why, created_at) VALUES (report, staff, reason, moment);
    RETURN QUERY SELECT r.name, r.email, r.phone, r.address, r.asked_not_public_at, r.attested_name, r.attested_at,
        r.attestation_version, r.notice_version, r.confirmed_at, r.denied_at, r.account_id IS NOT NULL
    FROM confidential.reporter AS r WHERE r.report_id = report;
END $function$;

CREATE OR REPLACE FUNCTION confidential.reports_accusing_nobody(since timestamp with time zone, until timestamp with time zone)
 RETURNS TABLE(reference text, kind text, state text, closed_reason text, changed_at timestamp with time zone, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
    SELECT r.reference, r.kind, r.state, r.closed_reason, r.changed_at, r.created_at FROM animal_control.report AS r
    WHERE r.kind IN ('dead_animal', 'stray') AND r.created_at >= since AND r.created_at < until
        AND NOT r.is_suspicious
    ORDER BY r.created_at DESC, r.id LIMIT 1000
$function$;

CREATE OR REPLACE FUNCTION confidential.status_accusing_nobody(listed text)
 RETURNS TABLE(reference text, kind text, state text, closed_reason text, changed_at timestamp with time zone, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
    SELECT r.reference, r.kind, r.state, r.closed_reason, r.changed_at, r.created_at FROM animal_control.report AS r
    WHERE r.reference = listed AND r.kind IN ('dead_animal', 'stray') AND NOT r.is_suspicious
$function$;

CREATE OR REPLACE FUNCTION confidential.status_by_link(link_hash text)
 RETURNS TABLE(kind text, state text, closed_reason text, changed_at timestamp with time zone, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT r.kind, r.state, r.closed_reason, r.changed_at, r.created_at
    FROM confidential.report_link AS l JOIN animal_control.report AS r ON r.id = l.report_id
    WHERE l.token_hash = link_hash AND l.purpose = 'status'
$function$;

CREATE OR REPLACE FUNCTION confidential.write_to_reporter(report uuid, letter text, page text, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION portal.ask_new_mailbox(wanted uuid, mailbox text, old_hash text, new_hash text, until timestamp with time zone, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    PERFORM FROM portal.account WHERE account.id = wanted AND account.closed_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE portal.email_change AS c SET ended_at = moment WHERE c.account_id = wanted AND c.ended_at IS NULL;
    INSERT INTO portal.email_change
        (account_id, new_email, old_token_hash, new_token_hash, old_confirmed_at, expires_at)
    VALUES (wanted, mailbox, old_hash, new_hash, moment, until);
    RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION portal.failed_letters(wanted uuid, most integer)
 RETURNS TABLE(id uuid, recipient text, template text, failed_at timestamp with time zone, last_error text, handled_by text, handled_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT m.id, m.recipient, m.template, m.failed_at, m.last_error, m.handled_by, m.handled_at
    FROM portal.outgoing_message AS m
    WHERE m.failed_at IS NOT NULL AND NOT m.is_confidential AND (NOT m.is_secret OR m.asked_by IS NOT NULL) AND m.channel = 'email'
        AND (m.id = wanted OR (wanted IS NULL AND m.handled_at IS NULL))
    ORDER BY m.failed_at, m.id LIMIT most
$function$;

CREATE OR REPLACE FUNCTION portal.failed_letters_count()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT count(*) FROM portal.outgoing_message AS m
    WHERE m.failed_at IS NOT NULL AND m.handled_at IS NULL AND NOT m.is_confidential AND (NOT m.is_secret OR m.asked_by IS NOT NULL)
        AND m.channel = 'email'
$function$;

CREATE OR REPLACE FUNCTION portal.give_record(mailbox_key text, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    UPDATE portal.account AS a SET person_id = person
    WHERE a.email_key = mailbox_key AND a.person_id IS NULL AND a.closed_at IS NULL
        AND NOT EXISTS (SELECT FROM portal.account AS other WHERE other.person_id = person);
    RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION portal.handle_letter(wanted uuid, staff text, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
    UPDATE portal.outgoing_message AS m SET handled_by = staff, handled_at = moment
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND m.handled_at IS NULL
        AND NOT m.is_confidential AND (NOT m.is_secret OR m.asked_by IS NOT NULL);
    RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION portal.mailbox_owners(mailbox text, moment timestamp with time zone)
 RETURNS TABLE(account_id uuid, person_id uuid, email text, is_theirs_now boolean, asked_email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 2
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT a.id, a.person_id, a.email, a.email_key = lower(btrim(mailbox)), asked.new_email
    FROM portal.account AS a
    LEFT JOIN portal.email_change AS asked
        ON asked.account_id = a.id AND asked.ended_at IS NULL AND asked.expires_at > moment
    WHERE a.closed_at IS NULL AND a.id IN (
        SELECT account.id FROM portal.account WHERE account.email_key = lower(btrim(mailbox))
        UNION SELECT c.account_id FROM portal.email_change AS c WHERE c.old_email = mailbox
    )
$function$;

CREATE OR REPLACE FUNCTION portal.measured(moment timestamp with time zone)
 RETURNS TABLE(measure text, label text, value double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT 'messages_waiting', m.channel::text, count(*)::double precision
    FROM portal.outgoing_message AS m WHERE m.sent_at IS NULL AND m.failed_at IS NULL GROUP BY m.channel
    UNION ALL
    SELECT 'messages_retrying', m.channel::text, count(*)
    FROM portal.outgoing_message AS m WHERE m.sent_at IS NULL AND m.failed_at IS NULL AND m.attempts > 0
    GROUP BY m.channel
    UNION ALL
    SELECT 'messages_due_seconds', m.channel::text, extract(epoch FROM moment - min(m.not_before))
    FROM portal.outgoing_message AS m WHERE m.sent_at IS NULL AND m.failed_at IS NULL AND m.not_before <= moment
    GROUP BY m.channel
    UNION ALL
    SELECT 'messages_failed', m.channel::text, count(*)
    FROM portal.outgoing_message AS m WHERE m.failed_at IS NOT NULL AND m.handled_at IS NULL GROUP BY m.channel
    UNION ALL
    SELECT 'payments_unsettled', p.state::text, count(*)
    FROM animal_control.payment AS p WHERE p.state IN ('pending', 'processing', 'duplicate') GROUP BY p.state
    UNION ALL
    SELECT 'payments_unsettled_seconds', p.state::text, extract(epoch FROM moment - min(p.created_at))
    FROM animal_control.payment AS p WHERE p.state IN ('pending', 'processing', 'duplicate') GROUP BY p.state
    UNION ALL
    SELECT 'payments_in_question', '', count(*) FROM animal_control.payment AS p WHERE p.state = 'mismatch'
    UNION ALL
    SELECT 'processor_events_waiting', '', count(*) FROM portal.processor_event AS e WHERE e.handled_at IS NULL
    UNION ALL
    SELECT 'readings_waiting', '', count(*) FROM portal.reading AS r WHERE r.state = 'waiting'
    UNION ALL
    SELECT 'readings_waiting_seconds', '', extract(epoch FROM moment - min(r.created_at))
    FROM portal.reading AS r WHERE r.state = 'waiting' HAVING count(*) > 0
    UNION ALL
    SELECT 'findings', f.kind::text, count(*)
    FROM portal.finding AS f WHERE f.mended_at IS NULL AND f.resolved_at IS NULL GROUP BY f.kind
    UNION ALL
    SELECT 'job_last_success', j.name, extract(epoch FROM j.succeeded_at)
    FROM portal.worker_job AS j WHERE j.succeeded_at IS NOT NULL
    UNION ALL
    SELECT 'job_failures', j.name, j.failures FROM portal.worker_job AS j
    UNION ALL
    SELECT 'job_interval', j.name, j.every_seconds FROM portal.worker_job AS j
$function$;

CREATE OR REPLACE FUNCTION portal.send_letter_again(wanted uuid, mailbox text, staff text, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
    letter portal.outgoing_message;
BEGIN
    SELECT * INTO letter FROM portal.outgoing_message AS m
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND m.handled_at IS NULL
        AND NOT m.is_confidential AND NOT m.is_secret AND m.channel = 'email'
    FOR UPDATE;
    IF NOT FOUND OR mailbox <> letter.recipient AND NOT EXISTS (
        SELECT FROM portal.account JOIN portal.email_change ON email_change.account_id = account.id
        WHERE account.email = mailbox AND account.closed_at IS NULL AND email_change.old_email = letter.recipient
    ) THEN
        RETURN false;
    END IF;
    INSERT INTO portal.outgoing_message (channel, recipient, template, context, not_before)
    VALUES (letter.channel, mailbox, letter.template, letter.context, moment);
    UPDATE portal.outgoing_message AS m SET handled_by = staff, handled_at = moment WHERE m.id = wanted;
    PERFORM pg_notify('portal_outbox', '');
    RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION portal.who_asked_for_letter(wanted uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    SELECT m.asked_by FROM portal.outgoing_message AS m
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND NOT m.is_confidential AND m.is_secret
$function$;

-- Tables

CREATE TRIGGER event_is_announced AFTER INSERT ON animal_control.event FOR EACH STATEMENT EXECUTE FUNCTION animal_control.announce_event();

CREATE TRIGGER event_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON animal_control.event FOR EACH STATEMENT EXECUTE FUNCTION animal_control.event_is_append_only();

CREATE TRIGGER report_merge_is_only_added_to BEFORE DELETE OR UPDATE OR TRUNCATE ON animal_control.report_merge FOR EACH STATEMENT EXECUTE FUNCTION animal_control.is_only_added_to();

CREATE TRIGGER requirement_decision_is_only_added_to BEFORE DELETE OR UPDATE OR TRUNCATE ON animal_control.requirement_decision FOR EACH STATEMENT EXECUTE FUNCTION animal_control.is_only_added_to();

CREATE TRIGGER requirement_evidence_is_only_added_to BEFORE DELETE OR UPDATE OR TRUNCATE ON animal_control.requirement_evidence FOR EACH STATEMENT EXECUTE FUNCTION animal_control.is_only_added_to();

ALTER TABLE portal.outgoing_message ENABLE ROW LEVEL SECURITY;

CREATE POLICY confidential_is_out_of_sight ON portal.outgoing_message AS PERMISSIVE FOR ALL TO public USING (((NOT is_confidential) OR (CURRENT_USER = 'portal_worker'::name))) WITH CHECK (true);
