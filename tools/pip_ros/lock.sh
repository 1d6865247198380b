#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# lock.sh VENV: resolves tools/pip_ros/*.in and the dependencies of setup.py for Python 3.10 to 3.13, and
# writes each version with its hashes to tools/pip_ros/*.txt.
set -euo pipefail

tools=$1/lock
"$1/bin/python" -m pip install -qq --upgrade --target "$tools" uv
for list in tools/pip_ros/*.in; do
  "$tools/bin/uv" pip compile --quiet --upgrade --universal --python-version 3.10 \
    --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
    --custom-compile-command 'make lock' --extra test --extra dev --extra docs \
    --output-file "${list%.in}.txt" "$list" setup.py
done
