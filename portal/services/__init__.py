"""What people can do: one deed a module, functions that take a session and gateways by name. Grouped by subject.

A package imports only from lines below its own, never from one beside it: an import contract in pyproject.toml says so.

    desk                                            what waits for the city's staff, on their pages and the console
    registering, households, accounts, matching,    a dog registered; kept together or given away; one's own account;
        reminders, watching                             missing and found compared; reminders; is all well
    clinics, dangerous, notices, pound, sweeping    filings of clinics; designated dogs; lost and found; clearing away
    certificates, animals, payments                 rabies certificates; the animals and their tags; money that is paid
    licensing                                       licenses and tags: applied for, waived, issued, replaced
    owners, reports, staff                          who keeps what, and where; nuisances; who works at the desk
    orders, signing_in                              what is owed; who somebody is
    messages, files, reading                        letters; what people send; the lines of a certificate
    (no package)                                    answers of a draft, refusals and their reasons, the feed, secrets
"""
