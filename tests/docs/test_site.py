"""The site: every page is in reach, every link leads somewhere, and the tables tell all."""

import importlib.util
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest
from typing_extensions import override

import tmuxprim
import tmuxprim.adapters
import tmuxprim.errors
import tmuxprim.mcp
import tmuxprim.profiles
import tmuxprim.readiness
import tmuxprim.testing
import tmuxprim.tool
from tests.pages import DOCS
from tests.public_modules import PUBLIC_MODULES

PAGES = sorted(path.relative_to(DOCS) for path in DOCS.rglob("*.md"))
LINK = re.compile(r"(?<!!)\[[^]]*\]\(([^)\s]+)\)", re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def load(name: str) -> ModuleType:
    """Return a module of the directory of the site."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tables = load("tables")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    titles = (title.lower() for title in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


class TestSources:
    """The pages as they are read in the repository."""

    @pytest.mark.parametrize("page", PAGES, ids=str)
    def test_links_lead_to_a_file_and_a_heading(self, page: Path) -> None:
        """Also where nobody builds the site."""
        text = FENCED.sub("", (DOCS / page).read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            if link.startswith("https://"):
                continue
            path, _, anchor = link.partition("#")
            target = ((DOCS / page).parent / path) if path else DOCS / page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link

    def test_every_page_is_in_the_table_of_contents(self) -> None:
        """Each page is there once, since the menu of the site is made from this list."""
        text = (DOCS / "index.md").read_text(encoding="utf-8")
        listed = LINK.findall(text.partition("## All pages")[2])
        assert sorted(listed) == sorted(str(page) for page in PAGES if str(page) != "index.md")

    def test_every_public_module_has_a_page(self) -> None:
        """Its names come from the docstrings."""
        for module in PUBLIC_MODULES:
            page = DOCS / "reference" / "api" / f"{module.__name__}.md"
            assert f"automodule:: {module.__name__}\n" in page.read_text(encoding="utf-8")

    def test_the_first_api_page_has_each_name_once(self) -> None:
        """By subject, so no name comes by itself; errors and more have pages of their own."""
        page = (DOCS / "reference" / "api" / "tmuxprim.md").read_text(encoding="utf-8")
        shown = re.findall(r"^\.\. auto(?:class|function|data):: (\w+)$", page, re.MULTILINE)
        own = {*tmuxprim.__all__} - {*tmuxprim.errors.__all__}
        assert sorted(shown) == sorted(own)
        assert shown[0] == "Console"

    def test_the_page_for_models_leads_to_pages(self) -> None:
        """Its links are those of the built site."""
        links = LINK.findall((DOCS / "llms.txt").read_text(encoding="utf-8"))
        assert len(links) > 10
        for link in links:
            assert (DOCS / link.replace(".html", ".md")).exists(), link

    def test_every_error_has_advice(self) -> None:
        """The page says what to do about each, in a table of its own."""
        page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
        advised = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
        assert {*advised} == {*tmuxprim.errors.__all__} - {"Advice", "TmuxprimError"}


class TestTables:
    """The tables that are made from the code."""

    def test_all_outcomes_are_explained(self) -> None:
        """By the words in the source."""
        rows = tables.outcomes().splitlines()[2:]
        assert [row.split("`")[1] for row in rows] == [o.name for o in tmuxprim.Outcome]

    def test_all_commands_are_told_with_their_words(self) -> None:
        """And with the options that are their own."""
        text = tables.commands()
        assert "tmuxprim send PANE TEXT [OPTION ...]" in text
        assert "tmuxprim keys PANE KEY ... [OPTION ...]" in text
        assert "| `--newlines lf\\|enter\\|paste` | send a line break" in text
        assert text.count("`--json`") == 1

    def test_keys_are_told_with_their_bytes(self) -> None:
        """In characters that a page can show."""
        rows = tables.keys().splitlines()
        assert "| `Up` | `ESC [ A` |" in rows
        assert "| `C-Space` | `NUL` |" in rows
        assert "| `C-a` | `0x01` |" in rows

    def test_errors_tell_what_else_they_are(self) -> None:
        """A standard error, for who catches those."""
        assert "| `TmuxTimeoutError` | `TimeoutError` | A tmux call timed out" in tables.errors()

    def test_statuses_are_numbers(self) -> None:
        """Those of the command line."""
        assert "\n| 130 | C-c was pressed (128 + SIGINT) |\n" in tables.statuses()
        assert "\n| `run` | the command's own, once" in tables.statuses()

    def test_pages_ask_for_tables_that_exist(self) -> None:
        """Each is on some page."""
        asked = {
            name
            for page in PAGES
            for name in re.findall(r"<!-- table: (\w+) -->", (DOCS / page).read_text("utf-8"))
        }
        assert asked == set(tables.TABLES)
        assert tables.fill("a\n<!-- table: keys -->\nb") == f"a\n{tables.keys()}\nb"
        place = "<!-- table: keys -->\n*In the repository it is elsewhere.*\nb"
        assert tables.fill(place) == f"{tables.keys()}\nb"


class Links(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link, an image, or an anchor."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            if value and name in ("id", "name"):
                self.anchors.add(value)


read = cache(Links)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, where Sphinx is installed."""
    if importlib.util.find_spec("furo") is None:
        pytest.skip("not installed: the dependency group docs; python3 dev.py docs installs it")
    directory = tmp_path_factory.mktemp("site")
    # In a process of its own: what Sphinx warns of itself is no failure of ours.
    command = [sys.executable, "-m", "sphinx", "-n", "-W", "-q", "-E", str(DOCS), str(directory)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return directory


@pytest.mark.thorough  # to build it takes longer than any other quick test
class TestSite:
    """The built site."""

    def test_no_link_is_broken(self, site: Path) -> None:
        """Neither to a page, nor to a place on it, a picture or a script."""
        pages = sorted(site.rglob("*.html"))
        assert len(pages) >= len(PAGES)
        broken = [
            f"{page.relative_to(site)}: {link}"
            for page in pages
            for link in read(page).links
            if not leads_somewhere(page, link)
        ]
        assert broken == []

    def test_every_public_name_is_in_the_index(self, site: Path) -> None:
        """So the search finds it."""
        pages = (site / "reference" / "api").glob("*.html")
        shown = {anchor for page in pages for anchor in read(page).anchors}
        explained = {name.rpartition(".")[2] for name in shown if name.startswith("tmuxprim.")}
        assert {name for module in PUBLIC_MODULES for name in module.__all__} - explained == set()


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a link of a page leads to what is there; those of other sites are not followed."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme in {"https", "data"}
    target = (page.parent / unquote(parts.path)) if parts.path else page
    if not target.exists():
        return False
    is_page = target.suffix == ".html" and bool(parts.fragment)
    return not is_page or unquote(parts.fragment) in read(target).anchors
