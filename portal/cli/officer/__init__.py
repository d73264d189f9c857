"""What the city's officer does at the console, a module for each subject; `desk` is what all of them share.

They act in the role of the desk and through the services that its pages use.
"""
