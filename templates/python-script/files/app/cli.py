"""Options, input and output."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from app import DESCRIPTION, NAME, __version__
from app.words import count_words, most_common


def build_parser() -> argparse.ArgumentParser:
    # A percent sign means something to argparse.
    parser = argparse.ArgumentParser(description=f"{NAME}: {DESCRIPTION}".replace("%", "%%"))
    parser.add_argument("files", nargs="+", metavar="FILE", help="a text file, or - for the standard input")
    parser.add_argument("--top", type=positive, default=10, metavar="N", help="how many words to show (default: 10)")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    options = build_parser().parse_args(argv)
    out = out or sys.stdout
    counts: Counter[str] = Counter()
    for name in options.files:
        try:
            if name == "-":
                counts += count_words(sys.stdin)
            else:
                with open(name, encoding="utf-8") as file:
                    counts += count_words(file)
        except (OSError, UnicodeDecodeError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
    words = most_common(counts, options.top)
    if options.json:
        json.dump([{"word": word, "count": count} for word, count in words], out, ensure_ascii=False, indent=2)
        out.write("\n")
    else:
        for word, count in words:
            print(f"{count:6} {word}", file=out)
    return 0
