"""Measurements: each a ratio against a named peer or a floor, taken in one run on the machine at hand."""
