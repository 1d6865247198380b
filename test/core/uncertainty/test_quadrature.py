# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of the quadrature rules."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.uncertainty.quadrature import (
    kinked_nodes,
    panels,
    wave_nodes,
    weights_up_to,
)


@pytest.mark.parametrize('pace', [0.0, 0.1, 2.0, 29.0, 31.0, 300.0])
def test_waves_have_the_mean_of_a_normal_distribution(pace):
    """E exp(i k x) must be exp(i k mu - k^2 s^2 / 2), for every k up to the limit."""
    nodes = wave_nodes(1.5, 0.1, pace)
    for k in np.linspace(0.0, pace, 7):
        found = np.exp(nodes.log_weights) @ np.exp(1j * k * nodes.places)
        assert found == pytest.approx(np.exp(1.5j * k - 0.5 * (0.1 * k) ** 2), abs=1e-13)


@given(mean=st.floats(-3.0, 3.0), deviation=st.floats(1e-3, 2.0))
def test_absolute_values_have_the_mean_of_a_normal_distribution(mean, deviation):
    """E |x| must be that of the folded normal distribution, wherever its kink is."""
    nodes = kinked_nodes(np.array([mean]), np.array([deviation]), 30.0)
    found = np.exp(nodes.log_weights[0]) @ np.abs(nodes.places[0])
    share = mean / deviation
    folded = deviation * math.sqrt(2.0 / math.pi) * math.exp(-0.5 * share**2)
    folded += mean * math.erf(share / math.sqrt(2.0))
    assert found == pytest.approx(folded, rel=1e-10)


def test_without_a_deviation_there_is_one_value():
    """Without a deviation all nodes must be at the mean."""
    assert wave_nodes(0.7, 0.0, 5.0).places.tolist() == [0.7]
    nodes = kinked_nodes(np.array([0.7, 0.0]), np.zeros(2), 5.0)
    assert (nodes.places == [[0.7], [0.0]]).all()
    assert np.exp(nodes.log_weights).sum(axis=1) == pytest.approx([1.0, 1.0])


def test_integrals_up_to_an_end_are_those_of_polynomials():
    """Over panels of any width, including 0, up to ends inside and outside."""
    edges = np.array([[-1.0, 0.5, 0.5, 2.0], [0.0, 0.0, 0.0, 3.0]])
    ends = np.array([[-5.0, -1.0, 0.1, 0.5, 1.7, 9.0], [-5.0, 0.0, 0.1, 0.5, 2.9, 9.0]])
    weights = weights_up_to(ends, edges)
    values = panels(edges).places ** 7
    inside = np.clip(ends, edges[:, :1], edges[:, -1:])
    expected = (inside**8 - edges[:, :1] ** 8) / 8.0
    assert (weights @ values[..., None])[..., 0] == pytest.approx(expected, abs=1e-11)
