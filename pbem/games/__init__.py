"""Each game's data, and how its rule set, edition and variants are composed."""
