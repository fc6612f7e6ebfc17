// Plays matches as the page does without a server: by its rules alone, and with everything around them, with slow
// workers and a clock that the test advances.
const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** @param {string} name such as take_back */
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** The names of all actions, and of everything that is refused. */
export async function rulesOf(page) {
  const { REFUSAL_REASONS, ...actions } = await import(`${page}/js/match/ruling.js`);
  return { reasons: REFUSAL_REASONS, actions: Object.keys(actions) };
}

/** For each step of a scenario: the event that follows or the refusal with its message, and the state of the match afterwards. */
export async function playScenario(page, core, { setup, moves, steps }) {
  const ruling = await import(`${page}/js/match/ruling.js`);
  const { applyEvent, newMatch, plyOf, turnOf } = await import(`${page}/js/match/reducer.js`);
  const { positionOf, stateView } = await import(`${page}/js/match/local-store.js`);
  const withBoard = (kept) => ({ ...kept, position: core.moment(positionOf(kept)) });
  let match = withBoard(newMatch("0", setup, 0, [0, 0]));
  for (const column of moves)
    match = withBoard(applyEvent(match, { event: "dropped", at: 0, side: turnOf(match), column }));
  const actions = {
    drop: ({ column, ply = plyOf(match), at, took }, sides) =>
      ruling.drop(match, ruling.seatToPlay(match, sides), column, ply, at, undefined, took),
    take_back: ({ to_ply: ply = null, at }, sides) => ruling.takeBack(match, sides, ply, at),
    redo: ({ to_ply: ply = null, at }, sides) => ruling.redo(match, sides, ply, at),
    rematch: ({ at, start }, sides) => ruling.rematch(match, sides, "next", at, start),
    call_time: ({ at }) => ruling.callTime(match, at),
    forfeit: ({ at }, [side]) => ruling.forfeit(match, side, at),
  };
  return steps.map((step) => {
    const answer = { event: null, refused: null, sentence: null };
    const decide = actions[step.do] ?? (({ at }, sides) => ruling[camel(step.do)](match, sides, at));
    try {
      answer.event = decide(step, step.by ?? match.sides);
      if (answer.event) match = withBoard(applyEvent(match, answer.event));
    } catch ({ reason, message }) {
      Object.assign(answer, { refused: reason, sentence: message });
    }
    return { ...answer, state: { ...stateView(match), moves: match.moves, undone: match.undone } };
  });
}

/** The messages that the page got and the refused requests, in the order of time. Each request is made at its own moment, even if
 * earlier ones still wait. The delays of the workers' answers, in milliseconds, are used one after the other. */
export async function playMatch(page, core, order, orders, delays) {
  const { rulesWorker, scoreWorker } = await import(`${page}/js/core/core-workers.js`);
  await import(`${page}/js/match/swapping.js`);
  scoreWorker.request = async (_what, [{ variant }]) => ({ exact: true, scores: Array(variant.width).fill(-1) });
  const { createMatch } = await import(`${page}/js/match/local-store.js`);
  const clock = fakeBrowser();
  let asked = 0;
  rulesWorker.request = (what, facts, signal) => {
    const ms = delays[asked++ % delays.length];
    const answer =
      what === "choose"
        ? { column: core.moment(facts[0]).legal_columns[0], thought: { nodes: ms } }
        : core[what](...facts);
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      clock.later(() => (facts[1] === "broken" ? reject(new Error("the core gave up")) : resolve(answer)), ms);
    });
  };
  const made = createMatch(order);
  await clock.goTo(clock.now() + 1000);
  const log = [];
  const windows = [await opened(page, (await made).match.id, log)];
  for (const { at, window = 0, ahead, turnBack = 0, ...message } of orders) {
    await clock.goTo(Math.round(1000 * at));
    clock.turnBack(1000 * turnBack);
    windows[window] ??= await opened(page, windows[0].id, []);
    if (ahead !== undefined) message.ply = ahead + shown(log);
    const number = log.push({ order: message, at: Date.now() / 1000, refused: "unanswered" }) - 1;
    windows[window].request(message).then(
      () => log.push({ answered: number, refused: null }),
      (error) => log.push({ answered: number, refused: error.reason ?? String(error) }),
    );
  }
  await clock.goTo(clock.now() + 1_000_000);
  for (const match of windows) match.close();
  return log;
}

/** The ply of the board that the page shows. */
const shown = (log) => log.findLast((entry) => entry.message).message.state.ply;

/** A window in which a match is played. */
async function opened(page, id, log) {
  const { LocalMatch } = await import(`${page}/js/match/local-match.js`);
  return new LocalMatch(id, {
    onWelcome: ({ match }) => log.push({ message: { event: "welcome", state: match.state, moves: match.moves } }),
    onEvent: (message) => log.push({ message }),
    onConnectionChange() {},
    onLost: ({ reason }) => log.push({ lost: reason }),
  });
}

/** Replaces parts of a browser: storage for matches, the clock, and timers. */
function fakeBrowser() {
  const kept = new Map();
  const alarms = new Map();
  let [now, back, next] = [1_000_000, 0, 1];
  const storage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
      kept.set(name, text);
    },
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  Date.now = () => now - back;
  const later = (ring, ms) => {
    alarms.set(next, { ring, at: now + Math.max(0, ms) });
    return next++;
  };
  globalThis.setTimeout = later;
  globalThis.clearTimeout = (alarm) => alarms.delete(alarm);
  return {
    later,
    now: () => now,
    turnBack(ms) {
      back += ms;
    },
    async goTo(ms) {
      await settled();
      for (let due; (due = dueBy(ms));) {
        now = Math.max(now, alarms.get(due).at);
        const { ring } = alarms.get(due);
        alarms.delete(due);
        ring();
        await settled();
      }
      now = ms;
      await settled();
    },
  };

  /** The first timer that fires by this time. */
  function dueBy(ms) {
    const due = [...alarms].filter(([, { at }]) => at <= ms).toSorted(([, one], [, other]) => one.at - other.at);
    return due[0]?.[0];
  }
}
