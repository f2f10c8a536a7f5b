"""The table's own voice: what happens is heard from the loudspeaker of the machine, where the host wants that.

Silence is the default. Only what everybody may know is heard, and not before the big screen has shown it.
"""
