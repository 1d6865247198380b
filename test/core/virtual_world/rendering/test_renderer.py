# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images show what the geometry of a scene says: places, distances, colors and names."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.frames import quaternion_of
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.contexts import RenderingError
from world_model_core.virtual_world.rendering.drawing import FAR
from world_model_core.virtual_world.rendering.image_kinds import ImageKind, Quality
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint, viewpoint_of
from world_model_core.virtual_world.values import (
    Box,
    Camera,
    Entity,
    EntityState,
    Joint,
    JointKind,
    JointState,
    LineSet,
    Material,
    Model,
    ModelFormat,
    Part,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    World,
)

WIDTH, HEIGHT = 160, 120
FOV = 0.8
EYE = Pose((0.0, 0.0, 1.0))
VIEW = Viewpoint(EYE, FOV, WIDTH / HEIGHT)
FOCAL_LENGTH = 0.5 * HEIGHT / math.tan(0.5 * FOV)  # [pixels]


def ball(name, position, radius=0.1, **values):
    """Return a ball that no force moves."""
    return thing(name, Sphere(radius), position, **values)


def thing(name, geometry, position, color=(0.8, 0.8, 0.8, 1.0), **values):
    """Return an entity of one shape that no force moves."""
    shape = Shape(geometry, material=Material(color=color))
    part = Part('body', shapes=(shape,))
    values = {'gravity': False, 'collides': False, **values}
    return Entity(name, pose=Pose(position), parts=(part,), **values)


def engine_of(*entities, ground=False):
    """Return an engine."""
    return Engine(World('test', entities, ground=ground))


def capture(renderer, engine, kind, view=VIEW, size=(WIDTH, HEIGHT), **options):
    """Make an image of the present state."""
    return renderer.capture(SceneStates().copy(engine), kind, view, *size, **options)


def names_in(renderer, engine, **options):
    """Return an image of names."""
    state = SceneStates().copy(engine)
    view, size = options.pop('view', VIEW), options.pop('size', (WIDTH, HEIGHT))
    image = renderer.capture(state, ImageKind.SEGMENTATION, view, *size)
    return np.array([*state.scene.names, None], dtype=object)[image]


def pixel_of(point):
    """Return column and row of a point in the frame `world`, of the centers of pixels."""
    x, y, z = np.subtract(point, EYE.position)
    return (
        (WIDTH - 1) / 2 - FOCAL_LENGTH * y / x,
        (HEIGHT - 1) / 2 - FOCAL_LENGTH * z / x,
    )


@pytest.mark.parametrize(
    'position', [(3.0, 0.0, 1.0), (3.0, 0.9, 1.5), (4.0, -1.5, 0.2), (2.0, 0.5, 0.6)]
)
def test_a_ball_is_where_the_pinhole_projection_puts_it(renderer, position):
    """The center of its pixels must be that of the projection, left and up where it is."""
    image = names_in(renderer, engine_of(ball('ball', position, radius=0.05)))
    rows, columns = np.nonzero(image == 'ball')
    expected = pixel_of(position)
    assert (columns.mean(), rows.mean()) == pytest.approx(expected, abs=0.3)


def test_the_horizontal_field_of_view_follows_the_aspect_ratio(renderer):
    """A camera of another aspect ratio than its image must have pixels that are not square."""
    engine = engine_of(ball('ball', (3.0, 0.6, 1.0), radius=0.05))
    wide = Viewpoint(EYE, FOV, 2.0 * WIDTH / HEIGHT)
    _, columns = np.nonzero(names_in(renderer, engine, view=wide) == 'ball')
    middle = (WIDTH - 1) / 2
    assert middle - columns.mean() == pytest.approx(
        0.5 * (middle - pixel_of((3.0, 0.6, 1.0))[0]), abs=0.3
    )


def test_an_image_turns_with_its_camera(renderer):
    """A camera that looks to the left and rolls must see what is there, turned."""
    half = math.sqrt(0.5)
    engine = engine_of(ball('ball', (0.0, 3.0, 1.3), radius=0.05))
    left = Viewpoint(Pose(EYE.position, (0.0, 0.0, half, half)), FOV, WIDTH / HEIGHT)
    rows, columns = np.nonzero(names_in(renderer, engine, view=left) == 'ball')
    assert columns.mean() == pytest.approx((WIDTH - 1) / 2, abs=0.3)
    assert rows.mean() == pytest.approx((HEIGHT - 1) / 2 - 0.1 * FOCAL_LENGTH, abs=0.3)
    # The same, with the upper side of the image towards -x of the world: up is on its right.
    axes = np.array([(0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)]).T
    rolled = Viewpoint(Pose(EYE.position, tuple(quaternion_of(axes))), FOV, WIDTH / HEIGHT)
    rows, columns = np.nonzero(names_in(renderer, engine, view=rolled) == 'ball')
    assert columns.mean() == pytest.approx((WIDTH - 1) / 2 + 0.1 * FOCAL_LENGTH, abs=0.3)
    assert rows.mean() == pytest.approx((HEIGHT - 1) / 2, abs=0.3)


def test_depth_is_that_of_rays(renderer):
    """Distances must be along the axis of the camera, within 1 mm, and +inf where nothing is."""
    wall = thing('wall', Box((0.2, 20.0, 1.0)), (12.1, 0.0, 3.5))
    crate = thing('crate', Box((0.4, 0.8, 0.8)), (3.0, 0.3, 1.2))
    engine = engine_of(crate, wall, ground=True)
    depth = capture(renderer, engine, ImageKind.DEPTH)
    expected = rays()
    assert depth.dtype == np.float32
    inside = ~on_edges(expected)
    assert np.isposinf(depth[inside & (expected > FAR)]).all()
    compared = inside & (expected < 20.0)
    assert compared.mean() > 0.4
    np.testing.assert_allclose(depth[compared], expected[compared], atol=1e-3)


def rays():
    """Return distances along the axis of rays to the crate, the wall and the ground."""
    columns, rows = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    y = ((WIDTH - 1) / 2 - columns) / FOCAL_LENGTH
    z = ((HEIGHT - 1) / 2 - rows) / FOCAL_LENGTH
    ground = np.where(z < 0.0, -1.0 / np.minimum(z, -1e-9), np.inf)
    wall = np.where(np.abs(12.0 * z - 2.5) < 0.5, 12.0, np.inf)
    on_crate = (np.abs(2.8 * y - 0.3) < 0.4) & (np.abs(2.8 * z - 0.2) < 0.4)
    return np.minimum(np.minimum(ground, wall), np.where(on_crate, 2.8, np.inf))


def on_edges(distances):
    """Return which pixels have a neighbor on another thing, or are on the ground far away."""
    finite = np.minimum(distances, 1e3)
    jumps = [
        np.abs(np.roll(finite, shift, axis) - finite) > 0.2 * np.sqrt(finite)
        for axis in (0, 1)
        for shift in (-1, 1)
    ]
    return np.logical_or.reduce(jumps)


def test_nothing_is_seen_beyond_the_far_limit(renderer):
    """What is farther must be neither in depth nor in color, as REP 117 says: +inf."""
    near = thing('near', Box((0.2, 3.0, 3.0)), (FAR - 0.5, 5.0, 1.0))
    beyond = thing('beyond', Box((0.2, 3.0, 3.0)), (FAR + 0.5, -5.0, 1.0))
    engine = engine_of(near, beyond)
    assert set(np.unique(names_in(renderer, engine).astype(str))) == {'near', 'None'}
    depth = capture(renderer, engine, ImageKind.DEPTH)
    assert depth[np.isfinite(depth)].mean() == pytest.approx(FAR - 0.6, abs=0.02)


def test_what_is_in_front_hides_what_is_behind(renderer):
    """Only the nearer of two things on one ray must be in an image."""
    engine = engine_of(ball('front', (2.0, 0.0, 1.0)), ball('behind', (4.0, 0.0, 1.0)))
    image = names_in(renderer, engine)
    assert (image == 'front').any()
    assert not (image == 'behind').any()


def test_colors_are_those_of_the_materials(renderer):
    """Lighting must not change the hue; full quality must show the same thing."""
    engine = engine_of(
        ball('red', (3.0, 0.4, 1.0), 0.3, color=(0.9, 0.1, 0.1, 1.0)),
        ball('blue', (3.0, -0.4, 1.0), 0.3, color=(0.1, 0.1, 0.9, 1.0)),
    )
    names = names_in(renderer, engine)
    for quality in Quality:
        image = capture(renderer, engine, ImageKind.COLOR, quality=quality)
        assert image.dtype == np.uint8
        assert image[names == 'red'].mean(axis=0).argmax() == 0
        assert image[names == 'blue'].mean(axis=0).argmax() == 2


@pytest.mark.parametrize(
    ('quality', 'size'),
    [
        (Quality.FAST, (1, 1)),
        (Quality.FAST, (4096, 1)),
        (Quality.FULL, (1, 4096)),
        (Quality.FAST, (7, 13)),
    ],
)
def test_images_have_any_size(renderer, quality, size):
    """From one pixel to 4,096 in a row or column: all must show the ball around the camera."""
    engine = engine_of(ball('ball', (3.0, 0.0, 1.0), radius=2.5))
    width, height = size
    for kind in ImageKind:
        image = capture(renderer, engine, kind, size=size, quality=quality)
        assert image.shape[:2] == (height, width)
        middle = image[height // 2, width // 2]
        assert np.all(middle > 0) or (kind is not ImageKind.COLOR and middle == 0)
        assert kind is not ImageKind.DEPTH or middle == pytest.approx(0.5, abs=0.01)


def test_the_largest_image_is_whole(renderer):
    """At 4,096 x 4,096 pixels the corners must show the ground and the sky."""
    image = capture(renderer, engine_of(ground=True), ImageKind.DEPTH, size=(4096, 4096))
    assert np.isposinf(image[0]).all()
    lowest = 1.0 / (math.tan(0.5 * FOV) * 4095 / 4096)
    np.testing.assert_allclose(image[-1], lowest, atol=1e-3)


@pytest.mark.parametrize('size', [(0, 10), (10, 0), (4097, 10), (10, -1)])
def test_other_sizes_are_refused(renderer, size):
    """The message must name the size and its limit."""
    with pytest.raises(RenderingError, match='4096'):
        capture(renderer, engine_of(ground=True), ImageKind.COLOR, size=size)


@pytest.mark.parametrize(
    ('fov', 'aspect'), [(0.0, 1.0), (math.pi, 1.0), (math.nan, 1.0), (1.0, 0.0), (1.0, math.inf)]
)
def test_viewpoints_without_a_view_are_refused(fov, aspect):
    """A field of view must be below 180 degrees, and an aspect ratio positive."""
    with pytest.raises(RenderingError):
        Viewpoint(EYE, fov, aspect)


def test_a_state_shows_its_own_instant(renderer):
    """A ball that moved after the copy must be where it was when the state was copied."""
    engine = engine_of(ball('ball', (3.0, -0.5, 1.0), linear_velocity=(0.0, 1.0, 0.0)))
    states, copies = SceneStates(), []
    for _ in range(5):
        copies.append(states.copy(engine))
        engine.step(0.2)
    for number in (4, 0, 2, 1, 3):
        state = copies[number]
        image = renderer.capture(state, ImageKind.SEGMENTATION, VIEW, WIDTH, HEIGHT)
        rows, columns = np.nonzero(image == state.scene.names.index('ball'))
        expected = pixel_of((3.0, -0.5 + 0.2 * number, 1.0))
        assert state.time_ns == number * 200_000_000
        assert (columns.mean(), rows.mean()) == pytest.approx(expected, abs=0.4)


def test_what_is_spawned_and_deleted_is_seen_so(renderer):
    """Images of states before and after must differ by the thing, whichever is made first."""
    states = SceneStates()
    engine = engine_of(ball('left', (3.0, 0.4, 1.0), color=(1.0, 0.0, 0.0, 1.0)))
    before = states.copy(engine)
    engine.spawn([ball('right', (3.0, -0.4, 1.0), color=(0.0, 1.0, 0.0, 1.0))])
    with_both = states.copy(engine)
    engine.delete(['left'])
    after = states.copy(engine)
    shown = ((after, {'right'}), (before, {'left'}), (with_both, {'left', 'right'}))
    for state, expected in shown:
        image = renderer.capture(state, ImageKind.SEGMENTATION, VIEW, WIDTH, HEIGHT)
        assert {state.scene.names[each] for each in np.unique(image) if each >= 0} == expected
        colors = renderer.capture(state, ImageKind.COLOR, VIEW, WIDTH, HEIGHT)
        red, green, _ = np.moveaxis(colors.astype(int), 2, 0)
        assert (red > green + 100).any() == ('left' in expected)
        assert (green > red + 100).any() == ('right' in expected)


def test_parts_are_named(renderer):
    """Each part of an arm must be found where its joint has turned it."""
    rod = Shape(Box((0.1, 0.1, 1.0)), Pose((0.0, 0.0, -0.5)))
    hinge = Joint('shoulder', JointKind.HINGE, (1.0, 0.0, 0.0))
    base = Part('base', shapes=(Shape(Box((0.1, 0.1, 0.1))),))
    arm = Entity(
        'arm',
        pose=Pose((3.0, 0.0, 1.5)),
        parts=(base, Part('rod', 'base', joint=hinge, shapes=(rod,))),
        movable=False,
    )
    engine = engine_of(arm)
    engine.set_state(
        'arm', EntityState(arm.pose, joints={'shoulder': JointState((math.pi / 2,), (0.0,))})
    )
    state = SceneStates().copy(engine)
    image = renderer.capture(state, ImageKind.PARTS, VIEW, WIDTH, HEIGHT)
    rows, columns = np.nonzero(image == state.scene.parts.index(('arm', 'rod')))
    # Turned about x, what hung down points to the left.
    assert np.mean([columns.min(), columns.max()]) == pytest.approx(
        pixel_of((3.0, 0.5, 1.5))[0], abs=2.0
    )
    assert rows.mean() == pytest.approx(pixel_of((3.0, 0.5, 1.5))[1], abs=1.0)
    assert (image == state.scene.parts.index(('arm', 'base'))).any()


def test_only_shapes_of_the_present_state_are_seen(renderer):
    """A lamp that is switched on must show the shape of "on", and none that only collides."""
    shapes = (
        Shape(Box((0.2, 0.5, 0.2)), state='switch:on', use=ShapeUse.VISUAL),
        Shape(Box((0.2, 0.2, 0.5)), state='switch:', use=ShapeUse.VISUAL),
        Shape(Box((0.2, 2.0, 2.0)), use=ShapeUse.COLLISION),
        Shape(LineSet(np.zeros((2, 3)), np.array([[0, 1]], np.int32)), use=ShapeUse.VISUAL),
    )
    lamp = Entity(
        'lamp',
        pose=Pose((3.0, 0.0, 1.0)),
        parts=(Part('body', shapes=shapes),),
        movable=False,
        states={'switch': 'off'},
    )
    engine, states = engine_of(lamp), SceneStates()
    off = states.copy(engine)
    engine.show_state('lamp', 'switch', 'on')
    on = states.copy(engine)
    for state, is_wide in ((on, True), (off, False)):
        image = renderer.capture(state, ImageKind.SEGMENTATION, VIEW, WIDTH, HEIGHT)
        rows, columns = np.nonzero(image >= 0)
        assert (np.ptp(columns) > np.ptp(rows)) == is_wide


def test_models_of_mujoco_are_seen_with_their_tendons(renderer):
    """What a model draws by itself must belong to its entity; its marks must not be seen."""
    text = """<mujoco><worldbody><body name="a"><geom name="g" size="0.05"/>
      <site name="s" pos="0 0.5 0" size="0.3"/><site name="t" pos="0 0 0.5" size="0.3"/>
      </body></worldbody>
      <tendon><spatial name="rope" width="0.05"><site site="s"/><site site="t"/></spatial>
      </tendon></mujoco>"""
    robot = Entity('robot', pose=Pose((3.0, 0.0, 1.0)), model=Model(ModelFormat.MJCF, text))
    state = SceneStates().copy(engine_of(robot))
    image = renderer.capture(state, ImageKind.PARTS, VIEW, WIDTH, HEIGHT)
    assert set(np.unique(image)) == {-1, state.scene.parts.index(('robot', 'a'))}
    # The middle of the rope, and the middle of a site.
    for point, is_seen in (((3.0, 0.25, 1.25), True), ((3.0, 0.6, 1.0), False)):
        column, row = np.rint(pixel_of(point)).astype(int)
        assert (image[row, column] >= 0) == is_seen


def test_a_camera_inside_of_a_body_works(renderer):
    """It must look through the body to the outside, as its faces are seen from outside only."""
    around = thing('around', Box((0.5, 0.5, 0.5)), EYE.position)
    image = names_in(renderer, engine_of(around, ball('ball', (3.0, 0.0, 1.0))))
    assert image[HEIGHT // 2, WIDTH // 2] == 'ball'
    assert not (image == 'around').any()


def test_the_camera_of_an_entity_moves_with_its_part(renderer):
    """Its viewpoint must be that of the part, which has turned with the entity."""
    camera = Camera(1, '', Pose((0.3, 0.0, 0.0)), FOV, WIDTH / HEIGHT)
    robot = thing('robot', Box((0.2, 0.2, 0.2)), (0.0, 0.0, 1.0), cameras=(camera,))
    engine = engine_of(robot, ball('ball', (0.0, 3.3, 1.0), radius=0.05))
    half = math.sqrt(0.5)
    engine.set_state('robot', EntityState(Pose((0.0, 0.0, 1.0), (0.0, 0.0, half, half))))
    view = viewpoint_of(engine, 'robot', camera)
    assert view.pose.position == pytest.approx((0.0, 0.3, 1.0))
    rows, columns = np.nonzero(names_in(renderer, engine, view=view) == 'ball')
    assert columns.mean() == pytest.approx((WIDTH - 1) / 2, abs=0.3)
    assert rows.mean() == pytest.approx((HEIGHT - 1) / 2, abs=0.3)


def test_many_things_have_their_own_names(renderer):
    """More than 256 segments must not be confused."""
    grid = [(4.0, 0.1 * column, 0.1 * row + 0.5) for column in range(-9, 9) for row in range(17)]
    things = [ball(f'{number}', each, radius=0.04) for number, each in enumerate(grid)]
    image = names_in(renderer, engine_of(*things), size=(640, 480))
    for number, position in enumerate(grid):
        column, row = np.multiply(pixel_of(position), 4).astype(int) + 1
        assert image[row, column] == str(number)


def test_a_lost_context_is_opened_again(renderer, driver):
    """After the driver has dropped everything, the next image must be as before."""
    engine = engine_of(ball('ball', (3.0, 0.4, 1.0), color=(1.0, 0.0, 0.0, 1.0)))
    before = capture(renderer, engine, ImageKind.COLOR)
    lose_context(driver)
    assert (capture(renderer, engine, ImageKind.COLOR) == before).all()
    assert renderer.reopened == 1


def lose_context(driver):
    """Take the display away from the driver, as after a reset of the graphics card."""
    if driver.value != 'egl':
        pytest.skip('only EGL has a display that can be lost')
    from mujoco import egl  # noqa: PLC0415 (it binds PyOpenGL to EGL)

    egl.EGL.eglReleaseThread()
    egl.EGL.eglTerminate(egl.EGL_DISPLAY)
