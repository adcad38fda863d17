"""What units may be declared to do, a module for each kind of action: its choices, when they are open, how they are
carried out. `kinds` gathers them.
"""
