# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model bundle info`: contents of a World Bundle and its preview."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Console

from world_model_core.bundle.checking.bundle_report import ORDER
from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.bundle.loading import load
from world_model_core.bundle.validate import validate
from world_model_nodes.commands.bundle_tables import overview, sensors
from world_model_nodes.commands.color_blocks import color_blocks
from world_model_nodes.commands.progress import advancing

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.bundle.bundle import WorldBundle
    from world_model_core.bundle.checking.bundle_report import BundleReport


def print_bundle(folder: Path, *, as_json: bool) -> None:
    """
    Read a bundle and print its contents as tables or JSON.

    Parts with errors are omitted, and their findings are counted.

    Raises
    ------
    BundleError
        The folder has no bundle.

    """
    bundle = load(folder)
    with advancing() as progress:
        report = validate(folder, progress)
    document = _document(bundle, report)
    if as_json:
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + '\n')
        return
    # Names from files may look like markup.
    console = Console(soft_wrap=True, markup=False, highlight=False)
    _print_preview(bundle, console)
    for table in (overview(document), *sensors(document)):
        console.print(table)
    console.print(_outcome(document))


def _document(bundle: WorldBundle, report: BundleReport) -> dict[str, Any]:
    return {
        'bundle': report.folder,
        'version': bundle.manifest.version,
        'metadata': _metadata(bundle),
        'counts': {severity.value: report.count(severity) for severity in ORDER},
        **report.statistics,
    }


def _metadata(bundle: WorldBundle) -> dict[str, Any] | None:
    try:
        metadata = bundle.metadata
    except BundleError:
        return None
    origin = metadata.coordinate_system.origin
    return {
        'created_at': metadata.created_at,
        'builder_version': metadata.builder_version,
        'source': None if metadata.source is None else asdict(metadata.source),
        'origin': None if origin is None else asdict(origin),
    }


def _print_preview(bundle: WorldBundle, console: Console) -> None:
    """Print the overview image, if there is one and the terminal has colors."""
    if console.color_system is None:
        return
    try:
        picture = bundle.overview
    except BundleError:
        return
    blocks = None if picture is None else color_blocks(picture, console.width)
    if blocks is not None:
        console.print(blocks)


def _outcome(document: dict[str, Any]) -> str:
    """Return the numbers of findings, and the command that lists them."""
    counts = document['counts']
    if not any(counts.values()):
        return 'no findings'
    listed = ', '.join(f'{count} of severity {name}' for name, count in counts.items() if count)
    return f'findings: {listed}; see world_model bundle validate'
