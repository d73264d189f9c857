"""Where files are kept: `store` in our words, and a folder; `s3`; which `STORAGE_URL` asks for; whether it answers."""
