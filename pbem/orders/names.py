"""The spellings that players use for units, powers, phases, technologies and cards, beside those in the facts.

Data only: what a spelling means is decided by `gazetteer`. A spelling listed for two things is ambiguous on purpose.
"""

from __future__ import annotations

UNIT_NAMES: dict[str, tuple[str, ...]] = {
    "infantry": ("inf", "infs", "troop", "troops", "trooper", "troopers", "man", "men", "soldier", "soldiers", "guys"),
    "mech_infantry": (
        "mech", "mechs", "mech inf", "mechinf", "mech infantry", "mec", "mechanised infantry", "mechanized",
        "mechanised", "mechanized inf",
    ),
    "artillery": ("art", "arts", "arty", "arties", "artill", "rtl", "rtls"),
    "marine": ("mar", "mars", "marines"),
    "tank": ("tanks", "arm", "arms", "armor", "armors", "armour", "armours", "tnk", "tnks", "pz", "panzer", "panzers"),
    "aa_gun": (
        "aa", "aas", "aaa", "aaas", "aagun", "aaguns", "aa gun", "aa guns", "flak", "antiaircraft",
        "antiaircraft gun", "antiaircraft guns", "anti aircraft gun", "anti aircraft guns", "antiaircraft artillery",
    ),
    "fighter": ("ftr", "ftrs", "fig", "figs", "fight", "fighters", "fgt", "fgtr", "fgtrs", "fit", "fits"),
    "tac_bomber": (
        "tac", "tacs", "tac bomber", "tac bombers", "tacbomber", "tacbombers", "tactical bomber", "tactical bombers",
        "tactical", "tb", "tbs",
    ),
    "bomber": (
        "bmb", "bmbs", "bmr", "bmrs", "bom", "boms", "bomb", "bmbr", "bmbrs", "bombers", "sb", "sbs", "strat", "strats",
        "strat bomber", "strat bombers", "strategic bomber", "strategic bombers", "stb",
    ),
    "battleship": ("bb", "bbs", "bship", "bships", "btl", "batt", "battleships"),
    "carrier": ("cv", "cvs", "ac", "acs", "acc", "carriers", "aircraft carrier", "aircraft carriers", "flattop"),
    "cruiser": ("ca", "cas", "cru", "crus", "crz", "cruisers"),
    "destroyer": ("dd", "dds", "des", "dst", "dest", "dstr", "dstrs", "destroyers"),
    "submarine": ("sub", "subs", "submarines", "uboat", "uboats", "u-boat", "u-boats"),
    "transport": ("tt", "tts", "trn", "trns", "tra", "trans", "tran", "trsp", "trp", "tp", "tps", "transports", "ap"),
    "ic_minor": (
        "minor ic", "ic minor", "minor factory", "factory minor", "minor complex", "minor industrial complex", "mic",
        "minor industrial complexes", "minor",
    ),
    "ic_major": (
        "major ic", "ic major", "major factory", "factory major", "major complex", "major industrial complex",
        "major industrial complexes", "major",
    ),
    "industrial_complex": (
        "ic", "ics", "factory", "factories", "fac", "complex", "complexes", "industrial complexes", "industry",
    ),
    "air_base": ("ab", "abs", "airbase", "airbases", "airfield", "airfields", "air bases"),
    "naval_base": ("nb", "nbs", "navalbase", "harbour", "harbours", "harbor", "harbors", "port", "naval bases"),
}  # fmt: skip

# One letter means a unit only behind a number (`2 f`); fewer games would be worth the risk.
UNIT_LETTERS: dict[str, str] = {"i": "infantry", "f": "fighter", "b": "bomber", "s": "submarine", "c": "cruiser"}

# `SS` is a submarine to some clubs, a battleship to others, a technology to a third: never guessed.
AMBIGUOUS_UNITS: dict[str, tuple[str, ...]] = {"ss": ("submarine", "battleship"), "gun": ("artillery", "aa_gun"),
                                              "guns": ("artillery", "aa_gun")}  # fmt: skip

# Nicknames read with a note on what was assumed.
NICKNAMES: dict[str, str] = {"guns": "artillery", "trooper": "infantry", "troopers": "infantry", "man": "infantry",
                             "men": "infantry", "guys": "infantry", "flattop": "carrier"}  # fmt: skip

KIND_CLASS_NAMES: dict[str, tuple[str, ...]] = {
    "unit": ("unit", "units", "everything", "piece", "pieces", "forces"),
    "land": ("land", "land units", "land unit", "ground units", "ground unit", "ground", "land forces"),
    "air": ("aircraft", "air units", "air unit", "planes", "plane", "air", "air force"),
    "sea": ("ship", "ships", "fleet", "naval units", "naval unit", "navy", "vessels"),
    "warship": (
        "warship", "warships", "surface warships", "surface warship", "surface ships", "surface ship", "combat ships",
    ),
    "overland": ("overland", "overland units"),
    "landed": ("landed", "landed units", "seaborne units"),
    "paratrooper": ("paratrooper", "paratroopers", "paras", "para"),
}  # fmt: skip

KIND_CLASS_NAMES_ZH: dict[str, tuple[str, ...]] = {
    "unit": ("單位", "部隊"),
    "land": ("陸軍單位", "陸軍", "地面單位"),
    "air": ("飛機", "空軍單位", "空軍"),
    "sea": ("船艦", "艦船", "艦隊", "海軍單位", "海軍"),
    "warship": ("水面戰鬥艦", "戰鬥艦"),
    "overland": ("陸路部隊", "陸路"),
    "landed": ("登陸部隊", "登陸單位"),
    "paratrooper": ("傘兵",),
    "industrial_complex": ("工廠",),
}

POWER_NAMES: dict[str, tuple[str, ...]] = {
    "japan": ("jpn", "jap", "japs", "japanese", "ijn", "j"),
    "usa": ("us", "u.s.", "u.s.a.", "united states", "america", "american", "americans", "united states of america"),
    "china": ("chn", "chi", "chinese"),
    "uk": ("gb", "gbr", "bri", "brit", "british", "britain", "great britain", "england", "english", "brits", "u.k."),
    "anzac": ("anz", "australia", "australian", "australians", "aussies", "new zealand"),
    "ussr": ("soviet union", "soviet_union", "soviets", "soviet", "russia", "russian", "russians", "sov", "rus", "ru"),
    "germany": ("ger", "german", "germans", "germany", "deu"),
    "italy": ("ita", "italian", "italians"),
    "france": ("fra", "french"),
    "dutch": ("netherlands", "ned", "dutch east indies"),
    "neutral": ("neutrals",),
}

ECONOMY_NAMES: dict[str, tuple[str, ...]] = {
    "india": ("ind", "british india"),
    "australia": ("aus", "aust", "australian"),
}

ECONOMY_NAMES_ZH: dict[str, tuple[str, ...]] = {"india": ("印度",), "australia": ("澳洲", "澳大利亞")}

SIDE_NAMES: dict[str, tuple[str, ...]] = {"axis": ("axis",), "allies": ("allies", "allied")}

# Phases by the name they have in every game (`purchase` is the first buying phase of each).
PHASE_NAMES: dict[str, tuple[str, ...]] = {
    "politics": ("politics", "declarations", "political"),
    "research": ("research", "develop weapons", "tech", "technology", "weapons development"),
    "purchase": (
        "purchase", "purchases", "purchase units", "purchase and repair", "buy", "buys", "purchase phase", "builds",
        "build", "purchase combat units", "buying", "repair", "repairs",
    ),
    "land_cap": ("land cap", "landcap", "cap landings"),
    "bid": ("bids",),
    "combat_move": (
        "combat", "combat move", "combat moves", "combat movement", "combatmove", "attacks", "cm", "moves", "movement",
        "combat phase", "attack moves",
    ),
    "conduct_combat": ("conduct combat", "battles", "resolve combat"),
    "noncombat_move": (
        "noncombat", "non combat", "noncombat move", "noncombat moves", "non combat move", "non combat moves", "ncm",
        "noncombat movement", "non combat movement", "noncom", "ncms",
    ),
    "mobilize": (
        "mobilize", "mobilise", "place", "places", "placement", "placements", "place units", "mobilization",
        "mobilize new units", "placing", "deploy units", "mobilize units",
    ),
    "collect_income": ("collect income", "income", "collect"),
    "deploy_air": ("deploy air", "deploy air groups", "air deployment"),
    "fuel_task_forces": ("fuel task forces", "task forces", "form task forces"),
    "draw_card": ("draw card", "draw", "draw victory card", "cards"),
    "standing": ("standing orders", "standing order", "standing", "standing instructions", "answers", "decisions"),
}  # fmt: skip

PHASE_NAMES_ZH: dict[str, tuple[str, ...]] = {
    "politics": ("政治",),
    "research": ("研發武器", "武器研發", "研發"),
    "purchase": ("購買單位及修復", "購買及修復", "購買單位", "購買"),
    "land_cap": ("巡邏降落",),
    "bid": ("競價",),
    "combat_move": ("戰鬥移動", "戰爭移動"),
    "conduct_combat": ("戰鬥", "戰爭"),
    "noncombat_move": ("非戰鬥移動", "非戰爭移動", "非戰鬥", "戰後移動"),
    "mobilize": ("部署單位", "放置單位", "部署"),
    "collect_income": ("結算收入", "收入"),
    "deploy_air": ("航空部署",),
    "fuel_task_forces": ("特遣艦隊補給", "特遣艦隊"),
    "draw_card": ("抽卡",),
    "standing": ("預設命令", "常備命令"),
}

# What the phases of the facts are called in every game.
GENERIC_PHASE: dict[str, str] = {
    "purchase_and_repair": "purchase",
    "develop_weapons": "research",
    "place_units": "mobilize",
}

TECHNOLOGY_NAMES: dict[str, tuple[str, ...]] = {
    "jet_power": ("jet power", "jets", "jet fighters"),
    "rockets": ("rockets", "rocket"),
    "super_submarines": ("super submarines", "super subs", "super submarine", "ss"),
    "long_range_aircraft": ("long range aircraft", "long range", "lra"),
    "industrial_technology": ("industrial technology", "industrial tech", "increased factory production"),
    "heavy_bombers": ("heavy bombers", "heavy bomber", "hbs"),
}

TECHNOLOGY_NAMES_ZH: dict[str, tuple[str, ...]] = {
    "jet_power": ("噴射引擎",),
    "rockets": ("火箭",),
    "super_submarines": ("超級潛艇",),
    "long_range_aircraft": ("長程飛機",),
    "industrial_technology": ("工業技術",),
    "heavy_bombers": ("重轟炸機",),
}

CARD_NAMES_ZH: dict[str, tuple[str, ...]] = {
    "rail_gun": ("列車砲",), "rocket_strike": ("火箭攻擊",), "atomic_bomb": ("原子彈",),
    "super_bombers": ("超級轟炸機",), "jet_fighter": ("噴射戰鬥機",), "long_range_fighters": ("長程戰鬥機",),
    "radar_fire_control": ("雷達射控",),
    "heavy_artillery": ("重型火砲",), "heavy_tank": ("重型坦克",), "powerful_torpedoes": ("強力魚雷",),
    "air_supremacy": ("制空權",), "combined_arms": ("聯合兵種",), "mechanized_offensive": ("機械化攻勢",),
    "combined_bomber_offensive": ("聯合轟炸攻勢",), "airborne_assault": ("空降突擊",), "scramble": ("緊急升空",),
    "fortification": ("要塞",), "entrenchment": ("壕溝",), "hidden_factory": ("隱蔽工廠",),
    "signals_intelligence": ("信號情報",), "fighter_ace": ("王牌飛行員",), "fog_of_war": ("戰爭迷霧",),
    "supreme_excellence": ("不戰而勝",), "donation": ("捐款",), "foreign_legion": ("外籍兵團",),
    "military_support": ("軍事援助",), "merchant_marine": ("商船隊",), "spoils_of_war": ("戰利品",),
    "severe_weather": ("惡劣天氣",), "force_majeure": ("不可抗力",), "eureka": ("靈光一現",),
}  # fmt: skip

CARD_NICKNAMES: dict[str, tuple[str, ...]] = {
    "rail_gun": ("railgun", "rail guns"),
    "rocket_strike": ("rocket", "rockets", "rocket strikes"),
    "atomic_bomb": ("atomic", "atom bomb", "a bomb", "nuke"),
    "super_bombers": ("super bomber", "superbomber", "superbombers"),
    "jet_fighter": ("jet", "jets", "jet fighters"),
    "long_range_fighters": ("long range fighter", "long range", "lrf"),
    "radar_fire_control": ("radar", "radar fire", "fire control"),
    "heavy_artillery": ("heavy art", "heavy arty", "hvy art"),
    "heavy_tank": ("heavy tanks", "heavy arm", "heavy armor", "hvy tank"),
    "powerful_torpedoes": (
        "powerful torpedo", "powerful torpedos", "powerfull torpedoes", "powerful torps", "torpedoes", "torpedos",
        "torpedo", "torps",
    ),
    "air_supremacy": ("air sup", "supremacy"),
    "combined_arms": ("combined arm",),
    "mechanized_offensive": ("mechanised offensive", "mech offensive", "mechanized", "mechanised", "mech"),
    "combined_bomber_offensive": ("bomber offensive", "combined bombers", "cbo"),
    "airborne_assault": ("airborne", "paratroopers", "paratroops", "paras"),
    "scramble": (),
    "fortification": ("fortifications", "fort", "fortify"),
    "entrenchment": ("entrenchments", "entrench", "trenches"),
    "hidden_factory": ("hidden factories", "hidden"),
    "signals_intelligence": ("signal intelligence", "signals", "sigint"),
    "fighter_ace": ("ace", "aces", "fighter aces"),
    "fog_of_war": ("fog",),
    "supreme_excellence": ("supreme", "excellence"),
    "donation": ("donations",),
    "foreign_legion": ("legion", "foreign legions"),
    "military_support": ("mil support", "support"),
    "merchant_marine": ("merchant marines", "merchant", "marine"),
    "spoils_of_war": ("spoils", "spoil of war"),
    "severe_weather": ("weather", "bad weather", "storm"),
    "force_majeure": ("force majeur", "majeure"),
    "eureka": (),
}  # fmt: skip
"""What players say for a card where nothing but a card can stand: behind `play` and `discard`."""

CARD_NICKNAMES_ZH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(CARD_NICKNAMES, ()),
    "heavy_artillery": ("重砲",), "heavy_tank": ("重坦克",), "powerful_torpedoes": ("魚雷",),
    "radar_fire_control": ("雷達",), "donation": ("捐獻", "捐贈"), "fog_of_war": ("迷霧",),
    "fighter_ace": ("王牌",), "eureka": ("尤里卡", "靈光"), "severe_weather": ("天氣", "暴風雨"),
    "fortification": ("堡壘",), "entrenchment": ("塹壕",),
}  # fmt: skip

DECK_NAMES: dict[str, tuple[str, ...]] = {
    "weapons": ("weapons", "weapon"),
    "tactics": ("tactics", "tactic"),
    "fortune": ("fortune",),
}
DECK_NAMES_ZH: dict[str, tuple[str, ...]] = {"weapons": ("武器牌",), "tactics": ("戰術牌",), "fortune": ("運氣牌",)}

# Parts of place names that players shorten, to make further spellings where these are free.
SHORTENED: dict[str, tuple[str, ...]] = {
    "western": ("west", "w"),
    "eastern": ("east", "e"),
    "southern": ("south", "s"),
    "northern": ("north", "n"),
    "central": ("c", "cent"),
    "west": ("w",),
    "east": ("e",),
    "south": ("s",),
    "north": ("n",),
    "northwestern": ("nw", "northwest", "north west"),
    "europe": ("eur", "euro"),
    "united": ("united",),
    "states": ("states",),
    "islands": ("island", "is", ""),
    "island": ("is", ""),
    "mediterranean": ("med", "mediteranean"),
    "caribbean": ("carribean",),
    "antarctic": ("antartic",),
    "australia": ("aus", "aust"),
    "territory": ("terr",),
    "german": ("ger",),
    "anglo": ("anglo",),
}

MORE_SPACE_NAMES: dict[str, tuple[str, ...]] = {
    "anglo-egypt-sudan": ("Anglo-Egyptian Sudan", "Anglo-Egypt"),
    "anglo-egyptian-sudan": ("Anglo-Egypt Sudan",),
    "southern-europe": ("Italy",),
    "finland-norway": ("Fin-Nor",),
    "united-kingdom": ("Great Britain", "England"),
    "kiangsu": ("Kiangsu Shanghai",),
    "west-russia": ("WR", "W Rus", "W Russia"),
    "sz-baltic": ("Baltic", "Baltic SZ", "SZ Baltic"),
    "sz-black-sea": ("Black SZ", "SZ Black Sea"),
    "sz-north-sea": ("SZ North Sea",),
    "sz-red-sea": ("SZ Red Sea",),
    "sz-caspian": ("Caspian", "Caspian SZ"),
    "eastern-united-states": ("Eastern USA", "EUSA"),
    "western-united-states": ("Western USA", "WUSA"),
    "ukraine-ssr": ("Ukr",),
    "egypt": ("Egy",),
    "palau-island": ("Paulau",),
    "baltic-states": ("Baltic",),
    "belorussia": ("Belo",),
    "bulgaria-romania": ("Balkans",),
    "east-indies": ("Dutch East Indies", "EI"),
    "eastern-canada": ("E Can", "Eastern Can"),
    "evenki-national-okrug": ("Evenki N.O.", "ENO"),
    "french-indo-china-thailand": ("Thailand", "Siam"),
    "trans-jordan": ("TJ",),
}

NUMBER_WORDS: dict[str, int] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "dozen": 12,
    "一": 1, "二": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
