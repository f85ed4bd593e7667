"""Settings for all tests: property tests keep no deadline, since the machines that run them share their cores."""

from hypothesis import settings

settings.register_profile("pbem", deadline=None, max_examples=60)
settings.load_profile("pbem")
