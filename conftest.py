"""Lets pytest run the examples of docs/, each page on the fake.

The README and the tutorial are on real tmux: tests/docs plays them.
"""

from doctest import ELLIPSIS, NORMALIZE_WHITESPACE

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE)],
    patterns=["docs/*.md", "docs/*/*.md"],
    excludes=["docs/tutorial.md"],
).pytest()
