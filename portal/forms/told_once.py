"""A form whose page shows once what the rules notice about the answers, before they are sent as they are."""

import hashlib
from collections.abc import Iterable

from wtforms import HiddenField

from portal.ordinance.finding import Finding


class ToldOnce:
    """A mixin: the page remembers which findings it showed, so that others are shown again."""

    told = HiddenField()

    def has_been_told(self, findings: Iterable[Finding]) -> bool:
        """Whether the page that was sent showed these same findings; from now on it does."""
        text = "\n".join(f"{finding.rule} {finding.sentence}" for finding in findings)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""
        was_told = (self.told.data or "") == digest
        self.told.data = digest
        return was_told
