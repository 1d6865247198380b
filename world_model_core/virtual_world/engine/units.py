# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Contact parameters of ODE in the terms of MuJoCo.

In a step h ODE gives a contact of depth r the velocity v+ = ERP r / h - CFM f, at least the bounce
times the velocity v that it had (its manual, 3.8 and 7.3.7). MuJoCo gives it the acceleration
-b v + k r - R f, where R is (1 - d) / d of the inverse mass (its documentation, Computation:
Constraint model); after a step v+ = (1 - h b) v + h k r - h R f. Both agree for k = ERP / h^2,
R = CFM / h for 1 kg and h b = 1 + bounce. MuJoCo adds what ODE takes the larger of: as a body is
on average half a step deep when it is found to touch, ERP / 2 is taken off the bounce, so that it
is right on average, within ERP / 2. MuJoCo scales R by the mass: all masses sink equally far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import ContactParameters

__all__ = ['ContactSettings', 'contact_settings']

# MuJoCo refuses impedances beyond these (mjMINIMP, mjMAXIMP).
LEAST_IMPEDANCE, LARGEST_IMPEDANCE = 1e-4, 0.9999
# Without ERP bodies sink in; 1 would throw them out within a step.
LEAST_ERP, LARGEST_ERP = 0.001, 0.8
# A bounce of 1 would never end, and gain energy by rounding.
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
        Stiffness [1/s^2] and damping [1/s], both negative, which is how MuJoCo tells them from a
        time constant and a damping ratio.
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
    # R = (1 - d) / d = CFM / h for 1 kg.
    wanted = 1.0 / (1.0 + max(contact.cfm, 0.0) / step)
    impedance = min(max(wanted, LEAST_IMPEDANCE), LARGEST_IMPEDANCE)
    stiffness = erp / step**2
    damping = (1.0 + bounce - 0.5 * erp) / step
    return ContactSettings(
        # MuJoCo divides them by d^2 and d. The second d makes good that forces are only d of what
        # would reach v+, so that CFM does not weaken the bounce.
        (-stiffness * impedance**2, -damping),
        (impedance, impedance, 0.001, 0.5, 2.0),
        (friction, 0.0, 0.0),
    )


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
