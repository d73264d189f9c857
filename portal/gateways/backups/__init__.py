"""Where backups are kept (`place`: in our words, and a folder; `s3`), which an address names, and the age format."""
