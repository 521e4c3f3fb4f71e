"""The figures on the pages: all are what docs/figures.json has, and one part can be new alone."""

import json
from pathlib import Path

import pytest

from benchmarks import pages
from benchmarks.tables import write

MEASURED = ([["", "right"], ["ours", "80"]], [["", "late"], ["ours", "6|7"]])


@pytest.mark.parametrize("page", [*pages.pages()], ids=lambda page: page.name)
def test_a_page_has_the_figures_of_the_data(page: Path) -> None:
    """If not, `python benchmarks/pages.py` writes them anew."""
    text = page.read_text(encoding="utf-8")
    assert pages.fill(text, pages.read()) == text


def test_all_figures_are_shown() -> None:
    """What no page shows is not kept."""
    text = "".join(page.read_text(encoding="utf-8") for page in pages.pages())
    shown = {part for block in pages.BLOCK.finditer(text) for part in block[2].split()}
    assert shown == {*pages.read()}


class TestNewFigures:
    """What one benchmark has measured comes into the data and onto the pages."""

    @pytest.fixture
    def directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Give a project with a page of two blocks, a picture, and data of an earlier day."""
        (tmp_path / "docs").mkdir()
        block = "<!-- figures: {} -->\nold\n<!-- end of figures -->\n"
        (tmp_path / "README.md").write_text(block.format("scale speed"), encoding="utf-8")
        (tmp_path / "docs" / "page.md").write_text(block.format("speed"), encoding="utf-8")
        (tmp_path / "docs" / "scale.svg").write_text("old", encoding="utf-8")
        part = {"command": "bench", "commit": "abc", "conditions": "a machine", "version": "0.0"}
        speed = {**part, "date": "2020-01-01", "tables": []}
        (tmp_path / "docs" / "figures.json").write_text(json.dumps({"speed": speed}))
        monkeypatch.setattr(pages, "ROOT", tmp_path)
        monkeypatch.setattr(pages, "FIGURES", tmp_path / "docs" / "figures.json")
        return tmp_path

    @pytest.mark.parametrize("picture", ["new", "old"])
    def test_the_other_parts_keep_theirs(self, directory: Path, picture: str) -> None:
        """With their day and commit."""
        before = pages.read()["speed"]
        write(directory / "scale.json", "tmux 9", *MEASURED)
        if picture == "new":
            (directory / "scale.svg").write_text("new", encoding="utf-8")
        pages.main(["scale", str(directory / "scale.json"), "bench scale --quick", "f00"])
        assert pages.read()["speed"] == before
        own = pages.read()["scale"]
        assert (own["commit"], own["conditions"], own["tables"]) == ("f00", "tmux 9", [*MEASURED])
        text = (directory / "README.md").read_text(encoding="utf-8")
        assert text.startswith(
            "<!-- figures: scale speed -->\n`python3 dev.py bench scale --quick`"
        )
        assert f"on {own['date']}, {own['version']} (f00), tmux 9.\n\n|  | right |" in text
        assert "| ours | 80 |\n\n|  | late |" in text
        assert text.endswith("on 2020-01-01, 0.0 (abc), a machine.\n\n<!-- end of figures -->\n")
        assert (directory / "docs" / "scale.svg").read_text(encoding="utf-8") == picture

    def test_without_new_ones_the_blocks_are_written(
        self, directory: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """And only where they are others."""
        (directory / "README.md").write_text("no figures", encoding="utf-8")
        pages.main([])
        assert capsys.readouterr().out == "new figures: docs/page.md\n"
        pages.main([])
        assert capsys.readouterr().out == ""

    def test_a_picture_that_no_page_shows_is_not_copied(self, directory: Path) -> None:
        """It stays in the report."""
        write(directory / "speed.json", "tmux 9", *MEASURED)
        (directory / "speed.svg").write_text("new", encoding="utf-8")
        (directory / "README.md").write_text("no figures", encoding="utf-8")
        pages.main(["speed", str(directory / "speed.json"), "bench speed", "f00"])
        assert not (directory / "docs" / "speed.svg").exists()
