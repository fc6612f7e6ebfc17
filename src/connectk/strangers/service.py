"""Lets strangers play each other. It handles profiles, seeks, pairing, the results of games, and series."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from cachetools import LRUCache

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.notation.start import parse_start
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.protocols import NewMatch, StoreConflict
from connectk.play.refusals import MatchDamaged, MatchNotFound
from connectk.play.secrets_and_codes import ROOM_CODE_LETTERS, hash_secret, new_match_id, secret_matches
from connectk.play.service import MatchNews, MatchService, check_swap_discs
from connectk.rooms.names import clean_name, is_reserved
from connectk.rooms.ruling import NameReserved
from connectk.rules import Side, Variant
from connectk.strangers.profile import Profile
from connectk.strangers.protocols import EncounterPlayers, StoredSeek, StrangerStore
from connectk.strangers.rating import MIN_RATED_PLIES, level_near
from connectk.strangers.refusals import OwnSeek, ProfileNotFound, ProfilePaused, SeekNotFound
from connectk.strangers.seek import Seek, SeekPair, can_meet, needs_level, pair_of, pairs_of

TRANSFER_CODE_LENGTH = 8
TRANSFER_SECONDS = 600.0
POLL_GAP_SECONDS = 5.0  # how long a seek waits for the next request of its owner
SEEK_EXPIRY_SECONDS = 8.0  # after this time without a request, no server pairs the seek
SEEK_RETENTION_SECONDS = 120.0  # after this time without a request, the seek is deleted, even if it has a match
PRESENCE_WRITE_INTERVAL_SECONDS = 3.0  # between two writes that note which owners are connected
FIRST_DISC_TIMEOUT_SECONDS = 30.0  # for the first disc of each player
DISCONNECTED_FORFEIT_SECONDS = 45.0  # a player who is disconnected for this long loses by forfeit
MAX_ENCOUNTERS_PER_TICK = 2000  # encounters that one call of `watch` handles
UNUSED_PROFILE_RETENTION_SECONDS = 30 * 86_400.0  # for a profile without any games, with its name
UNUSED_NAME_RETENTION_SECONDS = 365 * 86_400.0  # for the name of a profile with games, whose rating stays
MAX_ADDRESS_ABANDONED = 10  # games abandoned in an hour from one address, by all its profiles together
ADDRESS_WINDOW_SECONDS = 3600.0
MAX_TRACKED_ADDRESSES = 10_000
PURGE_BATCH_PROFILES = 200
PAIRS_PER_COMMIT = 5  # stored together; drops of other matches wait for one commit


@dataclass(frozen=True, slots=True)
class SeekRequest:
    """The kind of game that a person wants to play, and the address from which they ask."""

    variant: Variant
    control: TimeControl
    secret: str
    device: str
    address: str
    rated: bool = True
    public: bool = True
    best_of: int = 1
    takes_level: bool = True
    listed: bool = True
    swap_discs: int = 0


class StrangerService:
    """Pairs seeks, and settles the matches of these pairs. Several servers may do so at once on one database. Each step
    that must happen once is a transaction that only one server completes."""

    def __init__(self, matches: MatchService, store: StrangerStore, same_address_rated: bool = False) -> None:
        self._matches, self._store, self._same_address_rated = matches, store, same_address_rated
        self.absent_sides: Callable[[str], frozenset[Side]] = lambda match_id: frozenset()
        self.on_new_match: Callable[[Match, str], object] = lambda match, address: None
        self._polled: dict[str, float] = {}  # by seek, when its owner last asked, by the monotonic clock
        self._waiting: dict[str, asyncio.Event] = {}  # set once the seek has a match or is gone
        self._awaited: Counter[str] = Counter()  # by seek, how many requests wait for it
        self._absent_since: dict[tuple[str, Side], float] = {}
        self._abandoned_at: LRUCache[str, tuple[float, ...]] = LRUCache(MAX_TRACKED_ADDRESSES)  # by address
        self._kept_at = 0.0
        self._started = matches.now()
        self._lock = asyncio.Lock()
        self._next_pairing: asyncio.Task[None] | None = None  # a pairing that has not read the seeks yet
        self._tasks = BackgroundTasks()
        matches.subscribe(self._on_match_news)

    async def close(self) -> None:
        await self._tasks.close()

    # --- profiles

    async def create_profile(self, secret: str, name: str) -> Profile:
        profile = Profile(secrets.token_hex(16), _checked_name(name), created=self._matches.now())
        return await self._store.create_profile(profile, hash_secret(secret))

    async def profile(self, secret: str | None) -> Profile:
        found = await self._store.find_profile(hash_secret(secret)) if secret else None
        if found is None:
            raise ProfileNotFound
        return found

    async def rename(self, profile: Profile, name: str) -> Profile:
        name = _checked_name(name)
        await self._store.rename(profile.id, name)
        return replace(profile, name=name)

    async def remove_profile(self, profile: Profile) -> None:
        await self._store.remove_profile(profile.id)

    async def transfer_code(self, profile: Profile) -> str:
        """A code that gives this profile to another device. It works once and within ten minutes."""
        now = self._matches.now()
        code = "".join(secrets.choice(ROOM_CODE_LETTERS) for _ in range(TRANSFER_CODE_LENGTH))
        await self._store.add_transfer(profile.id, hash_secret(code), now, now + TRANSFER_SECONDS)
        return code

    async def claim_profile(self, code: str, secret: str) -> Profile:
        typed = "".join(code.upper().split()).replace("-", "")
        return await self._store.claim_transfer(hash_secret(typed), hash_secret(secret), self._matches.now())

    # --- seeks

    async def seek(self, profile: Profile, request: SeekRequest) -> StoredSeek:
        """Store a new seek and try to pair it at once. An earlier seek of the same profile is withdrawn."""
        stored = await self._store.add_seek(self._new_seek(profile, request))
        self._note_poll(stored.seek.id)
        await self._store.note_seen(profile.id, self._matches.now())
        await self._pair_now()
        return await self.find_seek(stored.seek.id)

    def _new_seek(self, profile: Profile, request: SeekRequest) -> Seek:
        now = self._matches.now()
        check_swap_discs(request.variant, request.swap_discs or 1, is_empty=True)
        if profile.is_paused(now):
            raise ProfilePaused(profile.paused_until - now)
        if len(recent := self._recently_abandoned(request.address, now)) >= MAX_ADDRESS_ABANDONED:
            raise ProfilePaused(recent[0] + ADDRESS_WINDOW_SECONDS - now)
        return Seek(
            id=new_match_id(),
            profile=profile.id,
            name=profile.name,
            holder=hash_secret(request.secret),
            device=hash_secret(request.device),
            address=request.address,
            variant=str(request.variant),
            control=request.control,
            rated=request.rated,
            public=request.public,
            best_of=request.best_of,
            takes_level=request.takes_level,
            glicko=profile.glicko,
            balance=profile.balance,
            created=now,
            listed=request.listed,
            swap_discs=request.swap_discs,
        )

    async def find_seek(self, seek_id: str) -> StoredSeek:
        found = await self._store.find_seek(seek_id)
        if found is None:
            raise SeekNotFound
        return found

    async def own_seek(self, seek_id: str, secret: str | None) -> StoredSeek:
        found = await self.find_seek(seek_id)
        if not (secret and secret_matches(secret, found.seek.holder)):
            raise SeekNotFound
        return found

    async def wait(self, stored: StoredSeek, seconds: float) -> StoredSeek:
        """Wait until the seek has a match, for at most `seconds`. The seek stays open as long as its owner keeps
        calling this."""
        seek_id = stored.seek.id
        if stored.match:
            return stored
        self._note_poll(seek_id)
        self._awaited[seek_id] += 1
        try:
            async with asyncio.timeout(seconds):
                await self._waiting.setdefault(seek_id, asyncio.Event()).wait()
        except TimeoutError:
            self._note_poll(seek_id)
        finally:
            self._awaited[seek_id] -= 1
            self._awaited += Counter()  # removes those that nobody waits for
        return await self.find_seek(seek_id)

    def _note_poll(self, seek_id: str) -> None:
        self._polled[seek_id] = time.monotonic()

    async def cancel(self, stored: StoredSeek) -> None:
        if stored.match is None:
            await self._store.withdraw(stored.seek.profile)
        self._notify(stored.seek.id)

    async def open_seeks(self) -> list[Seek]:
        """The open seeks that everybody may see."""
        return [seek for seek in await self._open_seeks() if seek.listed]

    async def _open_seeks(self) -> list[Seek]:
        return await self._store.open_seeks(self._matches.now() - SEEK_EXPIRY_SECONDS)

    async def count_open(self, address: str) -> tuple[int, int]:
        return await self._store.count_open(address, self._matches.now() - SEEK_EXPIRY_SECONDS)

    async def take(self, seek_id: str, profile: Profile, request_for: Callable[[Seek], SeekRequest]) -> StoredSeek:
        """Take a challenge. The match begins at once. `request_for` returns a request for the same kind of game as the
        challenge."""
        theirs = next((seek for seek in await self._open_seeks() if seek.id == seek_id), None)
        if theirs is None:
            raise SeekNotFound
        mine = self._new_seek(profile, request_for(theirs))
        if not can_meet(theirs, mine):
            raise OwnSeek
        stored = await self._store.add_seek(mine)
        await self._store.note_seen(profile.id, self._matches.now())
        if stored.match is None and not await self._start_pair(pair_of(theirs, stored.seek, self._same_address_rated)):
            await self._store.withdraw(profile.id)
            raise SeekNotFound
        return await self.find_seek(stored.seek.id)

    # --- pairing

    async def tick(self) -> None:
        """Pair open seeks, let computer levels replace missing opponents, and wake the owners of seeks with a match.
        Called twice a second."""
        oldest = time.monotonic() - POLL_GAP_SECONDS
        for seek_id in [seek_id for seek_id, at in self._polled.items() if at < oldest]:
            if not self._awaited[seek_id]:
                self._notify(seek_id)
        if self._polled:
            await self._keep()
            await self._pair_now()
            await self._wake()

    async def _keep(self) -> None:
        if time.monotonic() - self._kept_at >= PRESENCE_WRITE_INTERVAL_SECONDS:
            self._kept_at = time.monotonic()
            now = self._matches.now()
            await self._store.keep_seeks(list(self._polled), now, now - SEEK_RETENTION_SECONDS)

    async def _pair_now(self) -> None:
        """Pair all open seeks now. Concurrent callers share one pairing."""
        if self._next_pairing is None:
            self._next_pairing = self._tasks.spawn(self._pair_all())
        await asyncio.shield(self._next_pairing)

    async def _pair_all(self) -> None:
        async with self._lock:  # one pairing at a time in this process
            self._next_pairing = None  # this pairing may miss seeks that are stored from now on
            waiting = await self._open_seeks()
            pairs = pairs_of(waiting, self._same_address_rated)
            for first in range(0, len(pairs), PAIRS_PER_COMMIT):
                await asyncio.gather(*map(self._start_pair, pairs[first : first + PAIRS_PER_COMMIT]))
            now = self._matches.now()
            paired = {seek.id for pair in pairs for seek in (pair.first, pair.second)}
            alone = [seek for seek in waiting if seek.id not in paired and needs_level(seek, now)]
            await asyncio.gather(*map(self._start_level, alone))

    async def _start_pair(self, pair: SeekPair) -> bool:
        made = _new_match(pair.first, (_person(pair.first), _person(pair.second)), pair.public, self._matches.now())
        if not await self._matches.finish_even_if_cancelled(self._store.start_pair(pair, made)):
            return False
        self._begin(made, pair.first)
        for seek in (pair.first, pair.second):
            self._notify(seek.id)
        return True

    async def _start_level(self, seek: Seek) -> None:
        level = f"level:{level_near(seek.glicko.rating)}"
        seats = _person(seek), Seat(level, player=level)
        made = _new_match(seek, seats if seek.balance <= 0 else (seats[1], seats[0]), False, self._matches.now())
        if await self._matches.finish_even_if_cancelled(self._store.start_level(seek, made)):
            self._begin(made, seek)
            self._notify(seek.id)

    def _begin(self, made: NewMatch, seek: Seek) -> None:
        self._matches.add_new(made)
        self.on_new_match(made.match, seek.address)

    async def _wake(self) -> None:
        """Wake the owners of seeks that are gone or have got a match, from this server or another one."""
        ids = list(self._waiting)
        found = await self._store.matches_of_seeks(ids) if ids else {}
        for seek_id in ids:
            if seek_id not in found or found[seek_id]:
                self._notify(seek_id)

    def _notify(self, seek_id: str) -> None:
        """Wake the requests that wait for this seek, and stop keeping the seek open."""
        event = self._waiting.pop(seek_id, None)
        if event:
            event.set()
        self._polled.pop(seek_id, None)

    # --- encounters

    async def encounter(self, match_id: str) -> EncounterPlayers:
        found = await self._store.encounter(match_id)
        if found is None:
            raise MatchNotFound
        return found

    # A player is named by the side that the player had when the match was made.

    async def set_muted(self, match_id: str, side: Side, muted: bool) -> None:
        encounter = (await self.encounter(match_id)).encounter
        await self._store.set_muted(encounter.profile_of(side), encounter.profile_of(side.other), muted)

    async def is_muted(self, players: EncounterPlayers, side: Side) -> bool:
        encounter = players.encounter
        return await self._store.is_muted(encounter.profile_of(side), encounter.profile_of(side.other))

    async def report(self, match_id: str, side: Side, reason: str) -> None:
        encounter = (await self.encounter(match_id)).encounter
        by, about = encounter.profile_of(side), encounter.profile_of(side.other)
        await self._store.add_report(by, about, match_id, reason, self._matches.now())

    def _on_match_news(self, news: MatchNews) -> None:
        if news.is_own and news.match and news.match.setup.strangers and news.match.result and news.event:
            self._tasks.spawn(_ignore_refusals(self.settle(news.match)))

    async def settle(self, match: Match) -> None:
        """Store the result of a match. If this process dies before that, `watch` does it later, in another process or
        after a restart."""
        for side in Side:
            self._absent_since.pop((match.id, side), None)
        settled = match.result and await self._store.settle(match, self._matches.now())
        if settled and settled.abandoned is not None:
            await self._note_abandoned(match.id, settled.profile_of(settled.abandoned))

    async def _note_abandoned(self, match_id: str, profile: str) -> None:
        """Count the abandoned game for the address too, so that using a new profile for each game is no way around the
        limit."""
        now = self._matches.now()
        if address := await self._store.seek_address(match_id, profile):
            self._abandoned_at[address] = (*self._recently_abandoned(address, now), now)[-MAX_ADDRESS_ABANDONED:]

    def _recently_abandoned(self, address: str, now: float) -> tuple[float, ...]:
        return tuple(at for at in self._abandoned_at.get(address, ()) if now - at < ADDRESS_WINDOW_SECONDS)

    async def watch(self) -> None:
        """Settle finished matches, begin the next games of series, and end the games of players who left. Called every
        few seconds."""
        for match_id in await self._store.unsettled(MAX_ENCOUNTERS_PER_TICK):
            with suppress(ConnectkError):
                await self._watch_match(match_id)
        for match_id in await self._store.due_games(self._matches.now(), MAX_ENCOUNTERS_PER_TICK):
            await self._next_game(match_id)

    async def _watch_match(self, match_id: str) -> None:
        try:
            match = await self._matches.get(match_id)
        except (MatchNotFound, MatchDamaged):
            return
        if match.result is None:
            loser = self._no_show(match) or self._gone(match)
            if loser is None:
                return
            match = (await self._matches.forfeit(match_id, loser)).match
        await self.settle(match)

    def _no_show(self, match: Match) -> Side | None:
        """The side that has not dropped its first disc in time. The time counts from the start of the turn, or from the
        start of this server if that was later."""
        waited = self._matches.now() - max(match.turn_began, self._started)
        late = len(match.moves) < MIN_RATED_PLIES and waited >= FIRST_DISC_TIMEOUT_SECONDS
        return match.turn if late else None

    def _gone(self, match: Match) -> Side | None:
        """The side whose player has been disconnected for too long. The time counts from the moment when this process
        noticed it."""
        now, absent = self._matches.now(), self.absent_sides(match.id)
        for side in Side:
            if side in absent:
                self._absent_since.setdefault((match.id, side), now)
            else:
                self._absent_since.pop((match.id, side), None)
        since = {side: self._absent_since.get((match.id, side), now) for side in Side}
        loser = min(Side, key=since.__getitem__)
        return loser if now - since[loser] >= DISCONNECTED_FORFEIT_SECONDS else None

    async def _next_game(self, match_id: str) -> None:
        try:
            await self._matches.next_game(match_id)
        except ConnectkError:
            await self._store.end_series(match_id)
            return
        await self._store.end_series(match_id)  # it is over already if the players have agreed on a rematch

    async def end_unrated(self, match_id: str) -> None:
        """Make a match unrated, because the operator ends it."""
        await self._store.make_unrated(match_id)

    async def purge(self) -> None:
        """Delete profiles and names that nobody has used for long, and hashes of addresses that are no longer
        needed."""
        now = self._matches.now()
        await self._store.forget_places(now)
        while await self._store.remove_unused(now - UNUSED_PROFILE_RETENTION_SECONDS, PURGE_BATCH_PROFILES):
            pass
        while await self._store.free_names(now - UNUSED_NAME_RETENTION_SECONDS, PURGE_BATCH_PROFILES):
            pass


async def _ignore_refusals(work: Coroutine[Any, Any, None]) -> None:
    with suppress(ConnectkError, StoreConflict):  # `watch` tries again
        await work


def _checked_name(name: str) -> str:
    if not name.strip():
        return ""
    name = clean_name(name)
    if is_reserved(name):
        raise NameReserved
    return name


def _person(seek: Seek) -> Seat:
    return Seat(seek.name, holder=seek.holder)


def _new_match(seek: Seek, seats: tuple[Seat, Seat], public: bool, now: float) -> NewMatch:
    position = parse_start("", Variant.parse(seek.variant))
    first, second = seats
    strangers = not (first.player or second.player)
    setup = MatchSetup(
        position,
        first,
        second,
        public=public,
        control=seek.control,
        strangers=strangers,
        swap=seek.swap_discs > 0,
        swap_discs=max(1, seek.swap_discs),
    )
    match = Match.new(new_match_id(), setup, now)
    return NewMatch(match, (), match)
