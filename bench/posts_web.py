"""The web process of the POST measurement: the application under waitress, one process."""

from __future__ import annotations

import sys

import waitress

from pbem.campaign.config import Settings, open_referee
from pbem.web.app import create_app


def main() -> None:
    """`python -m bench.posts_web DATABASE PORT`."""
    app = create_app(open_referee(Settings(database=sys.argv[1])))
    waitress.serve(app, host="127.0.0.1", port=int(sys.argv[2]), threads=4, _quiet=True)


if __name__ == "__main__":
    main()
