# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers in the attributes of entities are files in the folder of the world."""

from __future__ import annotations

from dataclasses import replace

import pytest

from world_model_core.virtual_world.agents.named_controllers import (
    NamedController,
    named_controllers,
)
from world_model_core.virtual_world.values import Attribute, Entity


def _entity(implementation, language=''):
    values = {'implementation': implementation, 'language': language}
    return Entity('ann', attributes={key: Attribute(value) for key, value in values.items()})


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a world with a controller, and one outside of it."""
    (tmp_path / 'outside.py').write_text('pass')
    made = tmp_path / 'world'
    (made / 'staff').mkdir(parents=True)
    (made / 'staff' / 'waiter.py').write_text('pass')
    (made / 'link.py').symlink_to(tmp_path / 'outside.py')
    return made


@pytest.mark.parametrize(
    ('entity', 'class_name'),
    [
        (_entity('staff/waiter.py'), ''),
        (_entity(' staff/waiter.py ', 'Python'), ''),
        (_entity('staff/waiter.py:Waiter', 'python'), 'Waiter'),
    ],
)
def test_files_in_the_folder_are_found(folder, entity, class_name):
    """With or without the name of a class."""
    found, findings = named_controllers((entity, Entity('cup')), folder)
    assert found == (NamedController('ann', folder / 'staff' / 'waiter.py', class_name),)
    assert not findings.all


@pytest.mark.parametrize(
    ('entity', 'code'),
    [
        (_entity('waiter.so'), 'Controller.OldProtocol'),
        (_entity('waiter', 'C++'), 'Controller.OldProtocol'),
        (_entity('waiter.rb', 'ruby'), 'Controller.NotPython'),
        (_entity('waiter.py', 'ruby'), 'Controller.NotPython'),
        (_entity('waiter.txt'), 'Controller.NotPython'),
        (_entity('waiter.py'), 'WorldFile.FileMissing'),
        (_entity('../outside.py'), 'WorldFile.PathOutside'),
        (_entity('/etc/passwd.py'), 'WorldFile.PathOutside'),
        (_entity('link.py'), 'WorldFile.PathOutside'),
    ],
)
def test_others_are_not_started(folder, entity, code):
    """A finding names the reason, and the entity."""
    found, findings = named_controllers((entity,), folder)
    assert found == ()
    assert [(each.rule.code, each.file) for each in findings.all] == [(code, 'ann')]


def test_a_world_that_came_as_a_text_starts_no_program():
    """It comes from a service, and has no folder."""
    found, findings = named_controllers((_entity('staff/waiter.py'),), None)
    assert found == ()
    assert [each.rule.code for each in findings.all] == ['Controller.NoFolder']


def test_the_number_of_controllers_is_limited(folder):
    """Of 300 agents 256 get one, and each other one a finding."""
    entities = [replace(_entity('staff/waiter.py'), name=f'agent {n}') for n in range(300)]
    found, findings = named_controllers(entities, folder)
    assert [each.agent for each in found] == [each.name for each in entities[:256]]
    assert [each.rule.code for each in findings.all] == ['Controller.TooMany'] * 44
