"""How Hypothesis tries: it finds what is wrong, and does not mind how long a busy machine takes for it."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
