"""Whether something that leaves the service tells its reader what he may not know: words searched for in every guise.

`words` says what is hidden from whom at a moment of a campaign, `unpack` opens every packing and encoding, `search`
looks for the words in what comes out, `guesses` tries to find hidden things behind published hashes, `folder` does all
of it with the folder that a campaign left behind.
"""
