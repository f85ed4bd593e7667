"""The position: maps, units, state and the reducer; no rules, no clock, no chance."""
