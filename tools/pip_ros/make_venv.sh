#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# make_venv.sh PYTHON VENV DISTRO: a fresh virtual environment with ROS 2 from PyPI.
# Begins anew each time: an interrupted pip can leave half a package that it later takes for whole.
set -euo pipefail

python=$1 venv=$2 distro=$3
list=$(dirname "$0")/$distro.txt

fail() {
  printf 'error: %s\n' "$@" >&2
  exit 1
}

[ "$(uname -sm)" = 'Linux x86_64' ] ||
  fail "PyPI has ROS 2 for x86-64 Linux only; this is $(uname -sm)"
[ -r "$list" ] || fail "DISTRO=$distro is not known: kilted or jazzy"
command -v "$python" >/dev/null ||
  fail "$python is not there: sudo apt install python3, or name another one: make PYTHON=python3.12"

# The interpreter itself, should $python be the one of the very environment made anew here.
python=$("$python" -c 'import sys; print(sys._base_executable)')
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
case $version in
  3.10 | 3.11 | 3.12 | 3.13) ;;
  *) fail "$python is Python $version; 3.10 to 3.13 will do: make PYTHON=python3.12" ;;
esac

# All that is missing is named at once. Debian names its packages after the interpreter.
missing=()
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=("$(basename "$python")-venv")
header=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
[ -r "$header" ] || missing+=("$(basename "$python")-dev")
{ command -v gcc && command -v g++; } >/dev/null || missing+=('g++')
[ ${#missing[@]} -eq 0 ] || fail "this machine lacks something: sudo apt install ${missing[*]}"

if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ]; then
  fail "$venv is there and is not a virtual environment: move it, or choose another: make VENV=..."
fi
rm -rf "$venv"
echo "Python $version: making $venv with ROS 2 $distro from PyPI (about 100 MB, a minute or two)"
"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$list" ||
  fail "pip could not install ROS 2; see above." \
    "It needs the network, or a mirror of PyPI in PIP_INDEX_URL. Run make again: it starts anew."
