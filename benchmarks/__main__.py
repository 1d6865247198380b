# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and writes what they measured as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# Imported one by one: those without ROS run where there is none.
NAMES = (
    'match_throughput',
    'simulated_throughput',
    'latency',
    'tracker_quality',
    'relations_quality',
    'object_map_quality',
    'object_map_speed',
    'statements_quality',
    'answer_calibration',
    'question_speed',
    'robots_speed',
    'robots_sensing_speed',
    'uncertainty_laws',
    'bundle_splats',
    'bundle_validation',
    'bundle_geometry_speed',
    'bundle_node',
)


def main() -> None:
    """Run one benchmark, or all."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks',
        description=__doc__,
        epilog='example: python -m benchmarks match_throughput --json speed.json',
    )
    parser.add_argument('name', nargs='?', choices=NAMES, help='the only one to run')
    parser.add_argument('--json', type=Path, metavar='FILE', help='write the numbers there, too')
    parser.add_argument(
        '--plot',
        type=Path,
        metavar='FILE',
        help='draw as PNG the cost by number of cameras, tracker_quality or answer_calibration',
    )
    arguments = parser.parse_args()
    names = (arguments.name,) if arguments.name else NAMES
    results: dict[str, Any] = {'python': sys.version.split()[0], 'machine': platform.platform()}
    for name in names:
        results[name] = import_module(f'benchmarks.{name}').measure()
    # Beside busy neighbours latencies, and CPU times a little, are theirs as well.
    results['load average, processors'] = (*os.getloadavg(), os.cpu_count())
    text = json.dumps(results, indent=2)
    print(text)
    if arguments.json:
        arguments.json.write_text(f'{text}\n', encoding='utf-8')
    if arguments.plot and 'simulated_throughput' in results:
        cameras = results['simulated_throughput']['cameras']
        import_module('benchmarks.cameras_plot').save_plot(cameras, arguments.plot)
    elif arguments.plot and 'tracker_quality' in results:
        conditions = results['tracker_quality']['conditions']
        import_module('benchmarks.tracking_plot').save_plot(conditions, arguments.plot)
    elif arguments.plot and 'answer_calibration' in results:
        module = import_module('benchmarks.answer_calibration')
        module.save_plot(results['answer_calibration'], arguments.plot)


if __name__ == '__main__':
    main()
