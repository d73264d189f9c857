"""A practice app in a process of its own, to be killed: `python -m tests.practice.serve FOLDER PORT WEBHOOK_URL`."""

import sys
from pathlib import Path

import waitress

from portal.practice import PracticeSettings, create_practice_app

if __name__ == "__main__":
    folder, port, webhook_url = sys.argv[1:]
    settings = PracticeSettings(
        data=Path(folder),
        webhook_url=webhook_url,
        webhook_secret="whsec_practice",
        secret_key="sk_test_practice",
        base_url=f"http://127.0.0.1:{port}",
        mail_folder=Path(folder) / "mail",
        retry_after_s=0.01,
    )
    waitress.serve(create_practice_app(settings), host="127.0.0.1", port=int(port))
