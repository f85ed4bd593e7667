"""Whether this machine has the letters that reports need. Boxes in place of Chinese must never reach a player."""

from __future__ import annotations

import shutil
import subprocess

CJK_SAMPLE = "婆廣"
"""Characters that only a font for Chinese has."""
PACKAGES = "fonts-noto-cjk (or the smaller fonts-wqy-microhei)"
"""Debian packages that bring such a font."""


class FontsMissing(RuntimeError):
    """No font for Chinese: the message names the Debian package to install."""


def check_fonts() -> None:
    """Raise FontsMissing unless fontconfig finds a font for Chinese; asked at the start of every sending process."""
    program = shutil.which("fc-list")
    if program is None:
        raise FontsMissing(f"fc-list is not here, so no fonts can be found: apt-get install fontconfig {PACKAGES}")
    charset = " ".join(f"{ord(ch):x}" for ch in CJK_SAMPLE)
    done = subprocess.run(
        [program, f":charset={charset}", "family"], capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    if done.returncode != 0 or not done.stdout.strip():
        raise FontsMissing(
            f"no installed font has Chinese characters, reports would show boxes: apt-get install {PACKAGES}"
        )
