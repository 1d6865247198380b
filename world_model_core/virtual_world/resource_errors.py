# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reasons why a resource of a simulation service, a world or a model, is not used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.findings import FindingsError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.findings import Finding, Findings

__all__ = [
    'MissingAssetsError',
    'NoResourceError',
    'ResourceError',
    'ResourceParseError',
    'UnknownResourceError',
    'UnsupportedAssetsError',
    'UnsupportedElementsError',
    'UnsupportedFormatError',
    'check_findings',
    'resource_error',
]


class ResourceError(WorldModelError):
    """A world or a model cannot be used."""


class NoResourceError(ResourceError):
    """A request names neither a file nor contains a text."""


class UnknownResourceError(ResourceError):
    """No file with this name lies in the folders of worlds and assets."""


class UnsupportedFormatError(ResourceError):
    """The format of a file is not supported, for example SDF or USD."""


class ResourceParseError(ResourceError):
    """A file or text has errors."""


class MissingAssetsError(ResourceError):
    """A file that a world or a model names does not exist in its folders."""


class UnsupportedAssetsError(ResourceError):
    """A file that a world or a model names has a format that is not supported."""


class UnsupportedElementsError(ResourceError):
    """A world has elements that are not supported."""


# Codes of findings that have an error of their own, the gravest first.
_CODES: tuple[tuple[type[ResourceError], frozenset[str]], ...] = (
    (
        UnsupportedFormatError,
        frozenset({'Model.FormatUnsupported', 'Model.FormatUnknown', 'Model.TextUnsupported'}),
    ),
    (
        MissingAssetsError,
        frozenset(
            {
                'Urdf.VisualMissing',
                'WorldFile.FileMissing',
                'WorldFile.FileUnusable',
                'WorldFile.PackageUnknown',
                'WorldFile.PathOutside',
            }
        ),
    ),
    (
        UnsupportedAssetsError,
        frozenset(
            {
                'Model.MeshUnreadable',
                'Model.MeshUnsupported',
                'Urdf.VisualUnsupported',
                'WorldFile.PictureTooLarge',
                'WorldFile.PictureUnreadable',
            }
        ),
    ),
    (
        UnsupportedElementsError,
        frozenset({'Mjcf.ElementRefused', 'Mjcf.SectionNotUsed', 'Urdf.ElementNotUsed'}),
    ),
)


def resource_error(error: FindingsError) -> ResourceError:
    """Return the reason why a file cannot be used, from its findings."""
    kind = _gravest(error.findings)
    return (kind or ResourceParseError)(str(error))


def check_findings(findings: Findings, *, is_strict: bool, ignores_assets: bool) -> None:
    """
    Check what was left out of a file that can be used.

    Parameters
    ----------
    findings : Findings
        Without errors.
    is_strict : bool
        Whether elements that are not supported are an error.
    ignores_assets : bool
        Whether files that are missing or not supported are none.

    Raises
    ------
    MissingAssetsError, UnsupportedAssetsError, UnsupportedElementsError

    """
    accepted: set[type[ResourceError] | None] = {None}
    if not is_strict:
        accepted.add(UnsupportedElementsError)
    if ignores_assets:
        accepted |= {MissingAssetsError, UnsupportedAssetsError}
    serious = tuple(each for each in findings.all if _kind(each) not in accepted)
    kind = _gravest(serious)
    if kind is not None:
        raise kind(str(FindingsError(serious)))


def _gravest(findings: Iterable[Finding]) -> type[ResourceError] | None:
    found = {_kind(each) for each in findings}
    return next((kind for kind, _ in _CODES if kind in found), None)


def _kind(finding: Finding) -> type[ResourceError] | None:
    return next((kind for kind, codes in _CODES if finding.rule.code in codes), None)
