"""Each shared link has its own path, whose answer has a title, a sentence and a picture of the board."""

import re
import struct
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from html import unescape

import pytest

from connectk.puzzles import puzzle_of_day, shipped_puzzles
from connectk.server.link_previews import MAX_LINK_CHARS
from tests.server.clients import INVITED, ME, make
from tests.server.serving import serving, settings_for

TAG = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')
# What the Open Graph protocol and Twitter's cards ask of a page.
REQUIRED = {"og:title", "og:type", "og:image", "og:url", "twitter:card", "twitter:title", "twitter:image"}


def tags_of(answer):
    return {name: unescape(text) for name, text in TAG.findall(answer.text)}


def picture_size(png):
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize(
    ("link", "screen", "title", "words"),
    [
        ("g/7x6x4/445", "/game/7x6x4/445", "A game of Connect Four", "3 discs. Second player to move."),
        ("g/7x6x4", "/game/7x6x4/-", "A game of Connect Four", "0 discs. First player to move."),
        ("g/7x6x4/1212121", "/game/7x6x4/1212121", "A game of Connect Four", "7 discs. First player wins."),
        ("g/9x7x5/5", "/game/9x7x5/5", "A game on 9 × 7, 5 in a row", "1 disc. Second player to move."),
        ("g/7x6x4/-/4xo", "/game/7x6x4/-/4xo", "A game of Connect Four", "2 discs. First player to move."),
        ("g/7x6x4/4453/-/2.35", "/game/7x6x4/4453/-/2.35", "A game of Connect Four", "4 discs. First player to move."),
        ("p/7x6x4/2026-11-16", "/puzzle/7x6x4/2026-11-16", "Puzzle of the day, 2026-11-16", None),
    ],
)
def test_a_link_says_what_it_shows_and_opens_the_screen(client, link, screen, title, words):
    answer = client.get(f"/{link}")
    tags = tags_of(answer)
    assert answer.status_code == 200
    assert f'data-screen="/#{screen}"' in answer.text
    assert tags.keys() >= REQUIRED
    assert tags["og:title"] == title
    assert words is None or tags["og:description"] == words
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    assert tags["og:image"].startswith(f"http://127.0.0.1:{client.port}/previews/")
    picture = client.get(tags["og:image"])
    assert picture.headers["content-type"] == "image/png"
    assert picture_size(picture.content) == (1200, 630)
    assert client.head(f"/{link}").status_code == 200


@pytest.mark.parametrize("path", ["/", "/index.html"])
def test_the_home_page_has_a_preview_with_complete_addresses(client, path):
    home = f"http://127.0.0.1:{client.port}/"
    answer = client.get(path)
    tags = tags_of(answer)
    assert tags.keys() >= REQUIRED
    assert (tags["og:url"], tags["og:image"]) == (home, tags["twitter:image"])
    picture = client.get(tags["og:image"])
    assert tags["og:image"].startswith(home)
    assert picture_size(picture.content) == (int(tags["og:image:width"]), int(tags["og:image:height"])) == (1200, 630)
    unchanged = client.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    moved = client.get(path, headers={"host": "four.example"})
    assert tags_of(moved)["og:image"] == "http://four.example/icons/preview.png"
    assert 'content="icons/preview.png"' in client.get(path, headers={"host": "four.example/<b>"}).text
    assert client.head(path).status_code == 200


def test_every_puzzle_of_ours_has_a_link_and_others_do_not(client):
    puzzle = puzzle_of_day(date(2026, 11, 16))
    tags = tags_of(client.get(f"/p/7x6x4/{puzzle.start}"))
    assert tags["og:title"] == "A Connect Four puzzle"
    assert "to move" in tags["og:description"]
    assert client.get("/p/7x6x4/4xo").status_code == 404
    assert len(shipped_puzzles()) > 1


def test_the_link_speaks_the_language_of_who_shared_it(client):
    tags = tags_of(client.get("/g/7x6x4/445?lang=fi"))
    assert tags["og:title"] == "Neljän suoran peli"
    assert tags["og:image"].endswith("?lang=fi")
    assert tags_of(client.get("/g/7x6x4/445", headers={"accept-language": "sv"}))["og:title"] == "Ett parti Fyra i rad"


def test_an_invitation_names_the_host_but_carries_no_secret(client):
    made = make(client, first={**ME, "name": "Ann"}, second=INVITED, variant={"width": 9, "height": 7, "run": 5})
    match_id, invitation = made["match"]["id"], made["invitation"]
    answer = client.get(f"/i/{match_id}")
    assert tags_of(answer)["og:title"] == "Ann wants to play with you"
    assert "9 × 7" in tags_of(answer)["og:description"]
    assert invitation not in answer.text
    assert made["secret"] not in answer.text
    assert f'data-screen="/#/join/{match_id}/"' in answer.text


def test_a_private_match_shows_nothing_that_an_unknown_one_does_not(client):
    """After a private match has begun, its links look like links to a match that does not exist."""
    made = make(client, first={**ME, "name": "Ann"}, second=INVITED, variant={"width": 9, "height": 7, "run": 5})
    match_id = made["match"]["id"]
    client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"], "name": "Bob"})
    begun, unknown = client.get(f"/i/{match_id}"), client.get(f"/i/{'0' * 32}")
    assert begun.text.replace(match_id, "0" * 32) == unknown.text
    assert client.get(f"/m/{match_id}").status_code == client.get(f"/m/{'0' * 32}").status_code == 404


def test_a_public_match_shows_its_players(client):
    made = make(
        client, first={**ME, "name": "Ann"}, second={"kind": "player", "player": "level:1", "name": "Moss"}, public=True
    )
    tags = tags_of(client.get(f"/m/{made['match']['id']}"))
    assert tags["og:title"] == "Ann – Moss"


@pytest.mark.parametrize(("player", "name"), [("level:1", "Pip"), ("mcts:100", "Monte Carlo")])
def test_a_computer_player_has_the_name_that_the_page_gives_it(client, player, name):
    made = make(client, first={**ME, "name": "Ann"}, second={"kind": "player", "player": player}, public=True)
    assert tags_of(client.get(f"/m/{made['match']['id']}"))["og:title"] == f"Ann – {name}"


@pytest.mark.parametrize(
    "link",
    [
        "g/",
        "g/7x6x4/9",
        "g/7x6x4/4444444",
        "g/7x6x4/12121212",
        "g/7x6x4/4/-/1.x",
        "g/7x6x4/4/-/1.9999",
        "g/7x6x4/445/-/2.3/more",
        "g/0x0x0",
        "g/999999999x999999999x4",
        "g/100000x100000x4",
        "g/7x6x4/-/" + "z" * 50,
        "g/7x6x4/" + "4" * (MAX_LINK_CHARS + 1),
        "g/../../etc/passwd",
        "g/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "g/%00",
        "g/7x6x4/٤٤",
        "g/<script>",
        "p/7x6x4",
        "p/3x3x3/today",
        "p/7x6x4/2026-13-45",
        "p/7x6x4/tomorrow",
        "i/",
        "i/nobody",
        "i/" + "0" * 33,
        "m/" + "g" * 32,
    ],
)
def test_what_leads_nowhere_is_the_page_of_missing_things(client, link):
    answer = client.get(f"/{link}")
    assert answer.status_code == 404
    picture = client.get(f"/previews/{link}.png")
    assert picture.status_code == 404


def test_the_page_of_missing_things_is_designed(client):
    answer = client.get("/g/7x6x4/9")
    assert "<h1>404</h1>" in answer.text
    assert answer.headers["content-security-policy"].endswith("frame-ancestors 'none'; object-src 'none'")


def test_nothing_of_an_address_is_repeated_as_html(client):
    """A page behind a link shows only values parsed from its address, never the address itself or a foreign host
    name."""
    answer = client.get('/p/7x6x4/today?lang="><script>', headers={"host": 'evil"><script>'})
    assert "evil" not in answer.text
    assert '"><script>' not in answer.text


def test_a_picture_of_a_huge_board_is_bounded(client):
    answer = client.get("/previews/g/100x100x4/50,50,51.png")
    assert answer.status_code == 200
    assert picture_size(answer.content) == (1200, 630)
    assert len(answer.content) < 200_000


def test_a_flood_of_pictures_is_limited_and_costs_others_nothing(tmp_path):
    """An address may request a limited number of new pictures. Cached pictures are free, and files have a separate
    limit."""
    with serving(settings_for(tmp_path, address_uploads=3)) as client:
        links = [f"/previews/g/7x6x4/{column}.png" for column in range(1, 8)]
        statuses = [client.get(link).status_code for link in links]
        assert statuses == [200] * 3 + [429] * 4
        assert [client.get(link).status_code for link in links[:3]] == [200] * 3
        assert client.get("/g/7x6x4/7").status_code == 200
        assert client.post("/api/page/qr", json={"text": "http://x"}).status_code == 200  # files are counted apart


def test_many_who_ask_at_once_wait_for_one_drawing(tmp_path):
    with serving(settings_for(tmp_path, address_uploads=1)) as client:
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda _: client.get("/previews/g/7x6x4/4.png"), range(16)))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1


def test_behind_a_proxy_the_picture_has_the_scheme_of_the_readers(tmp_path):
    """Behind our own proxy, the preview picture's complete address has the scheme that the proxy reports."""
    headers = {"host": "four.example", "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}
    with serving(settings_for(tmp_path, proxies=1)) as client:
        tags = tags_of(client.get("/g/7x6x4/4", headers=headers))
        assert tags["og:image"] == "https://four.example/previews/g/7x6x4/4.png"


def test_who_forwards_without_being_our_proxy_is_not_believed(client):
    tags = tags_of(client.get("/g/7x6x4/4", headers={"x-forwarded-proto": "https"}))
    assert tags["og:image"].startswith("http://127.0.0.1")


def may_be_framed(answer):
    policy, frames = answer.headers["content-security-policy"], answer.headers.get("x-frame-options")
    assert ("frame-ancestors *" in policy) == (frames is None)
    return frames is None


@pytest.mark.parametrize("path", ["/embed/", "/embed/?lang=fi", "/g/7x6x4/4453?embed", "/p/7x6x4/today?embed&lang=sv"])
def test_these_paths_may_be_framed(client, path):
    assert may_be_framed(client.get(path))


def test_an_unchanged_page_may_still_be_framed(client):
    """A 304 answer allows framing like the full answer, because a browser applies its headers to the cached page."""
    etag = client.get("/embed/").headers["etag"]
    answer = client.get("/embed/", headers={"if-none-match": etag})
    assert answer.status_code == 304
    assert may_be_framed(answer)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?embed",
        "/index.html?embed",
        "/embed",
        "/embed/index.html",
        "/embed/x",
        "/embed//",
        "/embed/%2e%2e/",
        "/embed/..",
        f"/i/{'0' * 32}?embed",
        f"/m/{'0' * 32}?embed",
        "/g/7x6x4/9?embed",
        "/api/about?embed",
        "/EMBED/",
        "/api/docs",
    ],
)
def test_no_other_path_may_be_framed(client, path):
    assert not may_be_framed(client.get(path))


def test_a_frame_gets_the_language_and_nothing_else_of_the_address(client):
    answer = client.get("/g/7x6x4/445?embed&lang=fi&x=//evil")
    assert answer.status_code == 302
    assert answer.headers["location"] == "/embed/?lang=fi#/game/7x6x4/445"
