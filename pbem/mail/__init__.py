"""Mail in and out: bytes to values, who sent them, and values to bytes.

Nothing here knows the rules or the state of a campaign. Reading, authenticating and composing are pure: time, limits
and every look-up come in as arguments. Only `serve`, `imap`, `send` and `catcher` touch the network or the disk.
"""
