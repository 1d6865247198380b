# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A step budget limits the steps between two turns of the executor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from world_model_nodes.runtime.step_budget import StepBudget


def test_an_unknown_step_is_taken_alone():
    """Before a measurement the budget is one step."""
    assert StepBudget().steps == 1
    assert not StepBudget().known


@given(st.integers(1, 1000), st.floats(1e-6, 100.0))
def test_steps_fit_in_their_time(count, seconds):
    """The budget has as many steps of the measured duration as the limit allows, at least one."""
    budget = StepBudget(0.05)
    budget.measure(count, seconds)
    assert budget.known
    assert budget.steps == 1 or budget.steps * seconds / count <= 0.05 * (1.0 + 1e-9)
    assert (budget.steps + 1) * seconds / count >= 0.05 * (1.0 - 1e-9)


def test_slow_steps_count_at_once_and_quick_ones_little_by_little():
    """A longer step reduces the budget at once; shorter steps raise it gradually."""
    budget = StepBudget(0.05)
    budget.measure(10, 0.01)
    budget.measure(10, 0.1)
    assert budget.steps == 5
    budget.measure(5, 0.005)
    assert 5 < budget.steps < 50
    for _ in range(100):
        budget.measure(10, 0.01)
    assert 45 < budget.steps <= 50
