# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model bundle validate`: findings about a World Bundle, colored at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from world_model_core.bundle.checking.bundle_report import report_lines
from world_model_core.bundle.validate import validate
from world_model_core.bundle.validate_command import exit_code, report_text, write_text
from world_model_core.findings import Severity
from world_model_nodes.commands.progress import advancing

if TYPE_CHECKING:
    import argparse

    from world_model_core.bundle.checking.bundle_report import BundleReport

STYLES = {Severity.ERROR: 'bold red', Severity.WARNING: 'yellow', Severity.INFO: 'cyan'}


def validate_bundle(asked: argparse.Namespace) -> int:
    """Validate a bundle, print the findings, and return the exit code."""
    with advancing() as progress:
        report = validate(asked.folder, progress).without(asked.ignore)
    if asked.json:
        write_text(report_text(report, asked))
    else:
        _print(report, asked)
    return exit_code(report, asked)


def _print(report: BundleReport, asked: argparse.Namespace) -> None:
    console = Console(soft_wrap=True, markup=False, highlight=False)
    for severity, text in report_lines(report, asked.lang, strict=asked.strict):
        console.print(Text(text, STYLES.get(severity, '') if severity else ''))
