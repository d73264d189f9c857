"""The law: chapter 90 of the city code and the state law around it, as pure functions of plain values.

Standard library only. Nothing here reads a clock, a file or a setting: the day, the calendar and the city's choices
arrive as arguments. Every number stands beside the section it comes from.
"""
