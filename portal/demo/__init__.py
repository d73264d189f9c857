"""Sample data for a first look: a handful of invented people, their dogs and one certificate that waits.

Everything goes through the same services as the real thing.
"""

from portal.demo.filling import add_sample_data

__all__ = ["add_sample_data"]
