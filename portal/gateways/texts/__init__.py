"""Text messages: `door` chooses the sender, a folder (`files`), a provider (`http`) or `twilio`.

What they share is `sending`. Texts that come in are checked by `incoming`, or by `twilio`.
"""
