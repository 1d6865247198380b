# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Renders the example bundle for docs/explanation/bundle.md, from above and from the street.

Run it with `python tools/bundle_pictures.py`; it writes docs/images/bundle_example.png.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.rendering.png import png
from world_model_core.bundle.rendering.splat_picture import PictureCamera, draw_splats
from world_model_core.examples.village.example import SKY, VIEW, example_bundle

if TYPE_CHECKING:
    from world_model_core.bundle.bundle import WorldBundle

PICTURE = Path(__file__).resolve().parents[1] / 'docs/images/bundle_example.png'
WIDTH, HEIGHT = VIEW.width // 2, 270
EYE_HEIGHT, FIELD = 1.6, 1.3  # [m], [rad]


def street_views(bundle: WorldBundle) -> tuple[PictureCamera, PictureCamera]:
    """Return the views from the start of the vehicle, and of the roundabout."""
    pose = bundle.timebase.initial.pose
    eye = pose.translation + np.array((0.0, 0.0, EYE_HEIGHT))
    x, y, z = (eye + pose.rotation[:, 0]).tolist()
    start = PictureCamera(tuple(eye.tolist()), (x, y, z), WIDTH, HEIGHT, FIELD)
    return start, PictureCamera((-24.0, -10.0, 3.5), (4.0, 0.0, 1.5), WIDTH, HEIGHT, FIELD)


def main() -> None:
    """Render and write the picture."""
    bundle = example_bundle()
    above, *street = (
        draw_splats(bundle.splats, view, SKY) for view in (VIEW, *street_views(bundle))
    )
    PICTURE.write_bytes(png(np.vstack((above, np.hstack(street)))))


if __name__ == '__main__':
    main()
