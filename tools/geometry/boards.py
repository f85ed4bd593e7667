"""What the build must be told about each map: its window, where countries belong, far islands, straits and seeds.

Data only. Longitudes and latitudes are in degrees; country names are the atlas's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from atlas import Window

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """Hints for one map; everything else follows from the list of spaces and borders."""

    window: Window
    size: tuple[int, int]
    home: dict[str, str]
    isles: dict[str, list[Spot]] = field(default_factory=dict)
    straits: list[list[Spot]] = field(default_factory=list)
    seeds: dict[str, list[Spot]] = field(default_factory=dict)
    dots: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    room: dict[str, float] = field(default_factory=dict)
    closed: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Waters that belong to no zone: west, south, east, north."""


_CHINA = "China"
_PACIFIC_HOME = {
    **dict.fromkeys(
        "anhwe chahar hopei hunan kansu kiangsi kiangsu kwangsi kweichow shantung shensi shansi sikang suiyuan "
        "szechwan tsinghai yunnan jehol manchuria".split(),
        _CHINA,
    ),
    "kwangtung": "China|Hong Kong|Macao",
    "hong-kong": "China|Hong Kong|Macao",
    "himalayas": "Nepal|Bhutan|China",
    **dict.fromkeys(
        "amur buryatia evenkiyskiy moscow sakha siberia soviet-far-east timguska yakut-ssr yenisey "
        "soviet-union".split(),
        "Russia",
    ),
    "kazakhstan": "Kazakhstan|Uzbekistan|Turkmenistan|Kyrgyzstan|Tajikistan|Afghanistan",
    **dict.fromkeys("buyant-uhaa central-mongolia dzavhan olgiy tsagaan-olom ulaanbaatar".split(), "Mongolia"),
    "india": "India|Pakistan|Bangladesh|Afghanistan",
    "burma": "Myanmar",
    "shan-state": "Myanmar",
    "siam": "Thailand",
    "malaya": "Malaysia",
    "french-indo-china": "Vietnam|Laos|Cambodia",
    "korea": "North Korea|South Korea",
    "dutch-new-guinea": "Indonesia",
    "new-guinea": "Papua New Guinea",
    "papua": "Papua New Guinea",
    "alaska": "United States of America",
    "western-united-states": "United States of America",
    "united-states": "United States of America",
    "british-columbia": "Canada",
    "yukon-territory": "Canada",
    "canada": "Canada",
    "mexico": "Mexico|Guatemala",
}
_AUSTRALIA: dict[str, list[Spot]] = {
    "western-australia": [(126, -17.5), (126, -24), (126, -30)],
    "northern-territory": [(132, -14), (132, -18), (132, -23.5), (135.5, -17.5), (135.5, -23.5)],
    "south-australia": [(132, -28.5), (132, -31), (138.5, -28.5), (138.5, -33)],
    "queensland": [(140.5, -18), (140.5, -23.5), (143.5, -26.5), (149, -26.5)],
    "new-south-wales": [(143.5, -31.5), (149, -31.5), (149, -35)],
    "victoria": [(142.5, -37), (147, -37.3)],
}
_PACIFIC_ISLES: dict[str, list[Spot]] = {
    "japan": [(143, 43.3), (131, 32.5), (133.5, 33.7)],
    "philippines": [(125, 7.5), (125, 12), (124.8, 10.8), (123, 10), (122.5, 11.2), (121, 12.9)],
    "new-zealand": [(171, -43.5)],
    "new-britain": [(152.5, -3.8)],
    "new-hebrides": [(165.5, -21.3)],
}
_PACIFIC_STRAITS: list[list[Spot]] = [
    [(95, 6.5), (98.5, 4.7), (100.5, 2.9), (103.5, 1.15), (105, 1.2)],
    [(104, -6.8), (105.6, -6), (106.6, -5.2)],
    [(140.5, -10.2), (142.3, -10.1), (144, -9.8)],
    [(128, 34), (130.3, 34.6), (132.5, 36)],
]

P40 = Board(
    window=Window(west=68, width=197, south=-46, north=67.5),
    size=(5540, 3480),
    closed=[(68, 66.2, 264, 72), (68, 36, 76, 50), (-97, 50, -95.1, 66)],
    home=_PACIFIC_HOME,
    isles={
        **_PACIFIC_ISLES,
        "victoria": [(146.5, -42)],
        "amur": [(143, 50)],
        "british-columbia": [(-125.5, 49.7), (-132.3, 53.3)],
    },
    straits=_PACIFIC_STRAITS,
    seeds={**_AUSTRALIA, "manchuria": [(123.3, 41.2), (122, 39.8)], "jehol": [(119.6, 40.2)]},
    room={
        "india": 3.0, "japan": 1.5, "western-united-states": 1.7, "new-south-wales": 2.0, "queensland": 1.5,
        "northern-territory": 1.2, "south-australia": 1.2, "victoria": 1.3, "sz-6": 1.6, "sz-10": 2.6, "sz-39": 1.8,
        "sz-37": 1.4, "sz-20": 1.3, "sz-35": 1.4, "sz-19": 1.4, "sz-36": 1.3, "sz-62": 1.6, "philippines": 1.4,
        "malaya": 1.2, "burma": 1.3, "sz-54": 1.3, "sz-26": 1.2, "new-zealand": 1.3, "hawaiian-islands": 1.4,
    },
    quiet=frozenset(
        "amur buryatia evenkiyskiy moscow sakha siberia soviet-far-east timguska yakut-ssr yenisey kazakhstan "
        "himalayas buyant-uhaa central-mongolia dzavhan olgiy tsagaan-olom ulaanbaatar".split()
    ),
)

P01 = Board(
    window=Window(west=67, width=189, south=-46, north=58),
    size=(5540, 3480),
    home=_PACIFIC_HOME,
    isles={**_PACIFIC_ISLES, "canada": [(-125.5, 49.7), (-132.3, 53.3)]},
    straits=_PACIFIC_STRAITS,
    seeds=_AUSTRALIA,
    room={
        "india": 2.6, "japan": 1.6, "united-states": 1.6, "new-south-wales": 2.0, "queensland": 1.4, "sz-5": 1.7,
        "sz-36": 1.5, "sz-54": 1.6, "sz-9": 1.2, "sz-45": 1.3, "sz-30": 1.4, "philippines": 1.4,
        "northern-territory": 1.2, "south-australia": 1.2,
    },
    quiet=frozenset({"himalayas", "soviet-union"}),
)

_WORLD_HOME = {
    "afghanistan": "Afghanistan",
    "angola": "Angola",
    "brazil": "Brazil|Guyana|Suriname|France",
    "belgian-congo": "Dem. Rep. Congo|Rwanda|Burundi",
    "italian-east-africa": "Ethiopia|Eritrea|Djibouti|Somalia|Somaliland",
    "libya": "Libya",
    "mozambique": "Mozambique",
    "mongolia": "Mongolia",
    "saudi-arabia": "Saudi Arabia|Yemen|Oman|United Arab Emirates|Qatar|Kuwait",
    "switzerland": "Switzerland|Liechtenstein",
    "sweden": "Sweden",
    "turkey": "Turkey",
    "kazakh-ssr": "Kazakhstan|Uzbekistan|Turkmenistan|Kyrgyzstan|Tajikistan",
    "caucasus": "Russia|Georgia|Armenia|Azerbaijan",
    **dict.fromkeys(
        "archangel evenki-national-okrug karelia-ssr novosibirsk russia soviet-far-east vologda west-russia "
        "yakut-ssr buryatia-ssr".split(),
        "Russia",
    ),
    "india": "India|Pakistan|Bangladesh",
    "malaya": "Malaysia",
    "mexico": "Mexico",
    "western-united-states": "United States of America",
    "central-united-states": "United States of America",
    "eastern-united-states": "United States of America",
    "alaska": "United States of America",
    "western-canada": "Canada",
    "eastern-canada": "Canada",
    "manchuria": "China|North Korea|South Korea",
    "kwangtung": "China|Hong Kong|Macao",
}
_WORLD_ISLES: dict[str, list[Spot]] = {
    "japan": [(143, 43.3), (131, 32.5), (133.5, 33.7)],
    "philippine-islands": _PACIFIC_ISLES["philippines"],
    "new-zealand": [(171, -43.5)],
    "west-indies": [(-70.5, 19)],
    "western-canada": [(-125.5, 49.7)],
    "eastern-canada": [(-56, 48.7), (-70, 67)],
}
_WORLD_STRAITS: list[list[Spot]] = [
    *_PACIFIC_STRAITS,
    [(-9, 35.9), (-5.6, 35.95), (-3, 36)],
    [(25, 39.5), (26.3, 40.2), (27.5, 40.7), (28.8, 40.8), (29.1, 41.2), (30, 42)],
    [(7, 57.7), (10.6, 57.9), (11.6, 56.6), (10.9, 55.4), (11.2, 54.5), (13, 54.6), (16, 55.3)],
    [(12, 57), (12.6, 55.9), (13, 55)],
    [(0, 50.3), (1.5, 51), (2.6, 51.8)],
    [(35, 26.5), (37, 23), (40, 17.5), (43.2, 12.9), (44.5, 12)],
    [(32.6, 29.7), (34, 27.5), (35, 26.5)],
    [(55, 26), (56.5, 26.4), (58, 25)],
]

S42 = Board(
    window=Window(west=-102, width=360, south=-57, north=76, mercator=True),
    size=(5540, 3380),
    closed=[(62, 66.4, 192, 77), (192, 66.4, 257.9, 77), (46, 36, 56, 48)],
    home={
        **_WORLD_HOME,
        "germany": "Germany|Austria|Czechia",
        "northwestern-europe": "Netherlands|Belgium|Luxembourg|Denmark",
        "france": "France",
        "italy": "Italy|San Marino|Vatican|Slovenia",
        "southern-europe": "Croatia|Bosnia and Herz.|Serbia|Montenegro|Albania|Macedonia|Kosovo|Greece",
        "bulgaria-romania": "Bulgaria|Romania|Hungary",
        "poland": "Poland|Slovakia",
        "baltic-states": "Estonia|Latvia|Lithuania",
        "belorussia": "Belarus",
        "ukraine-ssr": "Ukraine|Moldova",
        "finland": "Finland",
        "norway": "Norway",
        "spain-portugal": "Spain|Portugal|Andorra",
        "persia": "Iran|Iraq|Kuwait",
        "trans-jordan": "Jordan|Syria|Lebanon|Israel|Palestine",
        "egypt": "Egypt",
        "anglo-egyptian-sudan": "Sudan|S. Sudan",
        "algeria": "Algeria|Tunisia",
        "morocco": "Morocco",
        "sahara": "W. Sahara|Mauritania|Mali|Niger|Algeria",
        "french-west-africa": "Senegal|Gambia|Guinea-Bissau|Guinea|Sierra Leone|Liberia|Côte d'Ivoire|Ghana|"
        "Burkina Faso|Togo|Benin|Mali",
        "french-equatorial-africa": "Nigeria|Cameroon|Central African Rep.|Gabon|Congo|Eq. Guinea|Chad|Niger",
        "rhodesia": "Zambia|Kenya|Tanzania|Uganda|Malawi",
        "union-of-south-africa": "South Africa|Namibia|Botswana|Lesotho|eSwatini|Zimbabwe",
        "venezuela": "Venezuela",
        "colombia-ecuador": "Colombia|Ecuador",
        "peru-argentina": "Peru|Bolivia|Paraguay|Argentina|Uruguay",
        "chile": "Chile",
        "central-america": "Panama|Costa Rica|Nicaragua|Honduras|El Salvador|Guatemala|Belize",
        "east-mexico": "Mexico",
        "sinkiang": "China",
        "szechwan": "China",
        "anhwei": "China",
        "kiangsu": "China",
        "yunnan": "China",
        "himalaya": "Nepal|Bhutan|China",
        "french-indo-china-thailand": "Vietnam|Laos|Cambodia|Thailand",
        "burma": "Myanmar",
    },
    isles={
        **_WORLD_ISLES,
        "east-indies": [(110, -7.3)],
        "borneo": [(120.3, -2)],
        "eastern-australia": [(146.5, -42)],
        "italy": [(14, 37.5), (9, 40)],
    },
    straits=_WORLD_STRAITS,
    dots=frozenset({"gibraltar"}),
    quiet=frozenset(
        "afghanistan angola chile colombia-ecuador eire himalaya mongolia mozambique peru-argentina sahara "
        "saudi-arabia spain-portugal sweden switzerland turkey venezuela greenland".split()
    ),
)

CLASSIC = Board(
    window=Window(west=-98, width=360, south=-59, north=76, mercator=True),
    size=(5540, 3380),
    closed=[(62, 66.4, 192, 77), (192, 66.4, 261.9, 77)],
    home={
        **_WORLD_HOME,
        "germany": "Germany|Austria|Czechia",
        "western-europe": "France|Netherlands|Belgium|Luxembourg|Denmark",
        "southern-europe": "Italy|San Marino|Vatican|Slovenia|Croatia|Bosnia and Herz.|Serbia|Montenegro|Albania|"
        "Macedonia|Kosovo|Greece",
        "eastern-europe": "Poland|Slovakia|Hungary|Romania|Bulgaria|Lithuania",
        "ukraine-ssr": "Ukraine|Moldova|Belarus",
        "karelia-ssr": "Russia|Estonia|Latvia",
        "finland-norway": "Finland|Norway",
        "spain": "Spain|Portugal|Andorra",
        "persia": "Iran",
        "syria-iraq": "Syria|Iraq|Jordan|Lebanon|Israel|Palestine|Kuwait",
        "anglo-egypt-sudan": "Egypt|Sudan|S. Sudan",
        "algeria": "Algeria|Tunisia|Morocco",
        "rio-de-oro": "W. Sahara",
        "french-west-africa": "Mauritania|Mali|Senegal|Gambia|Guinea-Bissau|Guinea|Sierra Leone|Liberia|"
        "Côte d'Ivoire|Ghana|Burkina Faso|Togo|Benin",
        "french-equatorial-africa": "Nigeria|Niger|Cameroon|Central African Rep.|Gabon|Congo|Eq. Guinea|Chad",
        "kenya-rhodesia": "Zambia|Kenya|Tanzania|Uganda|Malawi|Zimbabwe",
        "union-of-south-africa": "South Africa|Namibia|Botswana|Lesotho|eSwatini",
        "colombia-venezuela": "Colombia|Venezuela|Ecuador|Guyana",
        "peru": "Peru|Bolivia",
        "argentina-chile": "Argentina|Chile|Uruguay|Paraguay",
        "panama": "Panama|Costa Rica|Nicaragua|Honduras|El Salvador|Guatemala|Belize|Mexico",
        "sinkiang": "China|Nepal|Bhutan",
        "china": "China",
        "french-indo-china-burma": "Vietnam|Laos|Cambodia|Thailand|Myanmar|Malaysia",
    },
    isles={
        **_WORLD_ISLES,
        "east-indies": [(110, -7.3)],
        "borneo-celebes": [(120.3, -2)],
        "australia": [(146.5, -42)],
        "southern-europe": [(14, 37.5), (9, 40)],
    },
    straits=_WORLD_STRAITS,
    seeds={"russia": [(46.5, 51.5), (47.3, 48.2)]},
    dots=frozenset({"gibraltar"}),
    quiet=frozenset(
        "afghanistan angola argentina-chile colombia-venezuela eire mongolia mozambique peru rio-de-oro "
        "saudi-arabia spain sweden switzerland turkey".split()
    ),
)

BOARDS = {"p40": P40, "p01": P01, "s42": S42, "classic": CLASSIC}
