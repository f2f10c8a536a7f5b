"""The house around a table: what happens there is told at home as it happens, to a broker and to whoever wants calls.

Only what everybody sees is told, and not before the big screen has shown it. Nothing in play waits for any of it.
"""
