"""Shared set-up: no deadlines, because test machines are noisy."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=False)
settings.load_profile("steady")
