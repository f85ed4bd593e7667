"""The letters of reports: which families print them, and whether this machine has them; boxes must reach no player."""

from __future__ import annotations

import shutil
import subprocess

LATIN = ("Open Sans", "DejaVu Sans")
"""Families for Latin letters: a small one made for reading, then the one that comes with fontconfig."""
CHINESE = ("Noto Sans CJK TC", "WenQuanYi Micro Hei")
"""Families for Chinese, and for what the others lack."""
MONO = ("DejaVu Sans Mono",)
"""Families for order lines."""
CJK_SAMPLE = "婆廣"
"""Characters that only a font for Chinese has."""
PACKAGES = "fonts-noto-cjk (or the smaller fonts-wqy-microhei)"
"""Debian packages that bring a font for Chinese. Latin letters print best with fonts-open-sans, but never as boxes."""


class FontsMissing(RuntimeError):
    """No font for Chinese: the message names the Debian package to install."""


def family(language: str, mono: bool = False) -> str:
    """The value of `font-family` for a language: whose letters come first decides about figures and punctuation too."""
    plain = (*CHINESE, *LATIN) if language == "zh" else (*LATIN, *CHINESE)
    names = (*MONO, *plain) if mono else plain
    return ",".join(f"'{name}'" for name in names) + (",monospace" if mono else ",sans-serif")


def check_fonts() -> None:
    """Raise FontsMissing unless fontconfig finds a font for Chinese; asked at the start of every sending process."""
    program = shutil.which("fc-list")
    if program is None:
        raise FontsMissing(
            f"fc-list is not here, so no fonts can be found: apt-get install fontconfig fonts-open-sans {PACKAGES}"
        )
    charset = " ".join(f"{ord(ch):x}" for ch in CJK_SAMPLE)
    done = subprocess.run(
        [program, f":charset={charset}", "family"], capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    if done.returncode != 0 or not done.stdout.strip():
        raise FontsMissing(
            f"no installed font has Chinese characters, reports would show boxes: apt-get install {PACKAGES}"
        )
