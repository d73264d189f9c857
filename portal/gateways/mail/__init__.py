"""E-mail: `door` chooses the mailer, a folder (`files`) or a server (`smtp`); `letter` is what either sends.

`drawing` fills the templates, of letters and of texts. Letters that come back are fetched by `bounce_box`, read by
`bounces` and judged by `status`.
"""
