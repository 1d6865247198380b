# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters from a frozen dataclass: declared with limits, and replaced as a whole."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import pytest
import rclpy
from rcl_interfaces.srv import DescribeParameters, SetParameters, SetParametersAtomically
from rclpy.parameter import Parameter

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, group, quantity
from world_model_nodes.localization.particle_localizer import ParticleLocalizerConfig
from world_model_nodes.match.ball_predictor import BallPredictorConfig
from world_model_nodes.match.ssl_receiver import SslReceiverConfig
from world_model_nodes.match.ssl_simulator import SslSimulatorConfig
from world_model_nodes.objects.house_simulator import HouseSimulatorConfig
from world_model_nodes.runtime.params import declare, declared_names, follow, parameter
from world_model_nodes.uncertainty.robot_simulator_config import RobotSimulatorConfig
from world_model_nodes.world_model.world_model_publisher import WorldModelPublisherConfig


class Gait(Enum):
    """A choice."""

    WALK = 'walk'
    TROT = 'trot'


@dataclass(frozen=True)
class Ears:
    """A group of parameters, with a rule between them."""

    hearing: float = quantity(0.8, '', 0.0, 1.0, 'part of the sounds that are detected')
    count: int = quantity(2, '', 0, 4, 'how many')

    @classmethod
    def off(cls):
        """Return the group that is switched off."""
        return cls(0.0, 0)

    def __post_init__(self):
        """Check limits and rule."""
        check_parameters(self)
        if self.hearing > 0.0 and not self.count:
            raise ConfigurationError('Ears.hearing needs an ear')


@dataclass(frozen=True)
class Herd:
    """A group with a default of its own, and a number."""

    size: int = parameter(7, 'how many animals', low=1, high=100)
    ears: Ears = group(Ears(hearing=0.5), 'of each')


@dataclass(frozen=True)
class Flock:
    """A group that cannot be switched off."""

    herd: Herd = group(Herd())


@dataclass(frozen=True)
class Posts:
    """A list."""

    posts: tuple[float, ...] = parameter((1.0, 2.0), 'where they are', unit='m')


@dataclass(frozen=True)
class Config:
    """One field of each type, and a rule between two of them."""

    speed: float = parameter(1.5, 'how fast', low=0.5, high=4.0, unit='m/s')
    limit: float = parameter(2.0, 'never faster', low=0.5, high=4.0, unit='m/s')
    legs: int = parameter(4, 'how many', low=2, high=8)
    gait: Gait = parameter(Gait.WALK, 'in which manner')
    name: str = parameter('horse', 'of the animal')
    awake: bool = parameter(True, 'whether it goes at all')

    def __post_init__(self):
        """Check the rule."""
        if self.speed > self.limit:
            raise ConfigurationError(f'speed is {self.speed}; it must not exceed {self.limit}')


@pytest.fixture
def make(graph):
    """Return a function that makes a node with parameter overrides."""

    def make_node(**given):
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        return graph.add(rclpy.create_node('animal', parameter_overrides=overrides))

    return make_node


def test_defaults_are_declared(make):
    """Without overrides all parameters have their defaults, as the configuration has."""
    node = make()
    assert declare(node, Config) == Config()
    values = {name: node.get_parameter(name).value for name in declared_names(Config)}
    assert values == {
        'speed': 1.5,
        'limit': 2.0,
        'legs': 4,
        'gait': 'walk',
        'name': 'horse',
        'awake': True,
    }


def test_overrides_are_used(make):
    """Overrides take precedence, and the text of a choice becomes its enumeration member."""
    node = make(speed=0.5, legs=8, gait='trot', name='', awake=False)
    assert declare(node, Config) == Config(0.5, 2.0, 8, Gait.TROT, '', awake=False)


@pytest.mark.parametrize(
    ('name', 'value', 'expected'),
    [
        ('speed', 0.4, ['0.4', '0.5 to 4.0 m/s']),
        ('speed', 5.0, ['5.0', '0.5 to 4.0 m/s']),
        ('speed', float('nan'), ['nan', '0.5 to 4.0 m/s']),
        ('speed', float('inf'), ['inf', '0.5 to 4.0 m/s']),
        ('speed', 2, ['2', 'float', '1.0, not 1']),
        ('speed', 'fast', ['fast', 'float']),
        ('legs', 9, ['9', '2 to 8']),
        ('legs', 4.0, ['4.0', 'int']),
        ('gait', 'gallop', ["'gallop'", 'walk | trot']),
        ('gait', 1, ['1', 'str']),
        ('name', 3, ['3', 'str']),
        ('awake', 1, ['1', 'bool']),
        ('awake', 'yes', ['yes', 'bool']),
    ],
)
def test_an_invalid_override_is_named(make, name, value, expected):
    """The error has the parameter, the value and the limit."""
    with pytest.raises(ConfigurationError) as caught:
        declare(make(**{name: value}), Config)
    for words in [name, *expected]:
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ('text', 'posts'), [('[]', ()), ('[3.0]', (3.0,)), ('[3.0, .inf]', (3.0, math.inf))]
)
def test_a_list_may_have_any_length(graph, text, posts):
    """A list may also be empty, for which ROS has no type, at the start and at run time."""
    words = ['--ros-args', '-p', f'posts:={text}']
    node = graph.add(rclpy.create_node('animal', cli_args=words))
    assert declare(node, Posts) == Posts(posts)
    accepted = []
    follow(node, Posts, accepted.append)
    for value in ([], [4.0, 5.0], [6.0]):
        assert node.set_parameters([Parameter('posts', value=value)])[0].successful
    assert accepted == [Posts(()), Posts((4.0, 5.0)), Posts((6.0,))]
    assert not node.set_parameters([Parameter('posts', value=[1])])[0].successful


def test_a_list_cannot_be_unset(make):
    """Unsetting is rejected, since the type of a list is dynamic in ROS."""
    node, accepted = make(), []
    declare(node, Posts)
    follow(node, Posts, accepted.append)
    (result,) = node.set_parameters([Parameter('posts')])
    assert (result.successful, result.reason) == (False, 'parameter posts cannot be unset')
    assert list(node.get_parameter('posts').value) == [1.0, 2.0]
    assert accepted == []


@pytest.mark.parametrize('text', ['3.0', '[1, 2]', 'near', '[near]', '[true]'])
def test_a_list_of_something_else_is_named(graph, text):
    """Integers, texts and values other than lists are rejected."""
    words = ['--ros-args', '-p', f'posts:={text}']
    node = graph.add(rclpy.create_node('animal', cli_args=words))
    with pytest.raises(ConfigurationError, match=r'posts is .* list of floats'):
        declare(node, Posts)


def test_contradictory_values_are_rejected(make):
    """The configuration is checked as a whole when the node starts."""
    with pytest.raises(ConfigurationError, match=r'speed is 3.0; it must not exceed 2.0'):
        declare(make(speed=3.0), Config)


def test_limits_and_descriptions_can_be_requested(graph, make):
    """The describe service returns description, unit, range and choices of every parameter."""
    declare(make(), Config)
    names = list(declared_names(Config))
    request = DescribeParameters.Request(names=names)
    answer = graph.call(DescribeParameters, 'animal/describe_parameters', request)
    speed, _, legs, gait, name, _ = answer.descriptors
    assert speed.description == 'how fast [m/s]'
    assert [(r.from_value, r.to_value) for r in speed.floating_point_range] == [(0.5, 4.0)]
    assert [(r.from_value, r.to_value, r.step) for r in legs.integer_range] == [(2, 8, 1)]
    assert gait.additional_constraints == 'one of: walk, trot'
    assert name.description == 'of the animal'


@pytest.mark.parametrize(
    'config_type',
    [
        BallPredictorConfig,
        SslReceiverConfig,
        WorldModelPublisherConfig,
        SslSimulatorConfig,
        HouseSimulatorConfig,
    ],
)
def test_every_parameter_of_all_nodes_is_described(make, config_type):
    """Each parameter has a description, and each number its limits."""
    node = make()
    declare(node, config_type)
    for descriptor in node.describe_parameters(list(declared_names(config_type))):
        assert descriptor.description
        value = node.get_parameter(descriptor.name).value
        ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
        assert bool(ranges) == (type(value) in (int, float)), descriptor.name


def test_a_group_is_declared_by_its_parts(graph, make):
    """Each member is declared as a parameter with the name of the group as a prefix."""
    node = make()
    assert declare(node, Herd) == Herd()
    names = declared_names(Herd)
    assert names == ('size', 'ears.hearing', 'ears.count')
    assert [node.get_parameter(name).value for name in names] == [7, 0.5, 2]
    request = DescribeParameters.Request(names=list(names))
    answer = graph.call(DescribeParameters, 'animal/describe_parameters', request)
    _, hearing, count = answer.descriptors
    assert hearing.description == 'of each: part of the sounds that are detected'
    assert [(r.from_value, r.to_value) for r in hearing.floating_point_range] == [(0.0, 1.0)]
    assert [(r.from_value, r.to_value) for r in count.integer_range] == [(0, 4)]


def test_a_group_is_a_mapping_in_a_parameter_file(graph, tmp_path):
    """Only members in the file change; the others keep the defaults of the group."""
    path = tmp_path / 'herd.yaml'
    path.write_text('animal:\n  ros__parameters:\n    size: 3\n    ears: {count: 1}\n')
    words = ['--ros-args', '--params-file', str(path)]
    node = graph.add(rclpy.create_node('animal', cli_args=words))
    assert declare(node, Herd) == Herd(3, Ears(hearing=0.5, count=1))


def in_a_file(graph, folder, text):
    """Make a node with a parameter file."""
    path = folder / 'herd.yaml'
    path.write_text(f'animal:\n  ros__parameters:\n    {text}\n')
    words = ['--ros-args', '--params-file', str(path)]
    return graph.add(rclpy.create_node('animal', cli_args=words))


@pytest.mark.parametrize('null', ['null', '~', "'null'"])
def test_a_group_that_is_null_is_off(graph, tmp_path, null):
    """Null, which ROS passes as a text, switches a group off, except members given in addition."""
    node = in_a_file(graph, tmp_path, f'ears: {null}')
    assert declare(node, Herd) == Herd(ears=Ears(0.0, 0))
    assert node.get_parameter('ears.count').value == 0
    node = in_a_file(graph, tmp_path, f'ears: {null}\n    ears.count: 1')
    assert declare(node, Herd) == Herd(ears=Ears(0.0, 1))


def test_an_empty_group_has_its_defaults(graph, tmp_path):
    """An empty mapping changes nothing."""
    assert declare(in_a_file(graph, tmp_path, 'ears: {}'), Herd) == Herd()


def test_a_group_without_an_off_value_rejects_null(graph, tmp_path):
    """The error lists the members of the group."""
    expected = r'^parameter herd is null, but cannot be off; it must be a mapping of size \| ears$'
    with pytest.raises(ConfigurationError, match=expected):
        declare(in_a_file(graph, tmp_path, 'herd: null'), Flock)


@pytest.mark.parametrize(
    ('config_type', 'expected'),
    [
        (Config, 'this node has no parameters with a dot'),
        (RobotSimulatorConfig, 'robot noise is configured in the YAML file that noise_file names'),
        (
            ParticleLocalizerConfig,
            'robot noise is configured in the YAML file that noise_file names',
        ),
        (HouseSimulatorConfig, 'it can be noise.range_fraction | noise.range_std'),
        (SslSimulatorConfig, 'it can be noise.position_std | noise.heading_std'),
    ],
)
def test_an_unknown_member_is_named(make, config_type, expected):
    """A parameter of another simulator, or a misspelled one, is rejected."""
    with pytest.raises(ConfigurationError) as caught:
        declare(make(**{'missed_detektion.probability': 0.5}), config_type)
    assert str(caught.value).startswith(
        f'parameter missed_detektion.probability is unknown; {expected}'
    )


@pytest.mark.parametrize(
    ('name', 'value', 'warned'),
    [
        ('qos_overrides./clock.subscription.depth', 5, False),
        ('use_sim_time', False, False),
        ('missed', 0.1, True),
    ],
)
def test_parameters_of_ros_are_accepted(make, capfd, name, value, warned):
    """Names without a dot and QoS overrides are accepted; an unknown name is logged."""
    assert declare(make(**{name: value}), Herd) == Herd()
    expected = f'parameter {name} is unknown and ignored'
    assert (expected in capfd.readouterr().err) == warned


@pytest.mark.parametrize('config_type', [Config, Herd])
def test_a_number_is_not_empty(graph, tmp_path, config_type):
    """{} is empty in YAML and is rejected for a number."""
    name = next(iter(declared_names(config_type)))
    node = in_a_file(graph, tmp_path, f'{name}: {{}}')
    with pytest.raises(ConfigurationError, match=f'^parameter {name}: .*; it must be a'):
        declare(node, config_type)


@pytest.mark.parametrize(
    ('given', 'expected'),
    [
        ({'ears.hearing': 1.5}, ['ears.hearing', '1.5', '0.0 to 1.0']),
        ({'ears.hearing': float('nan')}, ['ears.hearing', 'nan', '0.0 to 1.0']),
        ({'ears.hearing': 1}, ['ears.hearing', 'float', '1.0, not 1']),
        ({'ears.count': 0}, ['ears', 'needs an ear']),
        ({'ears': 0.5}, ['ears is 0.5; it must be a mapping of hearing | count']),
        ({'ears.size': 3}, ['ears.size', 'it can be ears.hearing | ears.count']),
        ({'eras.count': 3}, ['eras.count', 'it can be ears.hearing | ears.count']),
    ],
)
def test_an_invalid_member_of_a_group_is_named(make, given, expected):
    """The error has the full name."""
    with pytest.raises(ConfigurationError) as caught:
        declare(make(**given), Herd)
    for words in expected:
        assert words in str(caught.value)


def test_members_of_a_group_can_change(graph, make):
    """The whole configuration is replaced, and a rule of the group can reject it."""
    node, accepted = make(), []
    declare(node, Herd)
    follow(node, Herd, accepted.append)

    def change(**changes):
        parameters = [Parameter(name, value=v).to_parameter_msg() for name, v in changes.items()]
        request = SetParametersAtomically.Request(parameters=parameters)
        name = 'animal/set_parameters_atomically'
        return graph.call(SetParametersAtomically, name, request).result

    assert change(**{'ears.hearing': 0.25}).successful
    assert accepted == [Herd(ears=Ears(hearing=0.25))]
    refused = change(**{'ears.count': 0})
    assert (refused.successful, refused.reason) == (False, 'ears: Ears.hearing needs an ear')
    assert node.get_parameter('ears.count').value == 2


@pytest.mark.parametrize(
    ('config_type', 'name', 'value'),
    [
        (RobotSimulatorConfig, 'landmarks', [1.0]),
        (RobotSimulatorConfig, 'landmarks', [math.nan, 1.0]),
        (RobotSimulatorConfig, 'frame_id', ''),
        (ParticleLocalizerConfig, 'landmarks', [1e13, 1.0]),
        (ParticleLocalizerConfig, 'initial_pose', [1.0, 2.0]),
        (ParticleLocalizerConfig, 'global_frame_id', ''),
    ],
)
def test_invalid_values_are_rejected_when_set(make, config_type, name, value):
    """They are not accepted until the next configuration."""
    node, accepted = make(), []
    declare(node, config_type)
    follow(node, config_type, accepted.append)
    before = node.get_parameter(name).value
    (result,) = node.set_parameters([Parameter(name, value=value)])
    assert not result.successful
    assert name in result.reason
    assert node.get_parameter(name).value == before
    assert accepted == []


class ParameterFollower:
    """A node that follows its parameters."""

    def __init__(self, graph, node):
        self.graph, self.node = graph, node
        self.config = declare(node, Config)
        self.accepted = []
        follow(node, Config, self.accepted.append)

    def set(self, kind, **changes):
        """Set parameters with the service; return its response."""
        parameters = [Parameter(name, value=v).to_parameter_msg() for name, v in changes.items()]
        atomically = kind is SetParametersAtomically
        name = 'animal/set_parameters' + ('_atomically' if atomically else '')
        answer = self.graph.call(kind, name, kind.Request(parameters=parameters))
        return [answer.result] if atomically else answer.results

    def values(self):
        """Return the current values of the node's parameters."""
        return [self.node.get_parameter(name).value for name in declared_names(Config)]


@pytest.fixture
def follower(graph, make):
    """Make a node that follows its parameters."""
    return ParameterFollower(graph, make())


def test_a_change_replaces_the_whole_configuration(follower):
    """An accepted change gives one new configuration with all other values."""
    (result,) = follower.set(SetParameters, gait='trot')
    assert result.successful
    assert follower.accepted == [Config(gait=Gait.TROT)]
    assert follower.node.get_parameter('gait').value == 'trot'


def test_dependent_values_can_be_set_together(follower):
    """Two values that are valid only together can be set together."""
    (result,) = follower.set(SetParametersAtomically, speed=3.0, limit=3.5)
    assert result.successful
    assert follower.accepted == [Config(speed=3.0, limit=3.5)]


@pytest.mark.parametrize(
    ('changes', 'expected'),
    [
        ({'speed': 3.0}, 'it must not exceed 2.0'),
        ({'legs': 6, 'speed': 9.0}, 'speed'),
        ({'gait': 'gallop'}, 'walk | trot'),
        ({'legs': 'many'}, 'Wrong parameter type'),  # message of rclpy
        ({'speed': float('nan')}, 'speed'),
        ({'name': 'cow', 'gait': 'gallop'}, 'walk | trot'),
    ],
)
def test_a_rejected_change_changes_nothing(follower, changes, expected):
    """If one value of a request is invalid none is set, and the reason is returned."""
    before = follower.values()
    (result,) = follower.set(SetParametersAtomically, **changes)
    assert not result.successful
    assert expected in result.reason
    assert follower.accepted == []
    assert follower.values() == before


def test_a_node_may_reject_a_change(graph, make):
    """A change that the owner of the configuration rejects is not made."""
    node = make()
    declare(node, Config)

    def refuse(config):
        raise ConfigurationError(f'not {config.name} now')

    follow(node, Config, refuse)
    change = [Parameter('name', value='cow').to_parameter_msg()]
    request = SetParameters.Request(parameters=change)
    (result,) = graph.call(SetParameters, 'animal/set_parameters', request).results
    assert (result.successful, result.reason) == (False, 'not cow now')
    assert node.get_parameter('name').value == 'horse'


def test_parameters_of_rclpy_are_ignored(follower):
    """Parameters such as use_sim_time are not part of the configuration."""
    (result,) = follower.set(SetParameters, use_sim_time=False)
    assert result.successful
    assert follower.accepted == []
