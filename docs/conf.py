"""How Sphinx builds the site: ``python3 dev.py docs``."""

import importlib
import importlib.util
import pkgutil
import re
import sys
import tomllib
from pathlib import Path
from types import FunctionType

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.nodes import make_refnode

import tmuxprim
import tmuxprim.profiles

HERE = Path(__file__).parent.resolve()
sys.path.insert(0, str(HERE))
tables = importlib.import_module("tables")
ABOUT = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = ABOUT["urls"]["Repository"]

project = "tmuxprim"
author = ABOUT["authors"][0]["name"]
project_copyright = author
release = tmuxprim.__version__
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# A site without the buttons is as good a check of the pages, so it builds where they are missing.
if importlib.util.find_spec("sphinx_copybutton"):
    extensions.append("sphinx_copybutton")
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
html_theme = "furo"
html_title = f"tmuxprim {release}"
html_show_sphinx = False
html_copy_source = False
html_extra_path = ["llms.txt"]
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_theme_options = {
    "source_repository": REPOSITORY,
    "source_branch": "main",
    "source_directory": "docs/",
}

myst_heading_anchors = 4

default_role = "py:obj"  # what stands in one pair of backticks in a docstring is a name
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": True}
napoleon_numpy_docstring = False

PUBLIC = ["tmuxprim"] + [
    f"tmuxprim.{name}" for name in ("errors", "mcp", "profiles", "readiness", "testing", "tool")
]


def tell_where_fields_are_explained(_: Sphinx) -> None:
    """Let autodoc find texts below fields: names say that they come from a public module."""
    private = [
        ModuleAnalyzer.for_module(info.name)
        for info in pkgutil.walk_packages(tmuxprim.__path__, "tmuxprim.")
        if info.name.startswith("tmuxprim._") and not info.name.endswith("__")
    ]
    for name in PUBLIC:
        public = ModuleAnalyzer.for_module(name)
        public.analyze()
        for analyzer in private:
            analyzer.analyze()
            public.attr_docs.update(analyzer.attr_docs)
            public.overloads.update(analyzer.overloads)
            public.tagorder.update(analyzer.tagorder)
        module = importlib.import_module(name)
        for word in module.__all__:  # autodoc leaves out values without a text
            value = getattr(module, word)
            if isinstance(value, tmuxprim.profiles.Profile):
                tried = f", tried with {value.tried}" if value.tried else ""
                text = f"The `Profile` of ``{value.name}``{tried}."
                public.attr_docs.setdefault(("", word), [text, "", ":meta hide-value:", ""])
            elif not isinstance(value, (type, FunctionType)):
                public.attr_docs.setdefault(("", word), ["Another name for these types.", ""])


def leave_out(
    app: Sphinx,
    what: str,
    name: str,
    found: object,
    skip: bool,  # noqa: FBT001  # Sphinx gives it so
    _: object,
) -> bool | None:
    """Leave out what has its place on another page, and members that nobody has explained."""
    explained = ModuleAnalyzer.for_module("tmuxprim").attr_docs
    if what == "module":
        home = getattr(found, "__module__", None)
        elsewhere = home in PUBLIC and home != app.env.docname.rpartition("/")[2]
        return True if elsewhere else None
    owner = getattr(getattr(found, "__objclass__", None), "__name__", "")
    is_explained = any(owner in {"", kind} and member == name for kind, member in explained)
    if not is_explained and not owner:
        is_explained = bool(getattr(found, "__doc__", None))
    return True if skip or not is_explained or isinstance(found, (str, int)) else None


# Users get these from a method, so their constructors, which take private types, are not shown.
NOT_CONSTRUCTED = {"AsyncSession", "FakeTty", "Faults", "Session"}


def hide_private_types(
    _: Sphinx, what: str, name: str, *rest: object
) -> tuple[str, str | None] | None:
    """Show no signature of a class that users do not construct."""
    del rest
    hides = what == "class" and name.rpartition(".")[2] in NOT_CONSTRUCTED
    return ("", None) if hides else None


def keep_sentence(*call: list[str]) -> None:
    """Let napoleon take no words before a colon for the type of what is returned."""
    lines = call[-1]
    for number, line in enumerate(lines[:-1]):
        if line.strip() == "Returns:":
            lines[number + 1] = lines[number + 1].replace(": ", "; ", 1)


def find_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.Element
) -> nodes.Element | None:
    """Find a name of ours by its last words, as in ``Screen.text``, wherever it is said.

    Names of others, as Python's own, and private ones are shown and are no links. A public name
    that no page explains stays unknown, and ends the build.
    """
    if node.get("refdomain") != "py":
        return None
    target = str(node["reftarget"])
    words = target.split(".")
    known = env.domains.python_domain.objects
    for ending in (".".join(words[-2:]), words[-1]):
        for full, entry in known.items():
            if full.endswith(f".{ending}"):
                page = str(node.get("refdoc", ""))
                return make_refnode(app.builder, page, entry.docname, entry.node_id, shown, full)
    is_public = words[0] == "tmuxprim" and not any(word.startswith("_") for word in words)
    return None if is_public else shown


def fill_tables(_: Sphinx, __: str, source: list[str]) -> None:
    """Put the tables into the pages that ask for them."""
    source[0] = tables.fill(source[0])


def link_to_repository(_: Sphinx, page: str, source: list[str]) -> None:
    """Let a relative link to a file that is no page, as GitHub follows it, lead to GitHub."""

    def absolute(link: re.Match[str]) -> str:
        path = (HERE / page).parent.joinpath(link[1]).resolve()
        is_page = path.is_relative_to(HERE) and path.suffix in {".md", ".svg"}
        if is_page or not path.exists():
            return link[0]
        return f"]({REPOSITORY}/blob/main/{path.relative_to(HERE.parent)})"

    source[0] = re.sub(r"\]\((\.\./[^)#\s]+)\)", absolute, source[0])


def add_toctrees(_: Sphinx, page: str, source: list[str]) -> None:
    """Make the menu of the site from the list of all pages, which GitHub shows as it is."""
    if page == "index":
        for caption, links in re.findall(r"^- \*\*(.+)\*\*: (\[.+)$", source[0], re.MULTILINE):
            pages = "\n".join(re.findall(r"\(([\w./-]+)\.md\)", links))
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def setup(app: Sphinx) -> None:
    """Tell Sphinx of all this."""
    app.connect("builder-inited", tell_where_fields_are_explained)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-signature", hide_private_types)
    app.connect("autodoc-process-docstring", keep_sentence, priority=100)
    app.connect("missing-reference", find_name)
    app.connect("source-read", fill_tables)
    app.connect("source-read", link_to_repository)
    app.connect("source-read", add_toctrees)
