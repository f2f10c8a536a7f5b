"""What the laws must know of Snap: nothing is sealed, nothing is said."""

from companion.kit.nothing_sealed import *  # noqa: F403
