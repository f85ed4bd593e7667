"""Orders in Traditional Chinese, with and without blanks, in the order of words of a Chinese sentence."""

from __future__ import annotations

import pytest

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, accepted_orders, read_orders
from pbem.orders.write import write

LINES: list[tuple[str, list[str]]] = [
    ("購買 3 步兵, 1 砲兵", ["buy 3 infantry", "buy 1 artillery"]),
    ("買3步兵、1砲兵", ["buy 3 infantry", "buy 1 artillery"]),
    ("部署 2 步兵 日本", ["place 2 infantry Japan"]),
    ("撤退 湖南 到 江西", ["retreat Hunan to Kiangsi"]),
    ("3步兵1砲兵 廣西→雲南", ["3 infantry, 1 artillery Kwangsi -> Yunnan"]),
    ("3 步兵和 1 砲兵從廣西到雲南", ["3 infantry, 1 artillery Kwangsi -> Yunnan"]),
    ("全部步兵從廣西到雲南", ["all infantry Kwangsi -> Yunnan"]),
    ("宣戰 英國", ["declare war on uk"]),
    ("對英國宣戰", ["declare war on uk"]),
    ("對英國、澳紐宣戰", ["declare war on uk, anzac"]),
    ("搭載 2 步兵 日本 -> 海區6", ["load 2 infantry Japan -> Sea Zone 6"]),
    ("1 運輸艦 海區6 -> 海區19", ["1 transport Sea Zone 6 -> Sea Zone 19"]),
    ("卸下 2 步兵 海區19 -> 台灣", ["unload 2 infantry Sea Zone 19 -> Formosa"]),
    ("非戰鬥移動: 2 步兵 朝鮮 -> 滿洲", ["noncombat: 2 infantry Korea -> Manchuria"]),
    ("傷亡 雲南: 坦克 優先", ["casualties Yunnan: tank first"]),
    ("下潛 海區6: 全部", ["submerge Sea Zone 6: all"]),
    ("緊急起飛 1 戰鬥機 日本 -> 海區6", ["scramble 1 fighter Japan -> Sea Zone 6"]),
    ("如果 湖南 佔領: 2 步兵 江西 -> 湖南", ["noncombat: if Hunan taken: 2 infantry Kiangsi -> Hunan"]),
    ("如果佔領湖南: 2步兵 江西 -> 湖南", ["noncombat: if Hunan taken: 2 infantry Kiangsi -> Hunan"]),
    ("撤退 如果 勝率 < 40%", ["if odds < 40%: retreat"]),
    ("若勝率低於40%則撤退", ["if odds < 40%: retreat"]),
    ("完成", ["ready"]),
    ("未完成", ["not ready"]),
    ("取消 戰鬥移動", ["cancel combat_move"]),
    ("一步兵 廣西 到 雲南", ["1 infantry Kwangsi -> Yunnan"]),
    ("兩架戰鬥機 日本 到 朝鮮", ["2 fighter Japan -> Korea"]),
    ("修理 日本 大工廠 4", ["repair Japan ic_major 4"]),
    ("攔截 日本: 全部 戰鬥機", ["intercept Japan: all fighter"]),
    ("retreat if odds below 40%", ["if odds < 40%: retreat"]),
    ("retreat if own land at most 2", ["if own land <= 2: retreat"]),
]


@pytest.mark.parametrize(("line", "canonical"), LINES)
def test_a_chinese_line_means_the_same_as_the_english_one(line: str, canonical: list[str]) -> None:
    names = gazetteer("p40", "2e")
    context = ReadContext("p40", "2e", powers=("japan",))
    results = read_orders(line, names, context)
    assert [item.canonical for item in results] == canonical
    for item in results:
        assert item.order is not None
        chinese = write(item.order, names, "zh")
        assert accepted_orders(read_orders(chinese, names, context)) == (item.order,)


def test_one_character_is_enough_to_begin_a_longer_name() -> None:
    """A number word that begins a place name is no number."""
    names = gazetteer("p40", "2e")
    (result,) = read_orders("1 戰鬥機 四川 -> 雲南", names, ReadContext("p40", "2e", powers=("china",)))
    assert result.canonical == "1 fighter Szechwan -> Yunnan"
