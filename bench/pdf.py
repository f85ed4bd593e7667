"""Seconds of a core for one PDF report of a busy turn with its maps, from nothing and for a further reader; its size.

Processor time is measured, which other work on the machine disturbs least; fonts are found before.
"""

from __future__ import annotations

import tempfile
from time import process_time

from bench.figures import Figure, best_of


def measure() -> list[Figure]:
    """Both."""
    from pbem.campaign.advance import advance
    from pbem.campaign.config import Settings, open_referee
    from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign
    from pbem.campaign.submit import Submission, submit
    from pbem.demo.script import pacific_1940
    from pbem.report.render import render

    with tempfile.TemporaryDirectory() as folder:
        referee = open_referee(Settings(database=f"sqlite:///{folder}/bench.sqlite3"))
        powers = ("japan", "usa", "china", "uk", "anzac")
        people = tuple(PlayerWanted(power, (power,), f"{power}@players.example") for power in powers)
        create_campaign(referee, CampaignWanted("bench", "p40", "2e", players=people, reactions="standing"))
        advance(referee, "bench")
        text = f"{pacific_1940().turns[(1, 'japan')]}\nrest default\nready"
        submit(referee, Submission("bench", "japan", text, referee.clock(), 1), mail_answer=False)
        advance(referee, "bench")
        rows = [row for row in referee.store.outbox("bench", limit=50) if row.kind == "report"]
        newest, other, oldest = rows[0], rows[1], rows[-1]
        render(referee, oldest)
        begun = process_time()
        made = render(referee, newest)
        first = process_time() - begun
        further = best_of(3, lambda: render(referee, other), process_time)
    size = len(made.attachments[0].data)
    return [
        Figure("PDF report with its maps, first reader", first, "s of a core", aim="under 1"),
        Figure("PDF report with its maps, further reader", further, "s of a core"),
        Figure("PDF report with its maps, size", size / 1000, "KB", aim="under 250"),
    ]
