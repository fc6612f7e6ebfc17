"""Puts complete addresses into the page's HTML. Programs that preview links accept no other addresses."""

from __future__ import annotations

from html import escape

PICTURE_PATH = "icons/preview.png"
PICTURE_TAG = f'<meta property="og:image" content="{PICTURE_PATH}">'


def with_address(html: str, address: str) -> str:
    """The page with its own address and the addresses of its preview picture. `address` is that of the site."""
    home = f"{escape(address.rstrip('/'))}/"
    tags = [
        f'<meta property="og:url" content="{home}">',
        f'<meta property="og:image" content="{home}{PICTURE_PATH}">',
        f'<meta name="twitter:image" content="{home}{PICTURE_PATH}">',
    ]
    assert PICTURE_TAG in html
    return html.replace(PICTURE_TAG, "\n  ".join(tags))
