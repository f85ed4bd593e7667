"""Orders as players write them: text, JSON and other programs' summaries to the order model, and back.

The order model itself lies with the rules, which consume it; its names are given on here.
"""

from pbem.rules.order_model import ORDER_TYPES, Order, from_json, phase_of, to_json

__all__ = ["ORDER_TYPES", "Order", "from_json", "phase_of", "to_json"]
