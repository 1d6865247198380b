# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What every node needs: lifecycle, parameters, QoS, diagnostics, clocks, UDP, transforms."""
