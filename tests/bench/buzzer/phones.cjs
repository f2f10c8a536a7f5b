// Phones that look at the buzzer page: node phones.cjs PORT COUNT. Says "ready" once all are connected; ends with stdin.

const { io } = require("socket.io-client");

const [port, count] = process.argv.slice(2).map(Number);
let open = 0;
for (let n = 0; n < count; n += 1) {
  const socket = io(`http://127.0.0.1:${port}`, { forceNew: true });
  socket.on("connect", () => {
    open += 1;
    if (open === count) console.log("ready");
  });
  socket.on("first", () => {});
}
process.stdin.on("end", () => process.exit(0)).resume();
