"""What people send: photos of several sizes and certificates, made once."""

import random
from dataclasses import dataclass

from bench.certificate_photos import invented
from bench.pictures import photo, saved
from portal.demo.paper import certificate_pdf

CERTIFICATES = 20


@dataclass(frozen=True)
class Files:
    """Photos shrunk on the phone, whole ones where no script ran, and certificates."""

    small: bytes
    shrunk: bytes
    whole: bytes
    certificates: tuple[bytes, ...]

    @classmethod
    def make(cls) -> "Files":
        chance = random.Random(90)
        said = [invented(chance).fields for _ in range(CERTIFICATES)]
        lines = [[f"{name.replace('_', ' ')}: {value}" for name, value in one.items()] for one in said]
        return cls(
            small=saved(photo(1024, 768), "JPEG", quality=80),
            shrunk=saved(photo(2048, 1536), "JPEG", quality=80),
            whole=saved(photo(4032, 3024), "JPEG", quality=85),
            certificates=tuple(certificate_pdf(one) for one in lines),
        )

    def picture(self) -> tuple[str, bytes]:
        """As they come: nearly all shrunk by the phone, one in ten whole."""
        content = random.choices((self.small, self.shrunk, self.whole), (3, 6, 1))[0]
        return "image.jpg", content

    def certificate(self) -> tuple[str, bytes]:
        """A PDF of the clinic's, or a photo of the sheet, one in five."""
        if random.random() < 0.2:
            return self.picture()
        return "certificate.pdf", random.choice(self.certificates)
