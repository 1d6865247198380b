# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Writes the descriptor set that `world_model_core.match.ssl.wire` loads.

Run `python3 proto/build.py` after each change of a .proto file. It needs grpcio-tools.
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
    Compile all .proto files of this folder.

    Returns
    -------
    bytes
        A serialized FileDescriptorSet without source info; the files are sorted by name.

    Raises
    ------
    SystemExit
        protoc rejects a file; it reports the cause on stderr.

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
