# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of building message packages."""


class BuildError(Exception):
    """A message package could not be built."""


class TypeHashError(BuildError):
    """A definition does not give the type hash of the released package."""


class CompilationError(BuildError):
    """The compiler rejected a generated source, or is not installed."""
