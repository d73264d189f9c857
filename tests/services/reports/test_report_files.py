"""V1, U1: photos of a report lose their metadata; what a recording is, its bytes say."""

from io import BytesIO

import pytest

from portal.gateways.pictures.making import UnreadableFile
from portal.schema.reports import ReportFileKind
from portal.services.reports.files import store_report_file
from tests.support.storage import MemoryStorage


@pytest.mark.parametrize(
    ("head", "kind", "media_type"),
    [
        pytest.param(b"\0\0\0\x18ftypmp42", ReportFileKind.VIDEO, "video/mp4", id="a film of a phone"),
        pytest.param(b"\0\0\0\x14ftypqt  ", ReportFileKind.VIDEO, "video/quicktime", id="a film of an iPhone"),
        pytest.param(b"\0\0\0\x1cftypM4A ", ReportFileKind.SOUND, "audio/mp4", id="a voice memo"),
        pytest.param(b"RIFF\x24\0\0\0WAVEfmt ", ReportFileKind.SOUND, "audio/wav", id="a WAV"),
        pytest.param(b"ID3\x04", ReportFileKind.SOUND, "audio/mpeg", id="an MP3"),
        pytest.param(b"\x1aE\xdf\xa3", ReportFileKind.VIDEO, "video/webm", id="a recording of a browser"),
    ],
)
def test_a_recording_is_kept_as_it_came_under_a_random_key(head, kind, media_type):
    storage, content = MemoryStorage(), head + b"sound" * 10
    (file,) = store_report_file(BytesIO(content), name="../../neighbor.exe", storage=storage, largest_bytes=1000)
    assert (file.kind, file.media_type, file.size_bytes) == (kind, media_type, len(content))
    assert storage.files == {file.key: content}
    assert "neighbor" not in file.key


def test_a_photo_is_made_anew_without_where_it_was_taken(pytestconfig):
    storage = MemoryStorage()
    sample = pytestconfig.rootpath / "tests" / "samples" / "certificate-photo-orientation-6-gps.jpg"
    content = BytesIO(sample.read_bytes())
    (file,) = store_report_file(content, name="image.jpg", storage=storage, largest_bytes=20_000_000)
    assert file.kind is ReportFileKind.PHOTO
    assert set(storage.files) == {file.key, file.thumbnail_key}
    assert all(b"Exif" not in kept for kept in storage.files.values())


def test_what_is_neither_is_refused():
    with pytest.raises(UnreadableFile):
        store_report_file(BytesIO(b"MZ program"), name="a.mp4", storage=MemoryStorage(), largest_bytes=1000)
