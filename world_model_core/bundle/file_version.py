# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Versions of the files of a bundle: MAJOR.MINOR.PATCH, separately for each file.

The same MAJOR version is accepted; a newer MINOR version causes a warning. tf_static.json needs no
version.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.files.value_schemas import Text

if TYPE_CHECKING:
    from world_model_core.files.parsed_document import ValueLocation

# Supported version of the contract.
MAJOR, MINOR = 1, 0
# Semantic Versioning 2.0.0, sections 2, 9 and 10.
_PART = r'(0|[1-9]\d{0,8})'
SEMANTIC = re.compile(rf'{_PART}\.{_PART}\.{_PART}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?')


@dataclass(frozen=True, slots=True)
class Version:
    """Schema of the version of a file."""

    def read(self, value: Any, location: ValueLocation) -> str | None:
        """Return the version as written."""
        text = Text().read(value, location)
        if text is None:
            return None
        parts = SEMANTIC.fullmatch(text)
        if parts is None:
            location.report('File.VersionMalformed', found=text)
            return None
        major, minor = int(parts[1]), int(parts[2])
        if major != MAJOR:
            location.report('File.VersionUnsupported', found=text, supported=f'{MAJOR}.x.y')
            return None
        if minor > MINOR:
            location.report('File.VersionNewer', found=text, supported=f'{MAJOR}.{MINOR}.x')
        return text
