# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Run the benchmarks and write their results as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# Benchmark and room. Each is imported when it runs: most need no ROS.
ROOMS = {
    'match_throughput': 'match',
    'simulated_throughput': 'match',
    'latency': 'match',
    'tracker_quality': 'match',
    'robot_quality': 'match',
    'late_stamps': 'match',
    'goal_shots': 'match',
    'chip_quality': 'match',
    'forged_senders': 'match',
    'receiver_age': 'match',
    'relations_quality': 'objects',
    'object_map_quality': 'objects',
    'object_map_speed': 'objects',
    'journal_cost': 'objects',
    'journal_kills': 'objects',
    'statements_quality': 'objects',
    'answer_calibration': 'objects',
    'question_speed': 'objects',
    'robots_speed': 'uncertainty',
    'robots_sensing_speed': 'uncertainty',
    'distribution_checks': 'uncertainty',
    'kidnapping_recovery': 'uncertainty',
    'kalman_robustness': 'uncertainty',
    'bundle_splats': 'bundle',
    'splat_orders': 'bundle',
    'bundle_validation': 'bundle',
    'bundle_geometry_speed': 'bundle',
    'bundle_node': 'bundle',
    'agents': 'virtual_world',
    'agents_hashes': 'virtual_world',
    'controllers': 'virtual_world',
    'engine_speed': 'virtual_world',
    'odometry_consistency': 'virtual_world',
    'household_map': 'virtual_world',
    'capture_speed': 'virtual_world',
    'node_speed': 'virtual_world',
    'rollouts': 'virtual_world',
    'shape_parsing': 'virtual_world',
    'state_hashes': 'virtual_world',
    'visible_entities': 'virtual_world',
    'world_loading': 'virtual_world',
    'window_frames': 'view',
    'window_cpu': 'view',
    'picture_latency': 'view',
    'first_picture': 'view',
    'splat_frames': 'view',
    'response_times': 'runtime',
    'two_hosts': 'runtime',
    'stops': 'runtime',
    'respawn': 'runtime',
}


def main() -> None:
    """Run one benchmark, or all."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks',
        description=__doc__,
        epilog='example: python -m benchmarks match_throughput --json speed.json',
    )
    parser.add_argument('name', nargs='?', choices=ROOMS, help='the only one to run')
    parser.add_argument('--json', type=Path, metavar='FILE', help='write the numbers there, too')
    parser.add_argument(
        '--plot',
        type=Path,
        metavar='FILE',
        help='draw as PNG the cost by number of cameras, tracker_quality or answer_calibration',
    )
    arguments = parser.parse_args()
    names = (arguments.name,) if arguments.name else tuple(ROOMS)
    results: dict[str, Any] = {'python': sys.version.split()[0], 'machine': platform.platform()}
    for name in names:
        results[name] = import_module(f'benchmarks.{ROOMS[name]}.{name}').measure()
    # A busy machine increases latencies, and CPU times a little.
    results['load average, processors'] = (*os.getloadavg(), os.cpu_count())
    text = json.dumps(results, indent=2)
    print(text)
    if arguments.json:
        arguments.json.write_text(f'{text}\n', encoding='utf-8')
    if arguments.plot and 'simulated_throughput' in results:
        cameras = results['simulated_throughput']['cameras']
        import_module('benchmarks.match.cameras_plot').save_plot(cameras, arguments.plot)
    elif arguments.plot and 'tracker_quality' in results:
        conditions = results['tracker_quality']['conditions']
        import_module('benchmarks.match.tracking_plot').save_plot(conditions, arguments.plot)
    elif arguments.plot and 'answer_calibration' in results:
        module = import_module('benchmarks.objects.answer_calibration')
        module.save_plot(results['answer_calibration'], arguments.plot)


if __name__ == '__main__':
    main()
