# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Multicast groups and ports of the league, and the ports of its simulators."""

from world_model_core.match.values import Channel

GROUPS = {
    Channel.VISION: '224.5.23.2',
    Channel.TRACKER: '224.5.23.2',
    Channel.REFEREE: '224.5.23.1',
}
REAL_PORTS = {Channel.VISION: 10006, Channel.TRACKER: 10010, Channel.REFEREE: 10003}
SIMULATION_PORTS = {Channel.VISION: 10020, Channel.TRACKER: 11010, Channel.REFEREE: 11003}
