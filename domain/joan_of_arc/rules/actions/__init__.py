"""The actions that units may be declared to take, a module for each kind: its choices, when they are open, how they are
carried out. `kinds` gathers them.
"""
