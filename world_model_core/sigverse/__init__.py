# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Packets of SIGVerse's first protocol (2009 to 2014) and its recordings: bytes <-> values."""
