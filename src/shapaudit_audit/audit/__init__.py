"""What a claim is, how its evidence is gathered and kept, and how a verdict is reached.

Names are imported from the modules: a workflow that only wants to know which papers there are
loads nothing else.
"""
