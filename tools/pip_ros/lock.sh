#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# lock.sh VENV: resolves the Python packages for Python 3.10 to 3.13 and writes each version with its hashes:
# ROS 2 with the dependencies of setup.py to tools/pip_ros/*.txt, the packages of Ubuntu 24.04 to
# tools/ubuntu_24_04/versions.txt.
set -euo pipefail

tools=$1/lock
"$1/bin/python" -m pip install -qq --disable-pip-version-check --root-user-action=ignore \
  --upgrade --target "$tools" uv

lock() {
  # Without the extras of a package, the pip of Python 3.10 takes it as not pinned.
  "$tools/bin/uv" pip compile --quiet --upgrade --universal --python-version 3.10 \
    --no-strip-extras --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
    --custom-compile-command 'make lock' --output-file "$@"
}

for distro in kilted jazzy; do
  lock "tools/pip_ros/$distro.txt" "tools/pip_ros/$distro.in" setup.py \
    --extra virtual --extra pieces --extra view --extra test --extra dev --extra docs
done
lock tools/ubuntu_24_04/versions.txt tools/ubuntu_24_04/versions.in
