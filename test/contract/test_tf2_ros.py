# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The behavior of tf2_ros that world_model expects, real or stand-in."""

import math
import threading

import pytest
from geometry_msgs.msg import TransformStamped
from hypothesis import given
from hypothesis import strategies as st
from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from rclpy.time import Time
from tf2_ros import (
    Buffer,
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    StaticTransformBroadcaster,
    TimeoutException,
    TransformBroadcaster,
    TransformException,
    TransformListener,
)
from tf2_ros.buffer import Buffer as BufferOfModule
from tf2_ros.transform_listener import TransformListener as ListenerOfModule

LATEST = Time()
ANGLES = st.floats(-math.pi, math.pi)
METRES = st.floats(-100.0, 100.0)


def at(seconds):
    """Return a time."""
    return Time(nanoseconds=round(seconds * 1e9))


def transform(parent, child, seconds=0.0, x=0.0, y=0.0, yaw=0.0):  # noqa: PLR0917
    """Return a transform in the plane."""
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.header.stamp = at(seconds).to_msg()
    message.transform.translation.x, message.transform.translation.y = x, y
    message.transform.rotation.z = math.sin(yaw / 2.0)
    message.transform.rotation.w = math.cos(yaw / 2.0)
    return message


def pose(message):
    """Return x, y, yaw of a transform."""
    q = message.transform.rotation
    yaw = 2.0 * math.atan2(q.z, q.w)
    yaw = math.atan2(math.sin(yaw), math.cos(yaw))
    return message.transform.translation.x, message.transform.translation.y, yaw


def stamp_of(message):
    """Return the stamp of a message [s]."""
    return Time.from_msg(message.header.stamp).nanoseconds / 1e9


def buffer_of(*transforms, static=()):
    """Return a buffer that holds transforms."""
    buffer = Buffer()
    for message in transforms:
        buffer.set_transform(message, 'test')
    for message in static:
        buffer.set_transform_static(message, 'test')
    return buffer


def test_modules_are_where_the_real_ones_are():
    """Names can be imported from the package and from its modules."""
    assert BufferOfModule is Buffer
    assert ListenerOfModule is TransformListener


@pytest.mark.parametrize(
    'error',
    [
        ConnectivityException,
        ExtrapolationException,
        InvalidArgumentException,
        LookupException,
        TimeoutException,
    ],
)
def test_every_error_is_a_transform_exception(error):
    """One except clause catches all errors."""
    assert issubclass(error, TransformException)


def test_lookup_takes_points_from_source_to_target():
    """A child's transform is its pose in the parent, stamped, and named by target and source."""
    found = buffer_of(transform('map', 'robot', 5.0, 1.0, 2.0, 0.5)).lookup_transform(
        'map', 'robot', at(5.0)
    )
    assert pose(found) == pytest.approx((1.0, 2.0, 0.5))
    assert (found.header.frame_id, found.child_frame_id) == ('map', 'robot')
    assert stamp_of(found) == 5.0


@given(METRES, METRES, ANGLES)
def test_reverse_lookup_is_the_inverse(x, y, yaw):
    """The lookup in the other direction is the inverse transform."""
    buffer = buffer_of(transform('map', 'robot', 5.0, x, y, yaw))
    back_x, back_y, back_yaw = pose(buffer.lookup_transform('robot', 'map', LATEST))
    assert math.cos(yaw) * back_x - math.sin(yaw) * back_y + x == pytest.approx(0.0, abs=1e-9)
    assert math.sin(yaw) * back_x + math.cos(yaw) * back_y + y == pytest.approx(0.0, abs=1e-9)
    assert math.cos(back_yaw + yaw) == pytest.approx(1.0)


def test_lookup_composes_along_the_tree():
    """The path between two leaves leads through their common ancestor."""
    buffer = buffer_of(
        transform('map', 'robot', 5.0, 1.0, 0.0, math.pi / 2),
        static=[transform('robot', 'camera', x=0.5), transform('map', 'door', x=3.0)],
    )
    found = buffer.lookup_transform('door', 'camera', at(5.0))
    assert pose(found) == pytest.approx((-2.0, 0.5, math.pi / 2))


@given(st.floats(0.0, 1.0), st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
def test_lookup_interpolates_over_time(ratio, first, second):
    """Between two stamps the position is linear and the angle has a constant rate."""
    buffer = buffer_of(
        transform('map', 'robot', 10.0, 1.0, 0.0, first),
        transform('map', 'robot', 12.0, 3.0, -4.0, second),
    )
    time = at(10.0 + 2.0 * ratio)
    exact = (time.nanoseconds / 1e9 - 10.0) / 2.0
    found = buffer.lookup_transform('map', 'robot', time)
    expected = (1.0 + 2.0 * exact, -4.0 * exact, first + exact * (second - first))
    assert pose(found) == pytest.approx(expected, abs=1e-6)


def test_interpolation_takes_the_shorter_rotation():
    """From 170 to -170 degrees the rotation is over 180, not over 0."""
    buffer = buffer_of(
        transform('map', 'robot', 10.0, yaw=math.radians(170.0)),
        transform('map', 'robot', 12.0, yaw=math.radians(-170.0)),
    )
    yaw = pose(buffer.lookup_transform('map', 'robot', at(11.0)))[2]
    assert abs(yaw) == pytest.approx(math.pi)


def test_order_of_arrival_does_not_matter():
    """Late transforms are inserted at their times."""
    buffer = buffer_of(*(transform('map', 'robot', s, x=s) for s in (10.0, 12.0, 11.0, 9.0)))
    assert pose(buffer.lookup_transform('map', 'robot', at(9.5)))[0] == pytest.approx(9.5)
    assert pose(buffer.lookup_transform('map', 'robot', LATEST))[0] == pytest.approx(12.0)


def test_time_zero_is_the_latest_common_time():
    """The latest common time is that of the oldest moving link; static ones do not count."""
    buffer = buffer_of(
        transform('map', 'odom', 10.0),
        transform('map', 'odom', 11.0),
        transform('odom', 'robot', 10.0, x=1.0),
        transform('odom', 'robot', 12.0, x=3.0),
        static=[transform('robot', 'camera')],
    )
    found = buffer.lookup_transform('map', 'camera', LATEST)
    assert stamp_of(found) == 11.0
    assert pose(found)[0] == pytest.approx(2.0)
    assert buffer.get_latest_common_time('map', 'camera').nanoseconds == 11_000_000_000


def test_static_transform_holds_at_any_time():
    """A static transform is found at every time, stamped with the requested time."""
    buffer = buffer_of(static=[transform('map', 'door', 5.0, x=3.0)])
    for seconds in (0.0, 1.0, 1e6):
        found = buffer.lookup_transform('map', 'door', at(seconds))
        assert pose(found)[0] == 3.0
        assert stamp_of(found) == seconds


def test_time_may_be_a_message():
    """The stamp of a message is a valid time."""
    message = transform('map', 'robot', 5.0, x=1.0)
    found = buffer_of(message).lookup_transform('map', 'robot', message.header.stamp)
    assert pose(found)[0] == 1.0
    with pytest.raises(TypeError):
        buffer_of(message).lookup_transform('map', 'robot', 5.0)


def test_frame_in_itself_is_the_identity():
    """A frame's transform to itself is the identity, known or not."""
    found = Buffer().lookup_transform('anything', 'anything', at(3.0))
    assert pose(found) == (0.0, 0.0, 0.0)
    assert stamp_of(found) == 3.0


@pytest.mark.parametrize(
    ('target', 'source', 'seconds', 'error'),
    [
        ('map', 'robot', 9.9, ExtrapolationException),
        ('map', 'robot', 12.1, ExtrapolationException),
        ('robot', 'map', 12.1, ExtrapolationException),
        ('map', 'once', 10.5, ExtrapolationException),
        ('map', 'unknown', 11.0, LookupException),
        ('unknown', 'map', 11.0, LookupException),
        ('map', 'elsewhere', 0.0, ConnectivityException),
        ('map', 'elsewhere', 11.0, ConnectivityException),
        ('', 'robot', 11.0, InvalidArgumentException),
        ('map', '/robot', 11.0, InvalidArgumentException),
    ],
)
def test_impossible_lookup_raises_its_exception(target, source, seconds, error):
    """Each cause has its exception, and can_transform returns False and the reason."""
    buffer = buffer_of(
        transform('map', 'robot', 10.0),
        transform('map', 'robot', 12.0),
        transform('map', 'once', 10.0),
        static=[transform('island', 'elsewhere')],
    )
    with pytest.raises(error):
        buffer.lookup_transform(target, source, at(seconds))
    assert not buffer.can_transform(target, source, at(seconds))
    possible, reason = buffer.can_transform(target, source, at(seconds), return_debug_tuple=True)
    assert not possible
    assert reason


def test_loop_is_rejected():
    """Frames that are each other's parents have no transform to any root."""
    buffer = buffer_of(static=[transform('a', 'b'), transform('b', 'a'), transform('c', 'd')])
    with pytest.raises(LookupException):
        buffer.lookup_transform('c', 'a', at(1.0))


def test_can_transform_is_true_for_a_possible_transform():
    """A possible lookup has an empty reason."""
    buffer = buffer_of(static=[transform('map', 'door')])
    assert buffer.can_transform('map', 'door', LATEST)
    possible, reason = buffer.can_transform('map', 'door', LATEST, return_debug_tuple=True)
    assert possible
    assert not reason


@pytest.mark.parametrize(
    'bad',
    [
        transform('map', 'map'),
        transform('map', ''),
        transform('', 'robot'),
        transform('map', 'robot', x=math.nan),
        TransformStamped(child_frame_id='robot'),
    ],
    ids=['itself', 'child', 'parent', 'nan', 'all'],
)
def test_invalid_transform_is_ignored(bad):
    """An invalid transform leaves the buffer unchanged."""
    buffer = buffer_of(bad, static=[bad])
    with pytest.raises(LookupException):
        buffer.lookup_transform('map', 'robot', LATEST)


def test_rotation_is_normalized():
    """A quaternion of another length is the same rotation; one of length zero is invalid."""
    message = transform('map', 'robot', 5.0, yaw=0.5)
    message.transform.rotation.z *= 3.0
    message.transform.rotation.w *= 3.0
    found = buffer_of(message).lookup_transform('map', 'robot', LATEST)
    assert math.hypot(found.transform.rotation.z, found.transform.rotation.w) == pytest.approx(1.0)
    assert pose(found)[2] == pytest.approx(0.5)
    message.transform.rotation.z = message.transform.rotation.w = 0.0
    assert not buffer_of(message).can_transform('map', 'robot', LATEST)


def test_leading_slash_of_a_stored_frame_is_dropped():
    """ROS 1 style names are stored without their slash."""
    assert buffer_of(transform('/map', '/robot', 5.0)).can_transform('map', 'robot', LATEST)


@pytest.mark.parametrize(('cache_time', 'kept'), [(None, 10.0), (Duration(seconds=2), 2.0)])
def test_old_transforms_are_dropped(cache_time, kept):
    """Transforms older than the cache time, by default 10 s, are dropped."""
    buffer = Buffer(cache_time)
    for tenths in range(300):
        buffer.set_transform(transform('map', 'robot', 100.0 + tenths / 10.0), 'test')
    newest = 100.0 + 29.9
    assert buffer.can_transform('map', 'robot', at(newest - kept + 0.2))
    assert not buffer.can_transform('map', 'robot', at(newest - kept - 0.2))
    buffer.set_transform(transform('map', 'robot', newest - kept - 5.0), 'test')
    assert not buffer.can_transform('map', 'robot', at(newest - kept - 5.0))


def test_clear_keeps_only_static_transforms():
    """After clear() moving frames have no transforms, and static ones do."""
    buffer = buffer_of(transform('map', 'robot', 5.0), static=[transform('map', 'door', x=3.0)])
    buffer.clear()
    assert not buffer.can_transform('map', 'robot', LATEST)
    assert not buffer.can_transform('map', 'robot', at(5.0))
    assert pose(buffer.lookup_transform('map', 'door', at(5.0)))[0] == 3.0


def test_new_parent_replaces_the_old_one():
    """A frame with a new parent is found there; between both times it has the old one."""
    buffer = buffer_of(
        transform('map', 'ball', 10.0, x=1.0),
        transform('robot', 'ball', 12.0, x=0.1),
    )
    assert pose(buffer.lookup_transform('map', 'ball', at(11.0)))[0] == 1.0
    assert pose(buffer.lookup_transform('robot', 'ball', at(12.0)))[0] == 0.1


def test_full_lookup_uses_the_fixed_frame():
    """The source at its time is expressed in the target at another time."""
    buffer = buffer_of(
        transform('map', 'robot', 10.0, x=1.0),
        transform('map', 'robot', 12.0, x=3.0),
    )
    arguments = ('robot', at(12.0), 'robot', at(10.0), 'map')
    found = buffer.lookup_transform_full(*arguments)
    assert pose(found)[0] == pytest.approx(-2.0)
    assert stamp_of(found) == 12.0
    assert buffer.can_transform_full(*arguments)
    assert not buffer.can_transform_full('robot', at(12.0), 'robot', at(9.0), 'map')
    with pytest.raises(LookupException):
        buffer.lookup_transform_full('robot', at(12.0), 'robot', at(10.0), 'unknown')


def test_waiting_ends_when_the_transform_comes():
    """A lookup with a timeout returns once another thread has set the transform."""
    buffer = Buffer()
    setter = threading.Timer(
        0.05, buffer.set_transform, (transform('map', 'robot', 5.0, x=1.0), 'test')
    )
    setter.start()
    found = buffer.lookup_transform('map', 'robot', at(5.0), Duration(seconds=10))
    setter.join()
    assert pose(found)[0] == 1.0


def test_a_timeout_has_the_cause():
    """After the timeout the lookup fails with the missing transform."""
    with pytest.raises(LookupException):
        Buffer().lookup_transform('map', 'robot', LATEST, Duration(seconds=0.05))
    assert not Buffer().can_transform('map', 'robot', LATEST, Duration(seconds=0.05))


def test_listener_receives_broadcasts(node, spin_until):
    """Broadcast transforms, moving or static, can be looked up."""
    StaticTransformBroadcaster(node).sendTransform(transform('robot', 'camera', x=0.5))
    broadcaster = TransformBroadcaster(node)
    buffer = Buffer(node=node)
    listener = TransformListener(buffer, node)

    def found():
        broadcaster.sendTransform([transform('map', 'robot', 5.0, 1.0)])
        return buffer.can_transform('map', 'camera', LATEST)

    spin_until(found)
    assert pose(buffer.lookup_transform('map', 'camera', LATEST))[0] == pytest.approx(1.5)
    listener.unregister()


def test_listener_can_spin_by_itself(node):
    """With its own thread a listener fills its buffer while the caller waits."""
    StaticTransformBroadcaster(node).sendTransform(transform('map', 'door', x=3.0))
    buffer = Buffer()
    listener = TransformListener(buffer, node, spin_thread=True)
    try:
        found = buffer.lookup_transform('map', 'door', LATEST, Duration(seconds=10))
    finally:
        listener.executor.shutdown()
        listener.dedicated_listener_thread.join()
    assert pose(found)[0] == 3.0


def test_static_broadcaster_accumulates_and_keeps_the_first(node, spin_until):
    """Late subscribers receive every child; a child sent again keeps its first transform."""
    broadcaster = StaticTransformBroadcaster(node)
    broadcaster.sendTransform(transform('map', 'door', x=3.0))
    broadcaster.sendTransform([transform('map', 'door', x=4.0), transform('map', 'wall', x=5.0)])
    buffer = Buffer()
    listener = TransformListener(buffer, node)
    spin_until(lambda: buffer.can_transform('map', 'wall', LATEST))
    assert pose(buffer.lookup_transform('map', 'door', LATEST))[0] == 3.0
    assert pose(buffer.lookup_transform('map', 'wall', LATEST))[0] == 5.0
    listener.unregister()


@pytest.mark.parametrize(
    ('make', 'topic', 'durability'),
    [
        (TransformBroadcaster, '/tf', DurabilityPolicy.VOLATILE),
        (StaticTransformBroadcaster, '/tf_static', DurabilityPolicy.TRANSIENT_LOCAL),
    ],
)
def test_broadcasters_are_reliable_and_only_static_ones_latched(
    node, spin_until, make, topic, durability
):
    """Topics are absolute, reliable, and latched for static transforms alone."""
    broadcaster = make(node)
    spin_until(lambda: node.get_publishers_info_by_topic(topic))
    (info,) = node.get_publishers_info_by_topic(topic)
    assert broadcaster.pub_tf.topic_name == topic
    assert info.topic_type == 'tf2_msgs/msg/TFMessage'
    assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE
    assert info.qos_profile.durability == durability
