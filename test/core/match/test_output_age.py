# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The age of what is published."""

import pytest
from match_packets import MS, START

from world_model_core.match.output_age import OutputAges
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND


def test_the_summary_has_median_percentile_and_maximum():
    """Of 100 ages from 1 to 100 ms, they must be 50, 99 or 100, and 100 ms."""
    ages = OutputAges()
    for age in range(1, 101):
        ages.add(START - age * MS, START)
    assert ages.summary(START) == pytest.approx((0.050, 0.100, 0.100))


def test_one_late_state_in_a_thousand_is_not_in_the_percentile():
    """The maximum must show it alone."""
    ages = OutputAges()
    for index in range(1000):
        ages.add(START - (500 if index == 7 else 2) * MS, START)
    assert ages.summary(START) == pytest.approx((0.002, 0.002, 0.500))


def test_only_the_last_second_counts():
    """Older ages must be forgotten; without any there is no summary."""
    ages = OutputAges()
    ages.add(START - SECOND, START)
    ages.add(START + SECOND - MS, START + SECOND)
    assert ages.summary(START + 3 * SECOND // 2) == pytest.approx((0.001, 0.001, 0.001))
    assert ages.summary(START + 3 * SECOND) is None


def test_ages_from_before_a_jump_back_are_forgotten():
    """When time starts over, the summary must contain new ages only."""
    ages = OutputAges()
    ages.add(START - SECOND, START)
    ages.add(MS, 2 * MS)
    assert ages.summary(3 * MS) == pytest.approx((0.001, 0.001, 0.001))
