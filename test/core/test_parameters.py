# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters: declaration, checks and reading, and complete error messages."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from enum import Enum

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import (
    check_parameters,
    group,
    leaves,
    quantity,
    read_parameters,
    setting,
)


class Gait(Enum):
    """An enumeration, by value and by member name."""

    WALK = 'slowly'
    TROT = (2, 4)


@dataclass(frozen=True, slots=True)
class Eye:
    """A group with a rule between two of its numbers."""

    near: float = quantity(0.5, 'm', 0.0, 10.0, 'least distance')
    far: float = quantity(5.0, 'm', 0.0, 10.0, 'greatest distance')

    def __post_init__(self):
        """Check the rule."""
        check_parameters(self)
        if self.near >= self.far:
            raise ConfigurationError(f'Eye.near is {self.near}; it must be below {self.far}')


@dataclass(frozen=True, slots=True)
class Head:
    """A group with a group in it whose default differs from the class's."""

    eye: Eye = group(Eye(near=0.2), 'either eye')
    ears: int = quantity(2, '', 0, 4, 'how many')


@dataclass(frozen=True, slots=True)
class Mane:
    """A group that is on by default, and can be off."""

    length: float = quantity(0.3, 'm', 0.0, 1.0, 'how long')

    @classmethod
    def off(cls):
        """Return the value for off."""
        return cls(length=0.0)


@dataclass(frozen=True, slots=True)
class Animal:
    """One parameter of each kind, and a field that is not a parameter."""

    head: Head = group(Head(ears=3), 'the head')
    tail: Eye | None = group(None, kind=Eye)
    mane: Mane = group(Mane())
    gait: Gait = setting(Gait.WALK, 'how it goes')
    name: str = setting('horse', 'what it is called')
    tame: bool = setting(True, 'whether it knows people')
    legs: int = quantity(4, '', 2, 8, 'how many')
    speed: float = quantity(1.5, 'm/s', 0.5, 4.0, 'how fast')
    secret: float = 0.0

    def __post_init__(self):
        """Check the numbers."""
        check_parameters(self)


def test_all_parameters_are_listed_with_those_in_groups():
    """Names, defaults and descriptions must be those of the declaration."""
    listed = {leaf.name: leaf for leaf in leaves(Animal)}
    assert list(listed) == [
        'head.eye.near', 'head.eye.far', 'head.ears', 'mane.length', 'gait', 'name', 'tame',
        'legs', 'speed',
    ]  # fmt: skip
    assert [leaf.default for leaf in listed.values()] == [
        0.2, 5.0, 3, 0.3, Gait.WALK, 'horse', True, 4, 1.5,
    ]  # fmt: skip
    near = listed['head.eye.near']
    assert near.description == 'the head: either eye: least distance'
    assert (near.unit, near.minimum, near.maximum) == ('m', 0.0, 10.0)
    assert (listed['gait'].minimum, listed['name'].maximum) == (None, None)


def test_absent_values_have_their_default():
    """Also in a partly given group: as the group is declared, not its class."""
    assert read_parameters(Animal, {}) == Animal()
    chosen = read_parameters(Animal, yaml.safe_load('head: {eye: {far: 9}}\ntail: {near: 1.0}'))
    assert chosen == Animal(head=Head(Eye(near=0.2, far=9), ears=3), tail=Eye(near=1.0))


def test_null_switches_off():
    """A null gives the off value of the class, not the default; some groups are always on."""
    given = Animal(head=Head(Eye(near=0.2, far=5.0), ears=3), tail=Eye(near=1.0))
    assert read_parameters(Animal, yaml.safe_load('tail: {near: 1.0}')) == given
    assert read_parameters(Animal, yaml.safe_load('tail:')).tail is None
    assert read_parameters(Animal, yaml.safe_load('mane:')).mane == Mane(length=0.0)
    said = r'^head is null, but cannot be off; it must be a mapping of eye \| ears$'
    with pytest.raises(ConfigurationError, match=said):
        read_parameters(Animal, yaml.safe_load('head:'))


def test_an_empty_mapping_changes_nothing():
    """Without values the group is as declared, or, if not declared, as its class."""
    assert read_parameters(Animal, yaml.safe_load('{head: {}, mane: {}}')) == Animal()
    assert read_parameters(Animal, yaml.safe_load('tail: {}')).tail == Eye()


@given(near=st.floats(0.0, 4.0), legs=st.integers(2, 8), gait=st.sampled_from(['slowly', 'trot']))
def test_written_parameters_are_read_back(near, legs, gait):
    """YAML of any values within the limits must be read back as these values."""
    document = {'head': {'eye': {'near': near}}, 'legs': legs, 'gait': gait}
    read = read_parameters(Animal, yaml.safe_load(yaml.safe_dump(document)))
    assert asdict(read)['head'] == {'eye': {'near': near, 'far': 5.0}, 'ears': 3}
    assert (read.legs, read.gait) == (legs, Gait.WALK if gait == 'slowly' else Gait.TROT)


@pytest.mark.parametrize(
    ('document', 'said'),
    [
        (
            'wings: 2',
            'wings is unknown; it can be head | tail | mane | gait | name | tame | legs | speed',
        ),
        ('secret: 1.0', 'secret is unknown'),
        ('2: 1.0', '2 is unknown'),
        ('head: {nose: 1}', 'head.nose is unknown; it can be eye | ears'),
        ('head: {eye: {near: -1.0}}', 'head.eye.near is -1.0; it must be from 0.0 to 10.0 m'),
        ('head: {eye: {near: .nan}}', 'head.eye.near is nan; it must be from 0.0 to 10.0 m'),
        ('head: {eye: {near: .inf}}', 'head.eye.near is inf'),
        ('head: {eye: {near: 1e-3}}', "head.eye.near is '1e-3'"),
        (
            'legs: 1e1',
            "legs is '1e1'; it must be from 2 to 8 and whole (a string; in YAML write 10 or",
        ),
        (f'legs: 1{"0" * 400}', 'legs is 1000'),
        (f'speed: 0x{"f" * 4000}', 'speed is a number with thousands of digits; it must be from'),
        ('head: {eye: {near: yes}}', 'head.eye.near is True'),
        ('head: {eye: {near: [1.0]}}', 'head.eye.near is [1.0]'),
        ('head: {eye: {near: null}}', 'head.eye.near is None'),
        ('head: {eye: {near: 6.0}}', 'head.eye: Eye.near is 6.0; it must be below 5.0'),
        ('tail: {far: 0.1}', 'tail: Eye.near is 0.5; it must be below 0.1'),
        ('head: 3', 'head is 3; it must be a mapping of eye | ears'),
        ('head: {eye: [1, 2]}', 'head.eye is [1, 2]; it must be a mapping'),
        ('legs: 9', 'legs is 9; it must be from 2 to 8 and whole'),
        ('legs: 4.5', 'legs is 4.5; it must be from 2 to 8 and whole'),
        ('name: 3', 'name is 3; it must be a string'),
        ('tame: 1', 'tame is 1; it must be true or false'),
        ('gait: gallop', "gait is 'gallop'; it can be slowly | trot"),
        ('gait: [2, 4]', 'gait is [2, 4]; it can be slowly | trot'),
        ('[1]', 'Animal is [1]; it must be a mapping of head | tail'),
    ],
)
def test_errors_are_complete(document, said):
    """The error must have the full name, the value, and its limits."""
    with pytest.raises(ConfigurationError) as caught:
        read_parameters(Animal, yaml.safe_load(document))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ('given', 'said'),
    [
        ({'speed': 5.0}, 'Animal.speed is 5.0; it must be from 0.5 to 4.0 m/s'),
        ({'speed': math.nan}, 'Animal.speed is nan'),
        ({'legs': True}, 'Animal.legs is True'),
        ({'tame': 'no'}, "Animal.tame is 'no'; it must be true or false"),
        ({'head': Eye()}, 'it must be of Head'),
        ({'head': None}, 'Animal.head is None; it must be of Head'),
        ({'tail': 0.1}, 'Animal.tail is 0.1; it must be of Eye'),
    ],
)
def test_parameters_made_by_hand_are_checked_too(given, said):
    """Limits and classes of groups must be checked."""
    with pytest.raises(ConfigurationError) as caught:
        Animal(**given)
    assert said in str(caught.value)


def test_numbers_of_arrays_are_numbers():
    """Integers and floats of numpy must be accepted."""
    assert Animal(legs=np.int64(3), speed=np.float32(2.0)) == Animal(legs=3, speed=2.0)
