"""What a page shows to be written or changed, done in a copy of the project."""

import re
from pathlib import Path

import nbformat


def blocks(text: str, language: str) -> list[str]:
    """Blocks of code of a language in a page."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def changed(text: str, patch: str) -> str:
    """A file's text after a block of the kind `diff`, which has to fit in one place."""
    lines = patch.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
    starts = [match.start() for match in re.finditer(f"(?m)^{re.escape(old)}", text)]
    assert len(starts) == 1, f"does not fit in one place:\n{patch}"
    return text[: starts[0]] + new + text[starts[0] + len(old) :]


def with_cells(path: Path, text: str) -> str:
    """A notebook with the cells of a text, each after a line with two percent signs, at its end."""
    if path.exists():
        book = nbformat.read(path, as_version=4)
    else:
        book = nbformat.v4.new_notebook()
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        book.metadata["kernelspec"] = kernel
    for head, body in re.findall(r"^# %%(.*)\n((?:(?!# %%).*\n)*)", text, re.MULTILINE):
        if "[markdown]" in head:
            cell = nbformat.v4.new_markdown_cell(re.sub("^# ?", "", body, flags=re.M).strip())
        else:
            cell = nbformat.v4.new_code_cell(body.strip())
        cell.metadata["tags"] = re.findall(r'"(\w+)"', head)
        book.cells.append(cell)
    return nbformat.writes(book)


def follow(root: Path, text: str) -> list[Path]:
    """Write the files that a page shows and change those that it changes; the paths of them."""
    written = []
    for code in re.findall(r"```(?:python|yaml|latex|toml|bibtex)\n(.*?)```", text, re.S):
        if match := re.match(r"[#%] (\S+/\S+\.\w+)\n", code):
            path, content = root / match[1], code.partition("\n")[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".ipynb":
                content = with_cells(path, content)
            path.write_text(content, encoding="utf-8")
            written.append(path)
    for patch in blocks(text, "diff"):
        head, _, patch = patch.partition("\n")
        path = root / head.removeprefix("--- ")
        path.write_text(changed(path.read_text(encoding="utf-8"), patch), encoding="utf-8")
        written.append(path)
    return list(dict.fromkeys(written))
