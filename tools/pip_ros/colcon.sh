#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# colcon.sh WORKSPACE: builds and tests the project in a new workspace, as a ROS 2 machine does.
# The tests of a file run in one process (fixtures are shared), the files on all processors; with
# one process more than these, as tests of nodes also wait.
set -euo pipefail

project=$PWD
rm -rf "$1"
mkdir -p "$1/src"
ln -s "$project" "$1/src/world_model"
cd "$1"
colcon build --event-handlers console_direct+
colcon test --event-handlers console_direct+ --return-code-on-test-failure \
  --pytest-args -n "$(($(nproc) + 1))" --dist loadfile
# colcon test exits with 0 when no test ran, so check the count.
summary=$(colcon test-result --verbose | tee /dev/stderr | grep '^Summary: ')
[[ $summary != 'Summary: 0 tests'* ]] || { echo 'error: colcon ran no test' >&2; exit 1; }
