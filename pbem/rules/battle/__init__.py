"""How battles are fought: a battle is data (a list of named steps), each file here one chapter of it.

`planning` reads off the position which battles there are, `order_of_battles` fights them one by one with `model.fight`,
which runs the steps that the rule set lists for the battle's kind (`land`, `sea`, `raid_air`, `raid_bombing`). A game
changes battles in these places, and nowhere else:

- `RuleSet.battles`: steps are inserted, replaced, left out or wrapped (`model.before`, `after`, `replaced`, `without`,
  `wrapped`), each with its own rule ids (`model.citing`);
- judgements: `attack_values`, `defense_values` (state, battle, units), `aa_shots`, `is_enemy`, `presses_on`,
  `land_retreat_territories`, `sea_retreat_zones`, and `odds` (state, battle) -> parts per million, if there is one;
- the steps `dice_seen` (battle, volley), between the dice of a fire step and the count of hits, `hits_fall` (battle,
  volley, at_once), before losses are chosen, `land_battle_begins` (power, territory, landed), if there are any;
  `raids`, `assaults` and `other_battles`;
- parameters: `loss_orders`, `attacker_keeps_land`, `silent_defenders`, `guns_are_casualties`, `fire_needs_target`,
  `aa_casualty_chooser`, `bombard_targets`, `raid_air_values`, `raid_bomber_bonus`, `battle_citations`;
- abilities and figures of the unit table, such as `surprise_strike`, `casualty_last`, `hits`, `attack_supported`.
"""
