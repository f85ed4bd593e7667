"""The short guide that goes with an answer when a player asks for help, or his mail holds nothing like an order.

It teaches what a first turn needs and no more; words in capitals stand for names of the board.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_HELP = re.compile(
    r"\s*(?:please\s+)?(?:help|help me|help please|commands|how to play|hilfe|aide|ayuda|幫助|帮助|說明|说明|[?？])"
    r"\s*[.!?。！？]*\s*",
    re.IGNORECASE,
)

GUIDE = (
    "How it goes: reply to a mail of mine and write your orders at the top, one a line, as below. The words in "
    "capitals stand for names on the map. My report shows under HOW TO ANSWER lines that would be taken as they stand.",
    "Moves and attacks: `2 infantry, 1 tank HERE -> THERE`; name the spaces between where the way matters.",
    "Buying and placing: `buy 2 infantry`, `place 2 infantry HERE`, in one mail if you like.",
    "By sea: `load 2 infantry HERE -> ZONE`, then `1 transport ZONE -> OTHER ZONE`, then "
    "`unload 2 infantry OTHER ZONE -> THERE`.",
    "After the battles: `noncombat: 2 infantry HERE -> THERE`, or `rest default`: aircraft land and new units are "
    "placed without another mail from you.",
    "In battle: `casualties THERE: infantry first`, `retreat THERE to HERE if odds < 40%`, or `ask me` to be asked.",
    "Changes: new moves replace your earlier moves, a new purchase the earlier purchase; `add` as first line adds; "
    "`cancel combat move` takes back.",
    "Done: `ready`.",
)
"""Sentences of the guide, in the order in which they are read; each is a paragraph of the answer."""

GUIDE_ZH = (
    "用法：回覆我的任一封信，把命令寫在最上面，一行一道，如下所示。「此地」「彼地」「海區」代表地圖上的地名。我的報告在「如何回覆」"
    "之下列有可直接照寫的行。",
    "移動與攻擊：`2 步兵, 1 坦克 此地 -> 彼地`；路徑重要時寫出途中各地。",
    "購買與部署：`購買 2 步兵`、`部署 2 步兵 此地`，可寫在同一封信。",
    "海運：`搭載 2 步兵 此地 -> 海區`，再寫 `1 運輸艦 海區 -> 另一海區`，再寫 `卸下 2 步兵 另一海區 -> 彼地`。",
    "戰鬥之後：`非戰鬥移動: 2 步兵 此地 -> 彼地`，或 `其餘預設`：飛機自動降落、新單位自動部署，不必再寄信。",
    "戰鬥中：`傷亡 彼地: 步兵 優先`、`撤退 彼地 到 此地 如果 勝率 < 40%`，或寫 `ask me` 以便屆時詢問您。",
    "修改：新的移動取代先前的移動，新的購買取代先前的購買；第一行寫 `追加` 則為追加；`取消 戰鬥移動` 可收回。",
    "完成：`完成`。",
)
"""The same for readers of Chinese."""


def guide_for(
    text: str, looks_like_order: Callable[[str], bool], language: str = "en", *, asked: bool = False
) -> tuple[str, ...]:
    """The guide if a mail's own text asks for help in a line of its own, or says nothing like an order; else ().

    Who is `asked` a question is shown lines that answer it instead, unless he wants help.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    lost = not asked and not any(looks_like_order(line) for line in lines)
    if not lost and not any(_HELP.fullmatch(line) for line in lines):
        return ()
    return GUIDE_ZH if language == "zh" else GUIDE


def without_help(text: str) -> str:
    """The text with its cries for help blanked, line numbers kept: they are heard and need no further word."""
    return "\n".join("" if _HELP.fullmatch(line) else line for line in text.split("\n"))
