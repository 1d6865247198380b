#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# make_venv.sh PYTHON VENV DISTRO: creates a virtual environment with ROS 2 and all tools from PyPI, in the
# versions and with the hashes of DISTRO.txt. It always starts from nothing: an interrupted pip can leave
# a partial package that a later pip considers complete.
set -euo pipefail

python=$1 venv=$2 distro=$3
list=$(dirname "$0")/$distro.txt

fail() {
  printf 'error: %s\n' "$@" >&2
  exit 1
}

[ "$(uname -sm)" = 'Linux x86_64' ] ||
  fail "PyPI has ROS 2 for x86-64 Linux only; this machine is $(uname -sm)"
[ -r "$list" ] || fail "DISTRO: $distro is unknown; it can be kilted or jazzy"
command -v "$python" >/dev/null ||
  fail "$python is not installed: sudo apt install python3, or choose another: make PYTHON=python3.12"

# The base interpreter, in case $python belongs to the environment that is about to be replaced.
python=$("$python" -c 'import sys; print(sys._base_executable)')
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
case $version in
  3.10 | 3.11 | 3.12 | 3.13) ;;
  *) fail "$python is Python $version; use 3.10 to 3.13, for example: make PYTHON=python3.12" ;;
esac

# All missing packages are reported at once. Debian names them after the interpreter.
missing=()
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=("$(basename "$python")-venv")
header=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
[ -r "$header" ] || missing+=("$(basename "$python")-dev")
{ command -v gcc && command -v g++; } >/dev/null || missing+=('g++')
[ ${#missing[@]} -eq 0 ] || fail "packages are missing: sudo apt install ${missing[*]}"

if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ]; then
  fail "$venv exists and is not a virtual environment: move it, or choose another: make VENV=..."
fi
rm -rf "$venv"
echo "Python $version: creating $venv with ROS 2 $distro from PyPI (about 200 MB, one or two minutes)"
"$python" -m venv "$venv"
# -qq: pip's warnings here are about its own version and configuration; errors are still printed.
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --root-user-action=ignore \
  --require-hashes -r "$list" ||
  fail "pip could not install ROS 2; its message is above." \
    "It needs the network, or a mirror of PyPI in PIP_INDEX_URL. Run make again to start over."
