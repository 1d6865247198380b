#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh: a simulated match, watched live for some seconds; then a picture of it in demo.png.
set -euo pipefail

export ROS_DOMAIN_ID=$(($$ % 101 + 1)) ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
log=demo.log plot=demo.png
# Multicast knows no domains: with ports of its own the demo meets no other match of the machine.
port=$((20000 + $$ % 10000))
rm -f "$plot"

# A shell that is no terminal's starts background processes deaf to SIGINT.
env --default-signal=INT world_model run ssl_sim seed:=7 \
  vision_port:="$port" referee_port:="$((port + 10000))" >"$log" 2>&1 &
match=$!
trap 'kill -INT "$match" 2>/dev/null || true; wait "$match" || true' EXIT
trap 'exit 130' INT TERM

fail() {
  tail -n 20 "$log" >&2
  printf 'error: %s; its output is in %s\n' "$1" "$log" >&2
  exit 1
}

world_model watch --seconds 15 --plot "$plot"
kill -INT "$match" 2>/dev/null || fail 'the simulated match ended before its time'
trap - EXIT
status=0
wait "$match" || status=$?
# 130 is the shell's word for an end by SIGINT.
[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || fail "the simulated match ended with $status"
echo "the picture of the match: $PWD/$plot"
