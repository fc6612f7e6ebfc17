"""The server compresses the page's own files once, and sends a file again only after a change."""

import os

import httpx
import pytest

from connectk.server.routes import page
from connectk.server.routes.page import PAGE_FOLDER, CompressedFiles

UNCOMPRESSED = {"accept-encoding": "identity"}


@pytest.mark.parametrize(
    "path", ["/", "/js/board/board.js", "/core/connectk.wasm", "/texts/later/fi.json", "/lessons/lessons.json"]
)
def test_a_compressed_file_is_the_file_itself(client, path):
    whole, first, again = client.get(path, headers=UNCOMPRESSED), client.get(path), client.get(path)
    assert whole.content == first.content == again.content
    assert "content-encoding" not in whole.headers
    assert first.headers["content-encoding"] == again.headers["content-encoding"] == "gzip"
    assert int(again.headers["content-length"]) < len(whole.content) == int(whole.headers["content-length"])
    for name in ("etag", "last-modified", "content-type", "cache-control", "vary"):
        assert whole.headers.get(name) == first.headers.get(name) == again.headers.get(name)
    assert client.get(path, headers={"if-none-match": again.headers["etag"]}).status_code == 304


def test_ranges_head_requests_and_compressed_files_are_sent_as_they_are(client):
    part, head = client.get("/js/board/board.js", headers={"range": "bytes=2-9"}), client.head("/js/board/board.js")
    assert (part.status_code, part.content) == (206, (PAGE_FOLDER / "js" / "board" / "board.js").read_bytes()[2:10])
    assert int(head.headers["content-length"]) == (PAGE_FOLDER / "js" / "board" / "board.js").stat().st_size
    for path in ("/icons/icon-512.png", "/core/connectk.json", "/book/7x6x4.book"):
        assert "content-encoding" not in client.get(path).headers


@pytest.mark.parametrize(
    "path", ["/../server/app.py", "/..%2fserver%2fapp.py", "/__init__.py", "//etc/passwd", "/js/%00"]
)
def test_nothing_beside_the_page_is_sent(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.anyio
async def test_an_edited_file_is_compressed_again(tmp_path):
    file = tmp_path / "a.js"
    async with _asking(CompressedFiles(tmp_path)) as client:
        for text, changed in (("a" * 1000, 1), ("b" * 1000, 2), ("c" * 2000, 2)):
            file.write_text(text)
            os.utime(file, (changed, changed))
            assert [(await client.get("/a.js")).text for _ in range(2)] == [text, text]


@pytest.mark.anyio
async def test_a_file_is_compressed_once_and_the_cache_is_bounded(tmp_path, monkeypatch):
    compressed, compress = [], page._compress
    monkeypatch.setattr(page, "MAX_COMPRESSED_FILES", 2)
    monkeypatch.setattr(page, "_compress", lambda response: compressed.append(response.path[-4:]) or compress(response))
    for name in "abc":
        (tmp_path / f"{name}.js").write_text(name * 1000)
    async with _asking(CompressedFiles(tmp_path)) as client:
        for name in "aabbacab":
            assert (await client.get(f"/{name}.js")).text == name * 1000
    assert compressed == ["a.js", "b.js", "c.js", "b.js"]


def _asking(files):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=files), base_url="http://here")
