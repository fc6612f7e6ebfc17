// A bot that plays in a room, in a few lines; it needs nothing but Node 22 or newer, or a browser.
//
// connectk serve                                                          in one terminal; make a room on its page
// node examples/room_client.mjs http://127.0.0.1:8000 ABC346 Robo         in another, with the code of the room
//
// The protocol is in docs/reference/rooms.md.
const [server, code, name] = process.argv.slice(2);
const bytes = crypto.getRandomValues(new Uint8Array(24));
const secret = Buffer.from(bytes).toString("base64url"); // whoever has it is this bot: to join twice with it is to join once

const PAUSE = 100; // milliseconds before each drop: whoever says more than twenty things a second is told to wait
const WAIT = 1000; // milliseconds, for one who was told to
const rest = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

// Your idea goes here: `state` has the board, the legal columns and whose turn it is.
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
  if (answer.status === 429) return rest(WAIT).then(join); // too fast: many come in at once
  if (!answer.ok) throw new Error(facts.message);
  return facts.room.code;
}

// Drop when it is our turn; what is sent. The key makes it one disc, however often it is sent.
function move(socket, match, state, sides) {
  if (state.result !== null || !sides.includes(state.side_to_move)) return null;
  const key = `${match}:${state.ply}`.slice(-60);
  const drop = JSON.stringify({ type: "drop", match, column: choose(state), ply: state.ply, key, id: state.ply });
  rest(PAUSE).then(() => socket.send(drop));
  return drop;
}

// One connection; true when the room is closed.
function visit(address) {
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
        // we are sent to a board, or come back to it
        sides.set(message.match.id, message.sides);
        sent = move(socket, message.match.id, message.match.state, message.sides);
      } else if (message.type === "board") {
        // something happened there
        sent = move(socket, message.match, message.message.state, sides.get(message.match) ?? []);
      } else if (message.type === "refused") {
        console.log(message.message);
        const again = sent;
        if (message.reason === "too_fast" && again) rest(WAIT).then(() => socket.send(again));
      }
    });
    socket.addEventListener("close", () => resolve(closed));
    socket.addEventListener("error", () => {}); // it closes as well
  });
}

const address = `ws${server.slice("http".length)}/api/rooms/${await join()}/socket`;
while (!(await visit(address))) await rest(WAIT); // the server restarts, or the network is away: come back
console.log("the room is closed");
