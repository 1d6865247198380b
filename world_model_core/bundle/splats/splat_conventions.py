# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Conventions of splats: order of quaternions, and encoding of scales and opacities.

The contract defines only the order of quaternions, and many programs use another one. The
declaration of the file is used; otherwise the convention is detected from the numbers, with a
finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from world_model_core.bundle.splats.quaternion_order import (
    QuaternionOrder,
    QuaternionOrderEvidence,
    detect_quaternion_order,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.findings import Findings

__all__ = [
    'ConventionEvidence',
    'ConventionSource',
    'OpacityEncoding',
    'ResolvedConventions',
    'ScaleEncoding',
    'SplatConventions',
    'declaration',
    'read_declaration',
    'resolve_conventions',
]

FloatArray = NDArray[np.float32]

# Spherical harmonic of degree 0, 1 / (2 sqrt(pi)): factor from its coefficient to a color.
SH_BAND_0: Final = 0.28209479177387814
# Tag of the line that declares conventions.
DECLARATION: Final = 'splats'
# Scales are logarithms if more than this part is negative, or if some are negative and one is
# extreme: large positive scales alone may belong to the sky.
NEGATIVE_PART: Final = 0.1
EXTREME_SCALE: Final = 10.0
# Opacities are logits if less than the first part is in 0 to 1, and linear above the second.
LOGIT_PART: Final = 0.9
LINEAR_PART: Final = 0.95


class ScaleEncoding(Enum):
    """Standard deviations along the axes of a splat: [m], or their natural logarithms."""

    LOG = 'log'
    LINEAR = 'linear'


class OpacityEncoding(Enum):
    """Opacities: in 0 to 1, or as their logits ln(a / (1 - a))."""

    LOGIT = 'logit'
    LINEAR = 'linear'


class ConventionSource(Enum):
    """Source of a convention."""

    GIVEN = 'told'  # by the caller
    DECLARED = 'declared'  # by the file or its format
    CONTRACT = 'contract'  # by the contract, consistent with the numbers
    GUESSED = 'guessed'  # from the numbers


@dataclass(frozen=True, slots=True)
class SplatConventions:
    """
    Conventions of a splat file that are stated by the user; None where unknown.

    Attributes
    ----------
    quaternions, scales, opacities
        The order of quaternions, and the encoding of scales and opacities.

    """

    quaternions: QuaternionOrder | None = None
    scales: ScaleEncoding | None = None
    opacities: OpacityEncoding | None = None

    def over(self, other: SplatConventions) -> SplatConventions:
        """Return these conventions, with unknown ones replaced by those of `other`."""
        return SplatConventions(
            self.quaternions or other.quaternions,
            self.scales or other.scales,
            self.opacities or other.opacities,
        )


@dataclass(frozen=True, slots=True)
class ResolvedConventions:
    """
    Conventions of a file, and their sources.

    `quaternions` is the order in the file; in memory it is always x, y, z, w.
    """

    quaternions: QuaternionOrder
    scales: ScaleEncoding
    opacities: OpacityEncoding
    quaternions_known: ConventionSource = ConventionSource.GIVEN
    scales_known: ConventionSource = ConventionSource.GIVEN
    opacities_known: ConventionSource = ConventionSource.GIVEN


def declaration(scales: ScaleEncoding, opacities: OpacityEncoding) -> str:
    """Return the line that declares conventions."""
    return (
        f'{DECLARATION} quaternions={QuaternionOrder.XYZW.value} scales={scales.value} '
        f'opacities={opacities.value}'
    )


def read_declaration(comments: Iterable[str]) -> SplatConventions:
    """Return the conventions declared in the comments of a file."""
    declared: dict[str, Any] = {}
    kinds = {'quaternions': QuaternionOrder, 'scales': ScaleEncoding, 'opacities': OpacityEncoding}
    for comment in comments:
        if comment.startswith(f'{DECLARATION} '):
            for name, value in re.findall(r'(\w+)=(\w+)', comment):
                if name in kinds and value in {each.value for each in kinds[name]}:
                    declared[name] = kinds[name](value)
    return SplatConventions(**declared)


@dataclass(slots=True)
class ConventionEvidence:
    """
    Statistics of a file for the detection of its conventions.

    Attributes
    ----------
    count : int
        Number of gaussians.
    negative : int
        Number of negative scales, of three for each gaussian.
    extreme : float
        Largest magnitude of a scale.
    beyond : int
        Number of opacities outside of 0 to 1.
    quaternions : QuaternionOrderEvidence
        Statistics of the rotations.

    """

    count: int = 0
    negative: int = 0
    extreme: float = 0.0
    beyond: int = 0
    quaternions: QuaternionOrderEvidence = field(default_factory=QuaternionOrderEvidence)

    @property
    def negative_part(self) -> float:
        """Fraction of negative scales."""
        return self.negative / max(1, 3 * self.count)

    @property
    def unit_part(self) -> float:
        """Fraction of opacities in 0 to 1."""
        return 1.0 - self.beyond / max(1, self.count)


def resolve_conventions(
    evidence: ConventionEvidence,
    given: SplatConventions,
    declared: SplatConventions,
    findings: Findings,
    file: str,
) -> ResolvedConventions:
    """
    Choose the conventions of a file: given, else declared, else guessed with a finding.

    Parameters
    ----------
    evidence : ConventionEvidence
        Statistics of all rows.
    given, declared : SplatConventions
        Conventions from the caller; conventions from the file.

    """
    values: dict[str, Any] = {}
    guesses = {'quaternions': _guess_order, 'scales': _guess_scales, 'opacities': _guess_opacities}
    for name in (each.name for each in fields(SplatConventions)):
        for known, source in (
            (ConventionSource.GIVEN, given),
            (ConventionSource.DECLARED, declared),
        ):
            if getattr(source, name) is not None:
                values[name], values[f'{name}_known'] = getattr(source, name), known
                break
        else:
            values[name], values[f'{name}_known'] = guesses[name](evidence, findings, file)
    chosen = ResolvedConventions(**values)
    if (
        chosen.quaternions is QuaternionOrder.WXYZ
        and chosen.quaternions_known is ConventionSource.DECLARED
    ):
        findings.add('Splats.OtherQuaternionOrder', file, found=chosen.quaternions.value)
    return chosen


def _guess_order(
    evidence: ConventionEvidence, findings: Findings, file: str
) -> tuple[QuaternionOrder, ConventionSource]:
    order = detect_quaternion_order(evidence.quaternions, findings, file)
    is_contract = order is QuaternionOrder.XYZW
    return order, ConventionSource.CONTRACT if is_contract else ConventionSource.GUESSED


def _guess_scales(
    evidence: ConventionEvidence, findings: Findings, file: str
) -> tuple[ScaleEncoding, ConventionSource]:
    extreme = evidence.extreme > EXTREME_SCALE
    log = evidence.negative_part > (0.0 if extreme else NEGATIVE_PART)
    encoding = ScaleEncoding.LOG if log else ScaleEncoding.LINEAR
    found = f'{100 * evidence.negative_part:.3g} %'
    findings.add('Splats.ScalesGuessed', file, guess=encoding.value, found=found)
    return encoding, ConventionSource.GUESSED


def _guess_opacities(
    evidence: ConventionEvidence, findings: Findings, file: str
) -> tuple[OpacityEncoding, ConventionSource]:
    linear = evidence.unit_part > LINEAR_PART
    encoding = OpacityEncoding.LINEAR if linear else OpacityEncoding.LOGIT
    unclear = LOGIT_PART <= evidence.unit_part <= LINEAR_PART
    code = 'Splats.OpacitiesUnclear' if unclear else 'Splats.OpacitiesGuessed'
    found = f'{100 * evidence.unit_part:.3g} %'
    findings.add(code, file, guess=encoding.value, found=found)
    return encoding, ConventionSource.GUESSED
