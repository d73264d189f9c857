"""The tables of the three schemas and their migrations: no rules, no web.

`animal_control` is the contract shared with the police department's software, `confidential` holds who made a
report, `portal` is ours alone. Every table and column carries a comment, which the database keeps too.
"""
