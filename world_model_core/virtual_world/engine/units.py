# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Contact parameters of ODE in the terms of MuJoCo.

ODE's ERP and CFM of a step h stand for a spring and a damper (ODE's manual, 3.8.2):
k = ERP / (h CFM), c = (1 - ERP) / CFM. MuJoCo accelerates a constraint by -k' r - b' v, against a
regularization R of A (1 - d) / d, where A is the inverse of the mass (its documentation,
Computation: Constraint model). Both are the same for 1 kg if R = CFM / h, k' = ERP / h^2 and
b' = (1 - ERP) / h. MuJoCo scales R by the mass, so that things of all masses sink equally far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import ContactParameters

__all__ = ['ContactSettings', 'contact_settings']

# MuJoCo refuses impedances beyond these (mjMINIMP, mjMAXIMP).
LEAST_IMPEDANCE, LARGEST_IMPEDANCE = 1e-4, 0.9999
# Beyond these a contact is a spring without damper or has no spring at all.
LEAST_ERP, LARGEST_ERP = 0.01, 0.9
# Bounces of 1 would need a contact without damping, which gains energy by rounding.
LARGEST_BOUNCE = 0.95
# For friction without limit: a slope of 84 degrees.
LARGEST_FRICTION = 10.0


@dataclass(frozen=True, slots=True)
class ContactSettings:
    """
    Contact parameters of MuJoCo's geoms.

    Attributes
    ----------
    solref : tuple of float
        Time constant [s] and damping ratio [1].
    solimp : tuple of float
        Impedance at no depth and at full depth [1], width [m], midpoint, power.
    friction : tuple of float
        Sliding [1], torsional [m], rolling [m].

    """

    solref: tuple[float, float]
    solimp: tuple[float, float, float, float, float]
    friction: tuple[float, float, float]


def contact_settings(
    contact: ContactParameters, step: float, findings: Findings
) -> ContactSettings:
    """
    Convert contact parameters.

    Parameters
    ----------
    contact : ContactParameters
    step : float
        Duration of a physics step [s].
    findings : Findings
        Gets what has no counterpart in MuJoCo.

    """
    _find_losses(contact, findings)
    erp = _clip('erp', contact.erp, LEAST_ERP, LARGEST_ERP, findings)
    bounce = _clip('bounce', contact.bounce, 0.0, LARGEST_BOUNCE, findings)
    friction = _clip('mu', contact.mu, 0.0, LARGEST_FRICTION, findings)
    # R / A = (1 - d) / d = CFM / h for 1 kg.
    wanted = 1.0 / (1.0 + max(contact.cfm, 0.0) / step)
    impedance = min(max(wanted, LEAST_IMPEDANCE), LARGEST_IMPEDANCE)
    damping_ratio = _damping_ratio(erp, bounce)
    # k' = 1 / (d timeconst dampratio)^2 = ERP / h^2.
    time_constant = step / (math.sqrt(erp) * impedance * damping_ratio)
    return ContactSettings(
        (time_constant, damping_ratio),
        (impedance, impedance, 0.001, 0.5, 2.0),
        (friction, 0.0, 0.0),
    )


def _damping_ratio(erp: float, bounce: float) -> float:
    """Return the damping ratio of a contact; a bounce replaces the damper of ERP."""
    if bounce <= 0.0:
        return (1.0 - erp) / (2.0 * math.sqrt(erp))
    # A linear oscillator leaves after half a period with exp(-pi z / sqrt(1 - z^2)) of its speed.
    decay = -math.log(bounce)
    return decay / math.hypot(math.pi, decay)


def _clip(name: str, value: float, least: float, largest: float, findings: Findings) -> float:
    clipped = min(max(value, least), largest)
    if clipped != value:
        findings.add('Physics.ContactValue', '', name, found=value, used=clipped)
    return clipped


def _find_losses(contact: ContactParameters, findings: Findings) -> None:
    """Add findings on values that MuJoCo's contacts do not have."""
    if contact.mu2 != contact.mu:
        findings.add('Physics.NoCounterpart', '', 'mu2', found=contact.mu2)
    for name in ('slip1', 'slip2', 'bounce_velocity'):
        if (value := getattr(contact, name)) != 0.0:
            findings.add('Physics.NoCounterpart', '', name, found=value)
