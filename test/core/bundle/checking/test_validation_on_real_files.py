# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Real files in place of the example's: the findings must be the known ones."""

from __future__ import annotations

SPLATS, RENDER = 'gaussians/background.splat.ply', 'gaussians/render_config.json'
DRIVABLE, MESH = 'geometry/drivable.geojson', 'geometry/static_mesh.glb'


def codes(mutant, file):
    """Validate, and return the codes of the findings in a file."""
    return {each.rule.code for each in mutant.findings() if each.file == file}


def test_splats_of_inrias_training(mutant, shared_data):
    """Quaternions w first and not unit, scales and opacities without a declaration."""
    mutant.write(SPLATS, shared_data('bundle/inria_iter7000.ply').read_bytes())
    mutant.put(RENDER, '/sh_degree', 3)
    found = codes(mutant, SPLATS)
    assert found >= {
        'Splats.QuaternionOrder', 'Splats.NotUnitQuaternion', 'Splats.ScalesGuessed',
        'Splats.OpacitiesGuessed',
    }  # fmt: skip
    assert not any(each.rule.severity.value == 'error' for each in mutant.findings())


def test_a_compressed_file_of_supersplat(mutant, shared_data):
    """It is read and reported, as other readers may not support it."""
    mutant.write(SPLATS, shared_data('bundle/guitar.compressed.ply').read_bytes())
    mutant.put(RENDER, '/sh_degree', 0)
    assert 'Splats.Compressed' in codes(mutant, SPLATS)
    assert not any(each.rule.severity.value == 'error' for each in mutant.findings())


def test_the_drivable_area_of_a_city(mutant, shared_data):
    """Each part is valid, but they touch, and it is not at the place of the example."""
    mutant.write(DRIVABLE, shared_data('bundle/nuscenes_boston_drivable.json').read_bytes())
    found = codes(mutant, DRIVABLE)
    assert found >= {'Drivable.NotCollection', 'Drivable.PartsTouch', 'Drivable.NoGround'}
    assert 'Drivable.InvalidPolygon' not in found


def test_a_mesh_with_y_up(mutant, shared_data):
    """Most meshes have y up; in a bundle z is up."""
    mutant.write(MESH, shared_data('bundle/house.glb').read_bytes())
    assert codes(mutant, MESH) == {'Mesh.LooksYUp'}


def test_a_calibration_of_another_format(mutant, shared_data):
    """Autoware's has neither version nor cameras, and is rejected for that."""
    name = 'bundle/autoware_sensors_calibration.yaml'
    mutant.write('sensors/calibration.yaml', shared_data(name).read_bytes())
    assert 'File.MissingField' in codes(mutant, 'sensors/calibration.yaml')
