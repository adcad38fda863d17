"""The actions that units may be declared to take, a module for each kind: its choices, their conditions and their
execution. `kinds` gathers them.
"""
