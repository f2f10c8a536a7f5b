"""KiCad's files are nested lists in parentheses: reading them and writing them."""

import re
from collections.abc import Iterator
from typing import Union

Node = list[Union["Node", str]]
"""A list whose first word says what it is; strings keep their quotes."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[()]|[^\s()"]+')


def parsed(text: str) -> Node:
    """Return the list that a file is. Raises ValueError if its parentheses do not match."""
    open_lists: list[Node] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            open_lists.append([])
        elif token == ")":
            closed = open_lists.pop()
            if not open_lists:
                raise ValueError("a parenthesis too many")
            open_lists[-1].append(closed)
        else:
            open_lists[-1].append(token)
    if len(open_lists) != 1 or not open_lists[0] or isinstance(open_lists[0][0], str):
        raise ValueError("not one list in parentheses")
    return open_lists[0][0]


def written(node: Node, depth: int = 0) -> str:
    """Return a list as text, one inner list a line."""
    words = [item if isinstance(item, str) else "\n" + "\t" * (depth + 1) + written(item, depth + 1) for item in node]
    end = "\n" + "\t" * depth if any(not isinstance(item, str) for item in node) else ""
    return "(" + " ".join(words).replace(" \n", "\n") + end + ")"


def children(node: Node, name: str) -> Iterator[Node]:
    """Yield the inner lists that begin with a word."""
    for item in node:
        if isinstance(item, list) and item and item[0] == name:
            yield item


def child(node: Node, name: str) -> Node:
    """Return the first inner list that begins with a word. Raises KeyError if there is none."""
    for item in children(node, name):
        return item
    raise KeyError(name)


def words(node: Node, name: str) -> list[str]:
    """Return the strings after the word in the first inner list that begins with it, without quotes."""
    return [unquoted(item) for item in child(node, name)[1:] if isinstance(item, str)]


def numbers(node: Node, name: str) -> list[float]:
    """Return the figures behind the word in the first inner list that begins with it."""
    return [float(word) for word in words(node, name) if re.fullmatch(r"-?[\d.]+", word)]


def quoted(text: str) -> str:
    r"""Return a text in quotes.

    >>> quoted('6" long')
    '"6\\" long"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(word: str) -> str:
    """Return the text within a word's quotes, or the word."""
    return word[1:-1].replace('\\"', '"').replace("\\\\", "\\") if word.startswith('"') else word
