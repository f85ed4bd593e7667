"""The referee of campaigns played by mail: orders in, rulings out, and a log that anybody can check.

This package file holds the version only; importing it pulls in nothing else.
"""

__version__ = "0.1.0"
