"""Any process killed at any moment, with everything else going wrong too."""
