"""Hypothesis strategies for orders of every type and game: whatever they make can be printed and read back."""

from __future__ import annotations

from hypothesis import strategies as st

from pbem.orders.gazetteer import Gazetteer
from pbem.orders.read_notes import DECISIONS
from pbem.rules import order_model as model
from pbem.rules.order_model import Condition, Order, Pick

ROUNDS = st.none() | st.integers(1, 9)
PHASES = st.sampled_from(["combat_move", "noncombat_move"])


class Orders:
    """Strategies for one game; `types` maps each JSON type to its strategy."""

    def __init__(self, names: Gazetteer, variants: tuple[str, ...] = ()) -> None:
        self.names = names
        self.spaces = st.sampled_from(sorted(names.spaces))
        self.seas = st.sampled_from(sorted(names.seas))
        self.lands = st.sampled_from(sorted(set(names.spaces) - names.seas))
        self.powers = st.sampled_from(sorted(names.powers))
        by_domain: dict[str, list[str]] = {}
        for unit, domain in sorted(names.units.items()):
            by_domain.setdefault(domain, []).append(unit)
        self.land_units = st.sampled_from(by_domain["land"])
        self.air_units = st.sampled_from(by_domain["air"])
        self.sea_units = st.sampled_from(by_domain["sea"])
        self.facilities = st.sampled_from([*by_domain["structure"], "industrial_complex"])
        self.kinds = st.sampled_from(
            sorted(unit for unit, domain in names.units.items() if domain != "structure")
            + ["unit", "land", "air", "sea"]
        )
        self.cards = st.sampled_from(["heavy_tank", "scramble", "fighter_ace", "fog_of_war", "donation"])
        self.draws = "fov" in variants
        self.picks = self._picks()
        self.groups = st.lists(self.picks, min_size=1, max_size=3).map(tuple)
        self.conditions = self._conditions()
        self.when = st.none() | self.conditions

    def _picks(self) -> st.SearchStrategy[Pick]:
        plain = st.builds(
            Pick,
            self.kinds,
            st.integers(1, 99),
            st.none() | self.powers,
            st.none() | self.spaces,
            st.none() | self.sea_units,
            st.booleans(),
            st.lists(st.integers(1, 999).map("u{}".format), max_size=2).map(tuple),
            st.just(0),
            st.booleans(),
            st.booleans(),
        )
        every = st.builds(
            Pick, self.kinds, st.none(), st.none() | self.powers, st.none(), st.none(), st.just(False), st.just(()),
            st.integers(0, 3),
        )  # fmt: skip
        return plain | every

    def _conditions(self) -> st.SearchStrategy[Condition]:
        signs = st.sampled_from(["lt", "le", "gt", "ge", "eq"])
        plain = st.sampled_from(
            ["round", "own_land", "bombers", "escorts", "attackers", "own_hits", "enemy_hits", "landing"]
        )
        counted = st.sampled_from(["own_lost", "enemy_lost", "own_left", "enemy_left"])
        kinds = st.none() | self.kinds
        amounts = st.integers(0, 99)
        leaf = (
            st.builds(Condition, signs, st.just("odds"), st.integers(0, 1_000_000))
            | st.builds(Condition, signs, plain, amounts)
            | st.builds(Condition, signs, counted, amounts, kinds)
            | st.builds(Condition, signs, st.sampled_from(["attackers", "bombers"]), amounts, st.none(), self.spaces)
            | st.builds(Condition, st.just("eq"), st.just("taken"), st.sampled_from([0, 1]), st.none(), self.spaces)
            | st.builds(Condition, signs, st.just("stock"), amounts, st.none() | self.powers)
            | st.builds(
                Condition,
                signs,
                counted,
                st.none(),
                kinds,
                st.none(),
                st.just(()),
                counted,
                kinds,
                st.integers(1, 9),
                st.integers(1, 9),
            )  # fmt: skip
        )
        # A printed fraction is read in its lowest terms, and what counts own land units is `own_land`.
        leaf = leaf.filter(_is_canonical)
        return st.recursive(leaf, _branches, max_leaves=4)

    def types(self) -> dict[str, st.SearchStrategy[Order]]:
        """One strategy for each type of order."""
        b = st.builds
        paths = st.lists(self.spaces, min_size=2, max_size=4).map(tuple)
        optional_space = st.none() | self.spaces
        lists = st.lists(self.spaces, min_size=1, max_size=3).map(tuple)
        sides = st.sampled_from([None, "attack", "defend"])
        number = st.integers(1, 99)
        made: dict[str, st.SearchStrategy[Order]] = {
            "declare_war": b(model.DeclareWar, st.lists(self.powers, min_size=1, max_size=3).map(tuple)),
            "stay_at_peace": b(model.StayAtPeace, st.booleans()),
            "buy": b(
                model.Buy, self.land_units | self.sea_units, st.none() | number, st.none(), st.just(False),
                st.none() | self.powers, self.when,
            )
            | b(model.Buy, st.sampled_from([u for u, d in self.names.units.items() if d == "structure"]), number,
                optional_space),
            "repair": b(model.Repair, self.lands, st.none() | self.facilities, st.none() | number)
            | st.just(model.Repair(None)),
            "research": b(
                model.Research, st.integers(0, 20), st.sampled_from([None, "heavy_bombers", "heavy_tank"]),
                st.just("draw_card" if self.draws else "research"),
            ),
            "move": b(model.Move, self.groups, paths, st.sampled_from([None, "escort", "attack", "patrol"]), st.none(),
                      PHASES, self.when).filter(self._is_plain_move)
            | b(model.Move, self.groups, paths, st.just("bomb"), st.none() | self.facilities, PHASES, self.when)
            | b(model.Move, self.groups, paths, st.just("deploy"), st.none(), st.just("deploy_air"), self.when),
            "load": b(model.Load, self.groups, self.spaces, self.seas,
                      st.none() | b(Pick, self.sea_units, number), PHASES, self.when),
            "unload": b(model.Unload, self.groups, self.seas, self.spaces, PHASES, self.when),
            "attack": b(model.AttackHere, self.seas, st.just(()) | self.groups),
            "ignore": b(model.IgnoreHere, self.spaces, st.just(()) | self.groups),
            "bombard": b(model.Bombard, optional_space, st.none() | self.seas, st.just(()) | self.groups),
            "assign": b(model.Assign, self.groups, self.spaces, st.sampled_from(["sea", "land"])),
            "land_only": b(model.LandOnly, optional_space, self.conditions),
            "battle_sequence": b(model.BattleSequence, lists),
            "rocket": b(model.Rocket, optional_space, self.spaces),
            "drop": b(
                model.Drop, self.groups, paths, self.groups, optional_space, optional_space, PHASES, self.when
            ),
            "place": b(model.Place, self.groups, self.spaces),
            "refund": b(model.Refund, st.lists(self.land_units, min_size=1, max_size=3).map(tuple)),
            "form_task_force": b(
                model.FormTaskForce, st.sampled_from(["carrier", "bombardment", "amphibious"]), self.seas,
                self.groups, st.just(()) | self.groups,
            )
            | b(model.FormTaskForce, st.just("eastern"), st.none() | self.seas, self.groups),
            "cap": b(model.CombatAirPatrol, self.groups, self.spaces, self.seas,
                     st.sampled_from(["noncombat_move", "deploy_air", "combat_move"]), self.when),
            "play": self._plays(),
            "draw": b(model.DrawCard, st.sampled_from(["victory_die", "none"]))
            | b(model.DrawCard, st.sampled_from(["weapons", "tactics", "fortune"]),
                st.lists(self.cards, max_size=2).map(tuple)),
            "discard": b(model.Discard, st.lists(self.cards, min_size=1, max_size=3).map(tuple)),
            "commit": b(model.CommitPatrol, self.groups, self.seas, self.seas, self.when),
            "carrier_wing": b(model.CarrierWing, st.booleans()),
            "refit": b(model.Refit, self.spaces, st.just(()) | self.groups),
            "give_oil": b(model.GiveOil, self.powers, st.integers(0, 9), self.when),
            "pay_economy": b(model.PayEconomy, st.booleans()),
            "first_seat": b(model.FirstSeat, self.powers, self.when),
            "casualties": self._casualties(sides),
            "retreat": self._retreats(sides),
            "press_on": b(model.PressOn, optional_space, self.when),
            "submerge": b(
                model.Submerge, optional_space, st.just(model.ALL) | st.just(()) | self._submarines(), ROUNDS,
                st.none(), self.when, sides, st.booleans(),
            )
            | b(
                model.Submerge, optional_space, st.just(model.ALL) | self._submarines(), ROUNDS, self.seas, self.when,
                sides,
            )
            | b(
                model.Submerge, optional_space, st.just(model.ALL) | self._submarines(), ROUNDS, st.none(), self.when,
                sides, st.just(False), st.just(True),
            ),
            "scramble": b(model.Scramble, self.groups, self.spaces, self.spaces, self.when)
            | b(model.Scramble, st.just(()), st.none(), st.none(), self.when)
            | b(model.Scramble, st.just(()), self.spaces, st.none() | self.spaces, self.when),
            "intercept": b(model.Intercept, optional_space, st.just(()) | self.groups, self.when),
            "kamikaze": b(
                model.Kamikaze, optional_space,
                st.lists(st.tuples(number, b(Pick, self.sea_units, st.integers(1, 3))), max_size=3).map(tuple),
                self.when,
            )
            | b(model.Kamikaze, optional_space, st.just(()), self.when,
                st.lists(b(Pick, self.sea_units), min_size=1, max_size=2).map(tuple), st.none() | number),
            "submarine_fire": b(model.SubmarineFire, optional_space, st.sampled_from(["always", "cargo", "never"])),
            "bomb_targets": b(
                model.BombTargets, optional_space,
                st.lists(st.tuples(self.picks, self.facilities), min_size=1, max_size=3).map(tuple),
            ),
            "land": b(model.LandAircraft, self.groups, self.spaces, self.spaces, self.when,
                      st.sampled_from([None, "land_cap"])),
            "landing_preference": b(
                model.LandingPreference,
                st.sampled_from(["stranded", "scrambled", "interceptors", "retreating"]) | self.air_units,
                st.lists(self.spaces | st.sampled_from(["carrier", "island", "nearest"]), min_size=1, max_size=4).map(
                    tuple
                ),
            ),
            "battle_plan": b(
                model.BattlePlan,
                st.sampled_from(["save_air", "take_at_all_costs", "kill_at_all_costs", "walk_in"]), optional_space,
                ROUNDS,
            )
            | b(model.BattlePlan, st.just("save_air_at_all_costs"), optional_space, st.integers(1, 9)),
            "scorch": b(model.Scorch, optional_space, st.booleans()),
            "consent": b(model.Consent, st.sampled_from(["evacuation", "fighter_losses"]), st.booleans()),
            "allow_cargo": b(model.AllowCargo, self.powers, st.booleans()),
            "last_resort": b(model.LastResort, st.booleans()),
            "marker": b(model.ControlMarker, optional_space, self.powers),
            "ask_me": b(model.AskMe, st.sampled_from([None, *DECISIONS, "fighter_ace"]), optional_space, st.booleans()),
            "ready": b(model.Ready, st.booleans()),
            "rest_default": b(model.RestDefault),
            "add": b(model.AddOnly),
            "cancel": b(model.CancelPhase, st.sampled_from(
                ["purchase", "combat_move", "noncombat_move", "mobilize", "collect_income", "standing", "deploy_air"]
            )),
            "entropy": b(model.Entropy, st.text("abc xyz12;:->", max_size=20).map(str.strip)).filter(
                lambda order: not order.words.startswith(":")
            ),
            "same": b(model.Same),
            "concede": b(model.Concede, st.booleans()),
            "nothing": b(model.NothingTo, st.sampled_from(["purchase", "combat_move", "noncombat_move", "mobilize"])),
            "bid": b(
                model.Bid, st.integers(1, 99), st.lists(st.tuples(self.groups, self.lands), max_size=2).map(tuple),
                st.sampled_from([None, "axis", "allies"]),
            ),
        }  # fmt: skip
        if self.names.known("economy", "india"):
            shares = st.tuples(st.tuples(st.just("india"), st.integers(0, 30)), st.tuples(st.just("australia"), number))
            made["convoy_split"] = b(model.SplitConvoys, shares, st.booleans())
        if self.draws:
            del made["scramble"]  # scrambling is a card there
        return made

    def _is_plain_move(self, order: Order) -> bool:
        """Land units between land and sea are read as boarding or landing, which has orders of its own."""
        assert isinstance(order, model.Move)
        if len(order.path) != 2 or order.purpose is not None:
            return True
        at_sea = [space in self.names.seas for space in order.path]
        return at_sea[0] == at_sea[1] or any(self.names.units.get(pick.kind) != "land" for pick in order.units)

    def _submarines(self) -> st.SearchStrategy[tuple[Pick, ...]]:
        return st.builds(lambda count: (Pick("submarine", count),), st.integers(1, 9))

    def _plays(self) -> st.SearchStrategy[Order]:
        words = st.lists(st.sampled_from(["with_move", "late"]), max_size=1).map(tuple)
        paths = st.lists(self.spaces, min_size=2, max_size=3).map(tuple)
        more = st.lists(st.tuples(self.groups, paths), max_size=1).map(tuple)
        b = st.builds
        return (
            b(model.PlayCard, self.cards, words=words, when=self.when)
            | b(model.PlayCard, self.cards, self.spaces, st.just(()) | self.groups, words, when=self.when)
            | b(model.PlayCard, self.cards, self.spaces, self.groups, number=ROUNDS, when=self.when)
            | b(model.PlayCard, self.cards, units=self.groups, words=words, path=paths, more=more, when=self.when)
            | b(model.PlayCard, st.just("fighter_ace"), self.spaces, st.just((Pick("fighter", 1),)),
                st.just(("first_miss",)), ROUNDS)
            | b(model.PlayCard, st.just("combined_bomber_offensive"), power=self.powers)
            | st.just(model.PlayCard(model.NO_CARD))
        )  # fmt: skip

    def _casualties(self, sides: st.SearchStrategy[str | None]) -> st.SearchStrategy[Order]:
        lists = st.lists(self.picks, min_size=1, max_size=3).map(tuple)
        keep = st.lists(st.builds(Pick, self.air_units, st.integers(1, 3)), max_size=1).map(tuple)
        last = st.lists(st.builds(Pick, self.air_units), max_size=1).map(tuple)
        which = st.sampled_from(["losses", "aa", "air", "shared", "fog", "heavy_artillery"])
        return st.builds(
            model.Casualties, st.none() | self.spaces, lists, st.booleans(), ROUNDS, which, sides,
            st.sampled_from([None, "land", "sea"]), st.integers(0, 2), self.when, keep, last,
        )  # fmt: skip

    def _retreats(self, sides: st.SearchStrategy[str | None]) -> st.SearchStrategy[Order]:
        scopes = st.sampled_from([None, "overland", "landed", "air", "overland_and_air"])
        b = st.builds
        part = (
            b(model.RetreatPart, self.groups, self.spaces)
            | b(model.RetreatPart, self.groups, st.none(), st.sampled_from(["break_off", "re_embark", "aboard"]))
            | b(model.RetreatPart, self.groups, self.spaces, st.just("unload"))
        )
        evacuation = b(model.RetreatPart, self.groups, st.none() | self.spaces, st.just("evacuate"), self.seas)
        optional = st.none() | self.spaces
        rounds = st.none() | st.integers(0, 9)
        return (
            b(model.Retreat, optional, optional, rounds, st.just(()), scopes, self.when, sides)
            | b(model.Retreat, self.spaces, st.none(), rounds, st.lists(part, min_size=1, max_size=3).map(tuple),
                st.none(), self.when, sides)
            | b(model.Retreat, self.spaces, st.none(), rounds, st.lists(evacuation, min_size=1, max_size=2).map(tuple),
                st.none(), self.when)
        )  # fmt: skip


def _is_canonical(when: Condition) -> bool:
    from math import gcd

    if when.than is not None and gcd(when.times, when.per) != 1:
        return False
    if "own_left" in (when.subject, when.than) and "land" in (when.kind, when.than_kind):
        return False
    return not (when.subject == "own_hits" and when.than == "enemy_left")


def _branches(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.builds(Condition, st.sampled_from(["and", "or"]), of=several) | st.builds(
        Condition, st.just("not"), of=st.tuples(parts)
    )
