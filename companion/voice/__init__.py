"""The table's voice: sounds and speech from the machine's loudspeaker, if the host has chosen them.

Silence is the default. Only what everybody may know is heard, and not before the big screen has shown it.
"""

PLAYER = "aplay"
"""ALSA's program that plays sounds, in Debian's alsa-utils."""
