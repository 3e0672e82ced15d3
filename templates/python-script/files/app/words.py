"""The work itself: text in, counts out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def count_words(lines: Iterable[str]) -> Counter[str]:
    """Count the words of some lines, whatever their case."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(word.casefold() for word in _WORD.findall(line))
    return counts


def most_common(counts: Counter[str], top: int) -> list[tuple[str, int]]:
    """The most frequent words; those of the same count in alphabetical order."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
