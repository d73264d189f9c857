"""`portal dangerous`: `designations` holds its commands and takes in those of the other modules."""
