#!/usr/bin/env bash
# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh: runs a simulated match, shows it for 15 seconds, and draws it and the errors of its predictions into
# demo_errors.png. Where Chromium is installed, it writes what the window shows to demo.png.
set -euo pipefail

export ROS_DOMAIN_ID=$(($$ % 101 + 1)) ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
log=demo.log plot=demo_errors.png picture=demo.png
# ROS domains do not separate multicast: own ports keep the demo apart from other matches on this machine.
port=$((20000 + $$ % 10000))
rm -f "$plot" "$picture"
# The link of the window is in it, which is for this user alone.
install -m 600 /dev/null "$log"

# A shell without a terminal starts background processes that ignore SIGINT.
env --default-signal=INT world_model run ssl_sim seed:=7 view:=true view_port:=0 \
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
if [ -x /usr/bin/chromium ]; then
  sed -n 's/.*window: //p' "$log" | python tools/window_pictures.py --link "$picture"
fi
kill -INT "$match" 2>/dev/null || fail 'the simulated match ended too early'
trap - EXIT
status=0
wait "$match" || status=$?
# 130 is the exit code after SIGINT.
[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || fail "the simulated match ended with $status"
echo "the match and the errors of its predictions: $PWD/$plot"
[ ! -f "$picture" ] || echo "the match in the window: $PWD/$picture"
