"""The outside world in the portal's words: what is stored, sent, paid, drawn and asked beyond this program.

A vendor is known in one module each, and import contracts in pyproject.toml say in which.

    storage            files that people sent: `store`, in a folder or in S3; `url` chooses
    backups            where backups are kept, sealed with age: `place`; `address` chooses
    database           connections in the role of a process, the copy for reading, announcements heard
    postgres           the embedded server of a first run, and PostgreSQL's own programs
    mail, texts        `door` chooses who sends; bounces and texts that come in; `mail.drawing` fills the templates
    payments           `processor`: what we ask of a card processor; Stripe behind it
    pictures           `making`: photos and documents made safe to show
    reading            `reader`: the words on a certificate
    paper              posters, labels and certificates of registration, as PDFs; their sheets in `paper/sheets`
    child_processes    how pictures, reading and paper run what a hostile file could turn against us
    (no package)       calendar files, the clock, refusals of files, logs, counts of our own work, passkeys and codes
                       of authenticator apps, QR codes, limits on trying, the virus scanner, sealed secrets,
                       settings that hold several secrets
"""
