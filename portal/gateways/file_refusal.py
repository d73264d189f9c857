"""A file that cannot be taken: whatever the reason, one sentence tells the person what to do."""


class FileRefused(Exception):
    """The file is not taken; `sentence` stands beside its control, and all that was typed stays."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class TryAgainLater(FileRefused):
    """Nothing is wrong with the file: something of ours does not work at the moment."""
