"""What worn cards, cut power and flipped bits do to files: drawn from a seed, so that each can be had again."""

import random
from collections.abc import Callable
from pathlib import Path

PAGE = 4096


def zero_a_page(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(0, len(content), PAGE)
    content[at : at + PAGE] = bytes(len(content[at : at + PAGE]))


def fill_a_page(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(0, len(content), PAGE)
    content[at : at + PAGE] = chance.randbytes(len(content[at : at + PAGE]))


def flip_bits(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 8, 200))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def cut_at_a_page(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(0, len(content), PAGE) :]


def zero_the_end(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(content))
    content[at:] = bytes(len(content) - at)


def garble_the_head(content: bytearray, chance: random.Random) -> None:
    content[:100] = chance.randbytes(min(100, len(content)))


def empty(content: bytearray, chance: random.Random) -> None:
    content.clear()


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    *(zero_a_page, fill_a_page, flip_bits, cut, cut_at_a_page, zero_the_end, garble_the_head, empty),
)


def damage(path: Path, seed: int) -> str:
    """Damage a file; return how."""
    chance = random.Random(seed)
    content = bytearray(path.read_bytes())
    how = chance.choice(DAMAGES)
    if content:
        how(content, chance)
    with path.open("r+b") as file:  # its inode stays, as a worn card leaves it
        file.write(content)
        file.truncate(len(content))
    return f"{path.name} {how.__name__} seed {seed}"
