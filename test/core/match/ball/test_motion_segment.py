# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Closed forms of the ball's motion, and their constants."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.motion_segment import (
    BallMotion,
    BallMotionState,
    landing_time,
    response,
)
from world_model_core.match.ball.trajectory_segments import segments_from
from world_model_core.match.ssl.geometry_values import ChipModel, StraightModel

SEED = BallParameters(rolling_model=RollingModel.CONSTANT)


def test_rolling_has_constant_deceleration_as_in_the_seed():
    """A rolling ball follows x = x0 + v0 t - a t^2 / 2 and v = v0 - a t, as in the seed."""
    rolling, rest = segments_from(BallMotionState((1.0, 2.0, 0.0), (1.4, 0.0, 0.0)), SEED)
    position, velocity = rolling.state_after(0.5)
    assert position == pytest.approx((1.0 + 1.4 * 0.5 - 0.5 * 0.7 * 0.25, 2.0, 0.0))
    assert velocity == pytest.approx((1.4 - 0.7 * 0.5, 0.0, 0.0))
    assert rest.start == pytest.approx(1.4 / 0.7)
    assert rest.position == pytest.approx((1.0 + 1.4**2 / (2 * 0.7), 2.0, 0.0))


def test_a_chip_is_a_parabola_as_in_the_seed():
    """A flying ball follows z = z0 + v t + g t^2 / 2 with g = -9.81, x and y at constant speed."""
    segment = segments_from(BallMotionState((0.0, 0.0, 0.1), (2.0, -1.0, 3.0)), SEED)[0]
    position, velocity = segment.state_after(0.2)
    assert segment.motion is BallMotion.FLYING
    assert position == pytest.approx((0.4, -0.2, 0.1 + 3.0 * 0.2 - 0.5 * 9.81 * 0.04))
    assert velocity == pytest.approx((2.0, -1.0, 3.0 - 9.81 * 0.2))


def test_the_exponential_model_decays_until_the_stop_threshold():
    """Under dv/dt = -c v the speed is v0 exp(-c t), and the ball rests at the stop threshold."""
    parameters = BallParameters(rolling_model=RollingModel.EXPONENTIAL, air_resistance=0.5)
    rolling, rest = segments_from(BallMotionState((0.0, 0.0, 0.0), (0.0, 2.0, 0.0)), parameters)
    position, velocity = rolling.state_after(1.0)
    assert position[1] == pytest.approx(2.0 * (1.0 - math.exp(-0.5)) / 0.5)
    assert velocity[1] == pytest.approx(2.0 * math.exp(-0.5))
    assert rest.start == pytest.approx(math.log(2.0 / 0.05) / 0.5)
    assert rest.position[1] == pytest.approx((2.0 - 0.05) / 0.5)


def test_a_kicked_ball_slides_and_then_rolls():
    """Sliding lasts until the speed is the switch ratio times the kick speed, then it rolls."""
    parameters = BallParameters(slide_acceleration=-4.0, roll_acceleration=-0.5, switch_ratio=0.6)
    state = BallMotionState((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), kick_speed=5.0)
    sliding, rolling, rest = segments_from(state, parameters)
    assert [item.motion.value for item in (sliding, rolling, rest)] == [
        'sliding', 'rolling', 'stopped',
    ]  # fmt: skip
    assert sliding.end == pytest.approx((4.0 - 3.0) / 4.0)
    assert rolling.velocity == pytest.approx((3.0, 0.0, 0.0))
    assert rest.start == pytest.approx(0.25 + 3.0 / 0.5)


@pytest.mark.parametrize('kick_speed', [None, 8.0])
def test_a_ball_below_the_switch_or_of_unknown_kick_rolls(kick_speed):
    """A ball much slower than its kick, or with an unknown kick, is assumed to roll."""
    state = BallMotionState((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), kick_speed)
    motions = [item.motion for item in segments_from(state, BallParameters())]
    assert motions == [BallMotion.ROLLING, BallMotion.STOPPED]


def test_bounces_lose_their_fixed_parts():
    """The first bounce keeps 0.6 of the horizontal velocity, later ones 0.95, all 0.7 of vz."""
    first, second, third = segments_from(
        BallMotionState((0.0, 0.0, 0.0), (2.0, 0.0, 4.0)), BallParameters()
    )[:3]
    assert first.duration == pytest.approx(2 * 4.0 / 9.81)
    assert second.position == pytest.approx((2.0 * first.duration, 0.0, 0.0))
    assert second.velocity == pytest.approx((1.2, 0.0, 2.8))
    assert third.velocity == pytest.approx((1.2 * 0.95, 0.0, 2.8 * 0.7))


def test_a_bounced_ball_keeps_more_at_its_next_bounce():
    """For a ball that has bounced before, the next bounce does not count as the first."""
    state = BallMotionState((0.0, 0.0, 0.2), (2.0, 0.0, 0.0), bounces=1)
    assert segments_from(state, BallParameters())[1].velocity[0] == pytest.approx(2.0 * 0.95)


def test_bounces_end_when_they_would_be_too_low():
    """Every bounce but the last rises above the minimum height, and then the ball rolls."""
    parameters = BallParameters()
    state = BallMotionState((0.0, 0.0, 0.0), (2.0, 1.0, 3.0), kick_speed=1.0)
    *bounces, rolling, rest = segments_from(state, parameters)
    assert all(item.motion is BallMotion.FLYING for item in bounces)
    assert (
        min(item.velocity[2] ** 2 / (2 * 9.81) for item in bounces) >= parameters.smallest_bounce
    )
    assert (0.7 * bounces[-1].velocity[2]) ** 2 / (2 * 9.81) < parameters.smallest_bounce
    assert (rolling.motion, rest.motion) == (BallMotion.ROLLING, BallMotion.STOPPED)


@pytest.mark.parametrize('velocity', [(1.0, 0.0, 0.0), (1.0, 0.0, 0.2), (1.0, 0.0, -0.2)])
def test_noise_near_the_carpet_is_not_a_chip(velocity):
    """A ball a few millimeters up with a small vertical speed is on the carpet and rolls."""
    rolling = segments_from(BallMotionState((0.0, 0.0, 0.003), velocity), BallParameters())[0]
    assert rolling.motion is BallMotion.ROLLING
    assert rolling.position[2] == rolling.velocity[2] == 0.0


@pytest.mark.parametrize('speed', [math.inf, math.nan, 1e150])
def test_absurd_speeds_end(speed):
    """The list of bounces is finite at any speed."""
    state = BallMotionState((0.0, 0.0, 0.0), (0.0, 0.0, speed))
    assert segments_from(state, BallParameters())[-1].motion is BallMotion.STOPPED


@given(
    z=st.floats(0.0, 3.0),
    vz=st.floats(-12.0, 12.0),
    drag=st.sampled_from([0.0, 1e-3, 0.1, 1.0, 10.0]),
)
def test_a_ball_lands_at_height_zero(z, vz, drag):
    """At the landing time the height is 0 with any drag, and the ball does not rise."""
    dt = landing_time(z, vz, -9.81, drag)
    span, ramp, decay = response(dt, drag)
    assert dt >= 0.0
    assert z + vz * span - 9.81 * ramp == pytest.approx(0.0, abs=1e-9)
    assert vz * decay - 9.81 * span <= 1e-9


@given(
    speed=st.floats(0.1, 10.0),
    part=st.floats(0.0, 1.0),
    model=st.sampled_from(RollingModel),
)
def test_covering_a_distance_takes_the_time_that_covers_it(speed, part, model):
    """The time to cover a distance is the inverse of the distance covered in a time."""
    parameters = BallParameters(rolling_model=model, air_resistance=0.4)
    rolling = segments_from(BallMotionState((0.0, 0.0, 0.0), (speed, 0.0, 0.0)), parameters)[0]
    (distance, _, _), _ = rolling.state_after(part * rolling.duration)
    (covered, _, _), _ = rolling.state_after(rolling.time_to_cover(distance))
    assert covered == pytest.approx(distance, abs=1e-9)


def test_the_defaults_are_the_seeds():
    """The six parameters of the seed have the seed's values."""
    parameters = BallParameters()
    assert parameters.deceleration == 0.7
    assert parameters.gravity == -9.81
    assert parameters.air_resistance == 0.0
    assert parameters.height_threshold == 0.05
    assert parameters.speed_threshold == 0.1
    assert parameters.stop_threshold == 0.05


@pytest.mark.parametrize('name', [item.name for item in fields(BallParameters)])
@pytest.mark.parametrize('value', [math.nan, math.inf, -1e9, 1e9])
def test_a_value_outside_its_limits_is_rejected(name, value):
    """The error names the field, the value and the limit, whichever field it is."""
    message = rf'\b{name}(: {value} is not one of| is {value}; it must be) .+'
    with pytest.raises(ConfigurationError, match=message):
        BallParameters(**{name: value})


@pytest.mark.parametrize(
    ('values', 'message'),
    [
        ({'rolling_model': 'exponential'}, r'air_resistance: 0.0 1/s is below .* 0.001 1/s of'),
        ({'air_resistance': 1e-9}, r'air_resistance: 1e-09 1/s is below the minimum 0.001'),
        ({'stop_threshold': 0.2}, r'stop_threshold: 0.2 m/s is above speed_threshold, 0.1 m/s'),
        ({'rolling_model': 'quadratic'}, r"rolling_model: 'quadratic' is not one of two_phase"),
    ],
)
def test_contradictions_are_rejected(values, message):
    """Values that are each valid but contradict each other are rejected with the reason."""
    with pytest.raises(ConfigurationError, match=message):
        BallParameters(**values)


def test_constants_on_the_wire_take_precedence():
    """Constants on the wire replace configured ones; all others stay."""
    parameters = BallParameters(
        rolling_model='constant', gravity=-9.8, damping_z=0.5, roll_acceleration=-1
    )
    straight, chip = StraightModel(-3.0, -0.26, 0.64), ChipModel(0.8, 0.85, 0.47)
    merged = parameters.with_models(straight, chip)
    assert (merged.slide_acceleration, merged.roll_acceleration) == (-3.0, -0.26)
    assert (merged.switch_ratio, merged.damping_z) == (0.64, 0.47)
    assert (merged.damping_xy_first_hop, merged.damping_xy_other_hops) == (0.8, 0.85)
    assert (merged.rolling_model, merged.gravity) == (RollingModel.CONSTANT, -9.8)
    assert parameters.with_models(None, None) == parameters


def test_an_impossible_model_on_the_wire_is_rejected():
    """A model on the wire of a ball that would speed up is rejected by its field."""
    with pytest.raises(ConfigurationError, match=r'roll_acceleration is 0\.3;'):
        BallParameters().with_models(StraightModel(-3.0, 0.3, 0.64), None)
