"""Unfolding of format=flowed text (RFC 3676). Lines in, lines out; nothing is cut here."""

from __future__ import annotations

from collections.abc import Iterable


def unflow(lines: Iterable[str], delete_space: bool) -> list[str]:
    """Join the lines that the sender's mail program wrapped.

    A line ending in a space goes on in the next line of the same quote depth (section 4.1, 4.5); `delete_space` is
    the DelSp parameter: that space was added by the wrapping and goes. A space-stuffed line loses its first space
    (section 4.4). The signature delimiter `-- ` is never joined (section 4.3). Quoted lines come back as `> text`.
    """
    joined: list[str] = []
    open_depth: int | None = None  # quote depth of the paragraph that the last line left open
    pieces: list[str] = []

    def finish(depth: int) -> None:
        text = "".join(pieces)
        joined.append(f"{'>' * depth} {text}" if depth else text)
        pieces.clear()

    for line in lines:
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if open_depth is not None and (depth != open_depth or signature):
            finish(open_depth)
            open_depth = None
        if content.endswith(" ") and not signature:
            pieces.append(content[:-1] if delete_space else content)
            open_depth = depth
        else:
            pieces.append(content)
            finish(depth)
            open_depth = None
    if open_depth is not None:
        finish(open_depth)
    return joined
