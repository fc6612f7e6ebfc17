// Plays a match as the page does where there is no server: with a clock that goes on when told, and computers that take the first open column.
const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** The state after each deed, or why it was refused. */
export async function playMatch(page, core, order, deeds) {
  const { rules } = await import(`${page}/js/core/crew.js`);
  const { createMatch, read, stateOf } = await import(`${page}/js/core/kept.js`);
  const { LocalLive } = await import(`${page}/js/core/match.js`);
  const clock = standIn();
  rules.ask = async (what, facts) =>
    what === "choose" ? { column: core.moment(facts[0]).legal_columns[0], thought: null } : core[what](...facts);
  const {
    match: { id },
  } = await createMatch(order);
  const live = new LocalLive(id, { welcome() {}, connection() {}, event() {}, lost() {} });
  const told = [];
  for (const deed of [null, ...deeds]) {
    const refused = deed?.wait
      ? clock.wait(deed.wait)
      : deed &&
        (await live.ask(deed).then(
          () => null,
          ({ reason }) => reason,
        ));
    await settled();
    const { moves, undone, next } = read(id);
    told.push({
      refused: refused ?? null,
      moves,
      undone,
      state: { ...(await stateOf(read(id))), next_match: Boolean(next) },
    });
  }
  live.close();
  return told;
}

/** What a browser has: something to keep matches in, the time, and an alarm. */
function standIn() {
  const kept = new Map();
  let [now, alarm] = [1_000_000, null];
  const storage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
      kept.set(name, text);
    },
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  Date.now = () => now;
  globalThis.setTimeout = (ring, ms) => {
    alarm = { ring, at: now + ms };
  };
  globalThis.clearTimeout = () => {
    alarm = null;
  };
  return {
    wait(seconds) {
      now += 1000 * seconds;
      if (alarm && alarm.at <= now) alarm.ring();
    },
  };
}
