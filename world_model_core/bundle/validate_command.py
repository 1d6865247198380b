# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Arguments, output and exit code of the commands that validate a bundle.

These are `world_model bundle validate` and `python -m world_model_core.bundle.validate`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle.checking.bundle_report import report_document, report_lines
from world_model_core.bundle.finding_catalog import catalog
from world_model_core.findings import LANGUAGES

if TYPE_CHECKING:
    from world_model_core.bundle.checking.bundle_report import BundleReport

DESCRIPTION = (
    'Check every file of a World Bundle, and the consistency between files. All findings are '
    'reported at once, with stable codes (docs/reference/bundle-codes.md). The exit code is 0 '
    'without errors, 1 with errors, 2 for wrong use.'
)
VALID, INVALID = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument('folder', type=Path, metavar='DIR', help='folder of the bundle')
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.add_argument('--strict', action='store_true', help='treat warnings as errors')
    parser.add_argument(
        '--ignore',
        type=_code,
        action='append',
        default=[],
        metavar='CODE',
        help='remove findings with this code; may be repeated',
    )
    parser.add_argument(
        '--lang', choices=LANGUAGES, default='en', help='language of the findings (default: en)'
    )


def report_text(report: BundleReport, asked: argparse.Namespace) -> str:
    """Convert a report to the requested format."""
    if asked.json:
        document = report_document(report, asked.lang, strict=asked.strict)
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    lines = report_lines(report, asked.lang, strict=asked.strict)
    return '\n'.join(text for _, text in lines)


def write_text(text: str) -> None:
    """Write to standard output; escape characters that it cannot encode."""
    encoding = sys.stdout.encoding or 'utf-8'
    sys.stdout.write(text.encode(encoding, 'backslashreplace').decode(encoding) + '\n')


def exit_code(report: BundleReport, asked: argparse.Namespace) -> int:
    """Return the exit code."""
    return VALID if report.passes(strict=asked.strict) else INVALID


def _code(word: str) -> str:
    if word not in catalog():
        raise argparse.ArgumentTypeError(
            f'{word!r} is not a code; docs/reference/bundle-codes.md lists them'
        )
    return word
