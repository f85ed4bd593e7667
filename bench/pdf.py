"""Seconds for one PDF report with one map, laid out from nothing and for a further reader of the same turn."""

from __future__ import annotations

import tempfile

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
        rows = [row for row in referee.store.outbox("bench", limit=50) if row.kind == "report"][:5]
        began = best_of(1, lambda: render(referee, rows[0]))
        further = best_of(3, lambda: render(referee, rows[1]))
    return [
        Figure("PDF report with one map, first reader", began, "s", aim="under 1"),
        Figure("PDF report with one map, further reader", further, "s"),
    ]
