// A small bot that plays in a room. It needs only Node 22 or newer.
//
// connectk serve                                                          in one terminal; make a room on its page
// node examples/room_client.mjs http://127.0.0.1:8000 ABC346 Robo         in another, with the code of the room
//
// The protocol is in docs/reference/rooms.md.
const [server, code, name] = process.argv.slice(2);
const bytes = crypto.getRandomValues(new Uint8Array(24));
const secret = Buffer.from(bytes).toString("base64url"); // identifies this bot: joining again with it is no second member

const DROP_DELAY_MS = 100; // the server refuses more than twenty messages a second
const RETRY_DELAY_MS = 1000;
const sleep = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

// Put your strategy here: `state` has the board, the legal columns and the side to move.
function choose(state) {
  return state.legal_columns[Math.floor(Math.random() * state.legal_columns.length)];
}

async function join() {
  const body = JSON.stringify({ name, kind: "bot", secret });
  const answer = await fetch(`${server}/api/rooms/${code}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  const facts = await answer.json();
  if (answer.status === 429) return sleep(RETRY_DELAY_MS).then(join); // rate limited
  if (!answer.ok) throw new Error(facts.message);
  return facts.room.code;
}

// Drops if it is our turn, and returns the message. The key makes sure that a repeated message drops only one disc.
function move(socket, match, state, sides) {
  if (state.result !== null || !sides.includes(state.side_to_move)) return null;
  const key = `${match}:${state.ply}`.slice(-60);
  const drop = JSON.stringify({ type: "drop", match, column: choose(state), ply: state.ply, key, id: state.ply });
  sleep(DROP_DELAY_MS).then(() => socket.send(drop));
  return drop;
}

// Plays over one connection until it ends; resolves to true once the room is closed.
function connect(address) {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    const sides = new Map();
    let closed = false;
    let sent = null;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "hello", secret })));
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "welcome" || message.type === "changed") {
        closed = (message.room ?? message).state.closed;
        if (closed) socket.close();
      } else if (message.type === "match") {
        // a match begins, or the connection was restored
        sides.set(message.match.id, message.sides);
        sent = move(socket, message.match.id, message.match.state, message.sides);
      } else if (message.type === "board") {
        // an event in a match
        sent = move(socket, message.match, message.message.state, sides.get(message.match) ?? []);
      } else if (message.type === "refused") {
        console.log(message.message);
        const again = sent;
        if (message.reason === "too_fast" && again) sleep(RETRY_DELAY_MS).then(() => socket.send(again));
      }
    });
    socket.addEventListener("close", () => resolve(closed));
    socket.addEventListener("error", () => {}); // followed by a close event
  });
}

const address = `ws${server.slice("http".length)}/api/rooms/${await join()}/socket`;
while (!(await connect(address))) await sleep(RETRY_DELAY_MS); // reconnects after a restart or a lost network
console.log("the room is closed");
