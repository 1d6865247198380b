# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Integrals of densities over what is not known, in logarithms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import logsumexp

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# A normal law this many deviations off its mean is as good as zero.
REACH = 8.0
# So much of a normal law is integrated over: all but 2e-9 of it.
SPAN = 6.0
# Enough where noise is a hundredth of what is integrated over.
MOST_STEPS = 1000
# Nodes of a panel: a normal law's bulk, 16 deviations, to some 1e-6 of its height.
NODES = 20
_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(NODES)


class Nodes(NamedTuple):
    """Places at which to take an integrand, shape (..., q), and logarithms of their weights."""

    places: Array
    log_weights: Array


def panels(edges: Array) -> Nodes:
    """
    Place the nodes of Gauss-Legendre rules between edges.

    Parameters
    ----------
    edges : array, shape (..., p + 1)
        Not descending.

    Returns
    -------
    Nodes
        `NODES` for each panel, but for those that have no width anywhere.

    """
    low, high = edges[..., :-1], edges[..., 1:]
    wide = np.flatnonzero((high > low).reshape(-1, low.shape[-1]).any(axis=0))
    wide = wide if len(wide) else np.arange(1)
    low, high = low[..., wide, None], high[..., wide, None]
    half, middle = 0.5 * (high - low), 0.5 * (high + low)
    shape = (*edges.shape[:-1], NODES * len(wide))
    with np.errstate(divide='ignore'):
        log_weights = np.log(np.maximum(half, 0.0) * _WEIGHTS)
    return Nodes((middle + half * _PLACES).reshape(shape), log_weights.reshape(shape))


def normal_nodes(deviation: float, resolution: float) -> Nodes:
    """
    Place nodes for integrals under N(0, deviation^2), with its density in their weights.

    The rule of equal steps is as good as exact for integrands that are normal themselves, no
    narrower than a step (Trefethen and Weideman, The exponentially convergent trapezoidal rule,
    2014).

    Parameters
    ----------
    deviation : float
        Zero or above; at zero there is one node.
    resolution : float
        The step, at most; but there are no more than `MOST_STEPS` to either side.

    """
    if deviation == 0.0:
        return Nodes(np.zeros(1), np.zeros(1))
    wanted = SPAN * deviation / max(resolution, np.finfo(np.float64).tiny)
    steps = math.ceil(min(max(wanted, 1.5 * SPAN), MOST_STEPS))
    places = np.linspace(-SPAN, SPAN, 2 * steps + 1)
    log_weights = -0.5 * places**2
    return Nodes(deviation * places, log_weights - logsumexp(log_weights))


def log_normal(difference: Array, deviation: Array | float) -> Array:
    """Give the logarithm of a normal density at a difference from its mean."""
    scaled = difference / deviation
    logarithm: Array = -0.5 * scaled * scaled - np.log(deviation) - 0.5 * math.log(2.0 * math.pi)
    return logarithm


def log_sum(terms: Array, axis: int = -1) -> Array:
    """Add up numbers given as logarithms; of none but zeros, minus infinity."""
    greatest = np.max(terms, axis=axis, keepdims=True)
    greatest = np.where(np.isfinite(greatest), greatest, 0.0)
    with np.errstate(divide='ignore'):
        added = np.log(np.sum(np.exp(terms - greatest), axis=axis))
    summed: Array = added + np.squeeze(greatest, axis=axis)
    return summed


def log_probability(probability: Array | float) -> Array:
    """Take the logarithm of a probability: minus infinity of none."""
    with np.errstate(divide='ignore'):
        logarithm: Array = np.log(probability)
    return logarithm
