"""The web side: a JSON API for programs and a few pages for people. Nothing is decided here."""
