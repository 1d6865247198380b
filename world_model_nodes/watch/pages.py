# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Splits what is shown in a terminal into pages that fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.segment import Segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult


@dataclass(frozen=True, slots=True)
class Page:
    """Rendered lines of a page."""

    lines: tuple[tuple[Segment, ...], ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        for number, line in enumerate(self.lines):
            if number:
                yield Segment.line()
            yield from line


def paginate(parts: Sequence[RenderableType], console: Console, height: int) -> tuple[Page, ...]:
    """
    Fill pages with parts, in their order.

    Parameters
    ----------
    parts : sequence of RenderableType
        A part that fits on one page is not split.
    console : Console
        Its width is that of the pages.
    height : int
        Largest number of lines of a page, at least 1.

    Returns
    -------
    tuple of Page
        At least one.

    """
    pages: list[list[tuple[Segment, ...]]] = [[]]
    for part in parts:
        lines = [tuple(line) for line in console.render_lines(part, pad=False)]
        if len(pages[-1]) + len(lines) > height and pages[-1]:
            pages.append([])
        pages[-1] += lines[:height]
        pages += [lines[first : first + height] for first in range(height, len(lines), height)]
    return tuple(Page(tuple(lines)) for lines in pages)
