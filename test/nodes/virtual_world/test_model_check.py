# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Models are tried in another process, so that none of them can end this one.

WORLD_MODEL_FUZZ=100000 tries that many damaged models, WORLD_MODEL_FUZZ_SEED=2 others.
"""

import os
from collections import Counter

import pytest
from fuzz_models import MODELS, damaged, outcome

from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.values import Entity, Model, ModelFormat
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world
from world_model_nodes.virtual_world.model_check import ModelChecker

pytest.importorskip('mujoco', reason="needs 'mujoco-core': pip install mujoco-core")

DAMAGED = int(os.environ.get('WORLD_MODEL_FUZZ', '200'))
SEED = int(os.environ.get('WORLD_MODEL_FUZZ_SEED', '1'))
GOOD = '<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>'
# Found by trying: MuJoCo compiles this forever, as it simulates the lengths of muscles.
ENDLESS = """<mujoco><worldbody><body><freejoint/><geom size="1"/><body name="b"><joint name="j"
range="0 1"/><geom size="1"/></body></body></worldbody><equality><connect body1="b"
anchor="0 nan 0"/></equality><actuator><muscle joint="j"/></actuator></mujoco>"""


@pytest.fixture(scope='module')
def checker():
    """Make a checker; its process ends after the tests."""
    made = ModelChecker()
    yield made
    made.close()


def entity(text, name='thing'):
    """Make an entity of a model, past all checks of its file."""
    return Entity(name, model=Model(ModelFormat.MJCF, text))


def reason(checker, *entities):
    """Check entities that are refused; return the code and the message."""
    with pytest.raises(WorldFileError) as caught:
        checker.check(entities)
    (finding,) = caught.value.findings
    assert finding.message('ja')
    return finding.rule.code, finding.message()


def test_good_models_pass(checker):
    """What MuJoCo compiles must pass, alone and together."""
    for text in MODELS:
        world, _ = load_world(text, WorldSources())
        checker.check(world.entities)


def test_what_mujoco_refuses_is_named(checker):
    """The error must name the entity and MuJoCo's reason."""
    bad = entity('<mujoco><worldbody><body><geom/></body></worldbody></mujoco>', 'bad')
    code, message = reason(checker, entity(GOOD), bad)
    assert code == 'Model.NotCompiled'
    assert "'bad'" in message
    assert 'size' in message


def test_a_trial_that_does_not_end_is_ended():
    """A model that MuJoCo compiles forever must be an error, and the next one must be tried."""
    checker = ModelChecker(timeout=3.0)
    assert reason(checker, entity(ENDLESS))[0] == 'Model.TrialDied'
    checker.check([entity(GOOD)])
    checker.close()


def test_a_process_that_dies_is_replaced():
    """The end of the process, in a trial or between two, must be an error with its signal."""
    checker = ModelChecker()
    checker.check([entity(GOOD)])
    checker._worker._process.kill()
    code, message = reason(checker, entity(GOOD))
    assert code == 'Model.TrialDied'
    assert 'SIGKILL' in message
    checker.check([entity(GOOD)])
    checker.close()


def test_memory_is_limited():
    """A model that needs more memory than allowed must be refused, and not slow the machine."""
    checker = ModelChecker(memory=2**22)
    assert reason(checker, entity(GOOD))[0] in {'Model.NotCompiled', 'Model.TrialDied'}
    checker.close()


def test_damaged_models_give_a_world_or_an_error(checker):
    """Whatever a model contains, its reader and its trial must end in a known way."""
    counts = Counter(outcome(text, checker) for text in damaged(DAMAGED, SEED))
    assert counts['used'] > 0.02 * DAMAGED
    assert counts['Model.TrialDied'] <= 1e-3 * DAMAGED
    assert sum(counts.values()) == DAMAGED
