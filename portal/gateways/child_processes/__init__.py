"""Work that a hostile file could turn against us, run apart: few at a time, none for long, all behind the pages."""
