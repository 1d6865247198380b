# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Makes the descriptor set that `world_model_core.match.ssl.wire` loads.

Run `python3 proto/build.py` after editing a .proto file; needs grpcio-tools.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

SOURCES = Path(__file__).resolve().parent
TARGET = SOURCES.parent / 'world_model_core' / 'match' / 'ssl' / 'ssl.binpb'


def compile_descriptors() -> bytes:
    """
    Compile every .proto file beside this one.

    Returns
    -------
    bytes
        A serialized FileDescriptorSet without source info, the files in order of their names.

    Raises
    ------
    SystemExit
        protoc refuses a file; it has told why on stderr.

    """
    files = sorted(path.name for path in SOURCES.glob('*.proto'))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'ssl.binpb'
        status = protoc.main(['protoc', f'-I{SOURCES}', f'--descriptor_set_out={out}', *files])
        if status:
            raise SystemExit(status)
        return out.read_bytes()


if __name__ == '__main__':
    TARGET.write_bytes(compile_descriptors())
    sys.stdout.write(f'wrote {TARGET}\n')
