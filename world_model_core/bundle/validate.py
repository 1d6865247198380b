# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Validation of a World Bundle: each file, and the consistency between files.

Run it with `python -m world_model_core.bundle.validate DIR`.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from world_model_core.bundle.checking.bundle_report import BundleReport, by_severity
from world_model_core.bundle.checking.bundle_statistics import bundle_statistics
from world_model_core.bundle.checking.check_list import CHECKS
from world_model_core.bundle.checking.check_runner import run_checks
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.validate_command import (
    DESCRIPTION,
    add_arguments,
    exit_code,
    report_text,
    write_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.bundle.checking.check_runner import Progress

__all__ = ['validate']


def validate(folder: Path, progress: Progress = lambda *_: None) -> BundleReport:
    """
    Run all checks on a bundle.

    Parameters
    ----------
    folder : Path
        Any defect of its content becomes a finding, not an exception.
    progress : callable
        Called with the finished fraction, from 0 to 1, and the name of the check that runs.

    Returns
    -------
    BundleReport

    """
    findings = bundle_findings()
    outcome = run_checks(CHECKS, {'folder': folder}, findings, progress)
    return BundleReport(
        folder=str(folder),
        findings=by_severity(findings.all),
        checks=outcome.states,
        statistics=bundle_statistics(outcome.parts),
        ignored={},
    )


def main(words: Sequence[str] | None = None) -> int:
    """Validate the bundle on the command line, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog='python -m world_model_core.bundle.validate', description=DESCRIPTION
    )
    add_arguments(parser)
    asked = parser.parse_args(words)
    report = validate(asked.folder).without(asked.ignore)
    write_text(report_text(report, asked))
    return exit_code(report, asked)


if __name__ == '__main__':
    sys.exit(main())
