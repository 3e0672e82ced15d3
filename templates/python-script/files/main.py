#!/usr/bin/env python3
"""Starts the program: python3 main.py --help"""

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main())
