"""Update files: all wheels of a version, and a manifest with their checksums, signed by the makers.

The file is a zip; the signature is OpenSSH's (`ssh-keygen -Y sign`), so that nothing need be installed to verify it.
"""

import hashlib
import math
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import IO

import msgspec

from companion.errors import NotNow, WrongInput

VERSION = 1
MANIFEST = "manifest.json"
SIGNATURE = "manifest.json.sig"
ENDING = ".update"
SIGNERS = Path(__file__).parent / "allowed_signers"
_WHO = "makers"
_WHAT = "table-companion-update"
_WHEEL = re.compile(r"[A-Za-z0-9_.]+(-[A-Za-z0-9_.]+)+\.whl")
_NUMBER = re.compile(r"\d+(\.\d+)*")
_DAMAGED = (zipfile.BadZipFile, KeyError, EOFError, UnicodeDecodeError, msgspec.DecodeError, RuntimeError)
"""Exceptions for a damaged zip: its structure, a name, its end, its characters, the manifest, its compression."""
_SMALL = 1_000_000
"""Most bytes of a manifest or a signature."""


class UpdateManifest(msgspec.Struct, frozen=True):
    """The manifest of an update."""

    update: int
    """The version of the manifest's format."""
    version: str
    files: dict[str, str]
    """The SHA-256 of each wheel, by name."""


def pack(wheels: Path, version: str, key: Path, to: Path) -> None:
    """Write an update, signed with an OpenSSH private key. Raises `NotNow` and OSError."""
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(wheels.glob("*.whl"))}
    content = msgspec.json.format(msgspec.json.encode(UpdateManifest(VERSION, version, files)))
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder) / MANIFEST
        manifest.write_bytes(content)
        _ssh_keygen("sign", "-f", str(key), "-n", _WHAT, str(manifest))
        with zipfile.ZipFile(to, "w") as packed:  # uncompressed: wheels are compressed already
            for path in (manifest, Path(folder) / SIGNATURE, *(wheels / name for name in files)):
                # Without the file's own time, so that packing again gives the same bytes.
                with path.open("rb") as inside, packed.open(zipfile.ZipInfo(path.name), "w") as outside:
                    shutil.copyfileobj(inside, outside)


def unpack(file: Path, to: Path, signers: Path = SIGNERS) -> str:
    """Verify an update, and unpack its wheels into a folder; return its version.

    Raises `WrongInput` for a file that is damaged, or not signed by a key in the signers' file.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            content, signature = (_small(packed, name) for name in (MANIFEST, SIGNATURE))
            _see_that_it_is_signed(file, content, signature, signers)
            manifest = msgspec.json.decode(content, type=UpdateManifest)
            if manifest.update != VERSION or not _NUMBER.fullmatch(manifest.version):
                raise WrongInput(f"{file} is an update of a kind that this companion does not know")
            for name, digest in manifest.files.items():
                if not _WHEEL.fullmatch(name):
                    raise WrongInput(f"{file} holds {name!r}, which is not a wheel")
                with _opened(packed, name) as inside, (to / name).open("wb") as outside:
                    shutil.copyfileobj(inside, outside)
                with (to / name).open("rb") as written:
                    if hashlib.file_digest(written, "sha256").hexdigest() != digest:
                        raise WrongInput(f"{file} is damaged: {name} is not what was signed. Copy it again")
            return manifest.version
    except _DAMAGED as wrong:
        raise WrongInput(f"{file} is damaged, or not an update: {wrong}. Copy it again") from wrong
    except OSError as wrong:
        raise NotNow(f"can't unpack {file}: {wrong.strerror}. Nothing was changed") from wrong


def peek(file: Path) -> str:
    """Return the version that a file claims to contain, unverified; "" if none."""
    try:
        with zipfile.ZipFile(file) as packed:
            version = msgspec.json.decode(_small(packed, MANIFEST), type=UpdateManifest).version
    except (*_DAMAGED, OSError, WrongInput):
        return ""
    return version if _NUMBER.fullmatch(version) else ""


def order(version: str) -> tuple[tuple[int, ...], float]:
    """Return the sort key of a version; a development version, "0.3.0.dev0", comes before its release."""
    release, _, under_way = version.partition(".dev")
    return tuple(map(int, re.findall(r"\d+", release))), int(under_way) if under_way.isdigit() else math.inf


def _small(packed: zipfile.ZipFile, name: str) -> bytes:
    if packed.getinfo(name).file_size > _SMALL:
        raise WrongInput(f"{packed.filename} is not an update: its {name} is too long")
    with _opened(packed, name) as inside:
        return inside.read()


def _opened(packed: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Open a file in an update; none may be compressed, so that no decompressor sees unverified data."""
    if packed.getinfo(name).compress_type != zipfile.ZIP_STORED:
        raise zipfile.BadZipFile(f"{name} is compressed, as none of ours ever is")
    return packed.open(name)


def _see_that_it_is_signed(file: Path, content: bytes, signature: bytes, signers: Path) -> None:
    with tempfile.NamedTemporaryFile() as signature_file:
        signature_file.write(signature)
        signature_file.flush()
        try:
            _ssh_keygen(
                "verify", "-f", str(signers), "-I", _WHO, "-n", _WHAT, "-s", signature_file.name, content=content
            )
        except NotNow as wrong:
            raise WrongInput(f"{file} is not signed by the makers: it was not touched ({wrong})") from wrong


def _ssh_keygen(action: str, *words: str, content: bytes = b"") -> None:
    try:
        done = subprocess.run(["ssh-keygen", "-Y", action, *words], input=content, capture_output=True, check=False)
    except FileNotFoundError:
        raise NotNow("ssh-keygen is needed and is not installed: sudo apt install openssh-client") from None
    if done.returncode:
        complaint = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        raise NotNow(complaint[-1] if complaint else f"ssh-keygen ended with {done.returncode}")
