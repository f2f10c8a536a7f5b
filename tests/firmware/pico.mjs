// A Raspberry Pi Pico without the board: MicroPython's own virtual machine runs the firmware's files as they are; here is
// what stands around it. Of its file descriptors `fds` the first two are the USB port, in and out; the third brings
// orders, the fourth takes reports, as lines of JSON.
//
//     node pico.mjs FOLDER-OF-MICROPYTHON FOLDER-OF-BOARD FLASH '{"begun": 0, "ticks": 0, "held": [], "board": "…",
//       "late": 0, "typed": "", "parent": 1, "fds": [5, 6, 7, 8]}'

import fs from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const [python, board, flash, given] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(path.join(python, "micropython.mjs")));
const settings = JSON.parse(given);
const [IN, OUT, ORDERS, REPORTS] = settings.fds;

// Who started this may be killed at any moment, and the firmware may be in a loop that asks nothing of us.
new Worker(
  `setInterval(() => { if (process.ppid !== ${settings.parent}) process.kill(process.pid, "SIGKILL"); }, 200)`,
  { eval: true }
).unref();

const QUEUE = 4;
const TICKS = 2 ** 30;
const BLOCKS = { 0x5020: 0, 0x5030: 4 }; // the first state machine of each
const FDEBUG = 0x08,
  MACHINE = 0x18,
  EXECCTRL = 0xcc,
  ADDR = 0xd4;
const ARMED = 15,
  GAP = 20; // lines of the program, as it lies in a block
const [WATCHDOG, PINS] = settings.board.includes("RP2350") ? [0x400d8000, 0x40028000] : [0x40058000, 0x40014000];
const REASON = WATCHDOG + 8,
  WATCHDOG_CLEAR = WATCHDOG + 0x3000;
const SET = 0x2000,
  CLEAR = 0x3000,
  OVERRIDE = 3 << 16,
  LOW = 2 << 16,
  ENABLE = 2 ** 30;

// Time.

let jumped = settings.ticks;
const born = performance.now() * 1000;
let held = null; // while nothing may interrupt the firmware: on a busy machine this process is interrupted
const now = () => (held ?? performance.now() * 1000 - born) + jumped; // µs
const nap = new Int32Array(new SharedArrayBuffer(4));
const sleep = (us) => Atomics.wait(nap, 0, 0, us / 1000);

// Reports and commands.

const report = (what) => fs.writeSync(REPORTS, JSON.stringify(what) + "\n");
const bytes = Buffer.alloc(65536);
const read = (fd) => {
  try {
    return Buffer.from(bytes.subarray(0, fs.readSync(fd, bytes)));
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
    return null;
  }
};
let commands = "";
const obey = () => {
  const came = read(ORDERS);
  if (came === null) return;
  commands += came;
  for (let end; (end = commands.indexOf("\n")) >= 0; commands = commands.slice(end + 1)) {
    const [name, ...args] = JSON.parse(commands.slice(0, end));
    orders[name](...args);
    report({ obeyed: name });
  }
};

// Stamps: what the state machines hand over, with their queues of four.

let mhz = 200,
  start = null,
  stall = 0,
  hung = false,
  broken = false;
const machines = [];
let recorder = null,
  bounces = null,
  opened = 0;
const pins = new Map(settings.held.map((pin) => [pin, true])); // whose contacts are closed
const machine = (n) => machines[n] ?? recorder;
const TURN = 4; // cycles
const turnNow = () => Math.floor(((now() - start) * mhz) / TURN);
const stamp = (n, turn) => {
  const { queue } = machines[n];
  if (queue.length < QUEUE) queue.push((2 ** 32 - (turn % 2 ** 32)) % 2 ** 32);
  else machines[n].full = true;
  if (recorder?.on && recorder.pin === machines[n].pin && bounces) recorded(...bounces);
  return [n + 1, Math.floor(Math.max(0, TURN * (turn - 1)) / mhz)];
};

const WINDOW = 30000; // µs after the first closing the recorder hands over
const EDGES = 2 ** 11;
const recorded = (edges, turns) => {
  recorder.later ??= [now() + WINDOW, (recorder.x - turns) * EDGES + ((EDGES - edges) % EDGES)];
};

const forced = new Set(); // the pins that are overridden

const orders = {
  // Press buttons so many turns apart, which takes that long; the last of them now, or at the device time to which the
  // clock jumps; all of them are stamped so many µs late.
  press(list, at, late) {
    const turns = Math.max(...list.map(([, turn]) => turn));
    if (at !== null) orders.jump(at - (turns * TURN) / mhz);
    const first = turnNow();
    while (turnNow() <= first + turns) sleep(Math.min(1000, ((first + turns - turnNow()) * TURN) / mhz));
    const begun = first - Math.floor((late * mhz) / TURN);
    report({ pressed: list.map(([button, turn]) => stamp(button - 1, begun + turn)) });
  },
  contact(pin, closed) {
    pins.set(pin, closed);
    opened = now();
  },
  stall(ms) {
    stall = ms;
  },
  hang() {
    hung = true;
  },
  break() {
    broken = true;
  },
  jump(us) {
    const by = us - (now() - start);
    jumped += by;
    fed += by;
  }, // the clock alone, to a device time
  skip(us) {
    jumped += us;
    fed += us;
  },
  wait(us) {
    jumped += us;
  }, // and the watchdog's
  deaf(is) {
    deaf = is;
  },
  lag(turns) {
    lag = turns;
  }, // of what the self-test makes
  meet(button) {
    meets = button;
  }, // a finger, when the self-test makes its first press
  slip(list) {
    slip = list;
  }, // stamps made right after the first queue was looked at
  slow(us) {
    slow = us;
  }, // the reader, at every line
  undecided(button, is) {
    machines[button - 1].undecided = is;
  }, // whether its contact bounces
  spike(edges, turns) {
    recorded(edges, turns);
  }, // what stamps does not count, and who records does
  bounces(edges, turns) {
    bounces = edges === null ? null : [edges, turns];
  }, // of whatever is pressed next
  full(is) {
    full = is;
  },
  count() {
    report({ feeds });
  },
};

// The watchdog.

let fed = 0,
  timeout = null,
  feeds = 0;
const reset = (begun) => {
  say();
  keep();
  report({ reset: begun });
  process.exit(0);
};
// It counts what the tests let pass: a busy computer that looks away for seconds is no board that stands still.
const bite = () => {
  if (timeout !== null && jumped - fed > timeout * 1000) reset("watchdog");
};

// The USB port.

let heard = Buffer.from(settings.typed),
  said = [],
  full = false,
  deaf = false,
  lag = 0,
  meets = null,
  slip = null,
  slow = 0,
  running = false,
  fresh = true;
const hear = () => {
  if (heard.length > 0 && !fresh) return true;
  if (!fresh) heard = read(IN) ?? heard;
  fresh = false;
  // As on the board: until the firmware forbids it, Ctrl-C stops it.
  const stop = mp._module.ccall("mp_hal_get_interrupt_char", "number", [], []);
  if (running && stop >= 0 && heard.includes(stop)) mp._module.ccall("mp_sched_keyboard_interrupt", "null", [], []);
  return heard.length > 0;
};
const say = () => {
  for (let rest = Buffer.from(said); rest.length > 0;) {
    try {
      rest = rest.subarray(fs.writeSync(OUT, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      sleep(100);
    }
  }
  said = [];
};

// What the stand-ins in board/ ask for.

const host = {
  board: settings.board,
  ticks_us: () => Math.floor(now()) % TICKS,
  sleep_us(us) {
    say();
    hear();
    const end = now() + us;
    while (end - now() > 1000) sleep(end - now() - 500);
    while (now() < end);
  },
  idle() {
    say();
    obey();
    if (broken) throw new Error("broken by the test");
    while (hung) {
      jumped += 1e6;
      bite();
    }
    const until = now() + stall * 1000;
    stall = 0;
    do {
      sleep(300);
      obey();
      bite();
    } while (now() < until);
  },
  level: (pin) => (pins.get(pin) || forced.has(pin) ? 0 : 1),
  drive(pin, level) {
    if (level && start === null && machines.length && machines.every((m) => m.on)) {
      jumped += settings.late;
      start = now();
      report({ started: pin, times: machines.map((m) => m.osr), pins: machines.map((m) => m.pin) });
    }
  },
  hold(still) {
    held = still ? performance.now() * 1000 - born : null;
  },
  freq: (hertz) => (hertz ? (mhz = hertz / 1e6) : mhz) * 1e6,
  claim(n, pin, base) {
    const claimed = { pin, queue: [], on: false, full: false, given: [], x: null };
    if (start === null) machines[n] = claimed;
    else if (n >= machines.length && n < 8 && pin === base) recorder = claimed;
    else throw new Error(`state machine ${n} is in use, or its pins are ${pin} and ${base}`);
  },
  // A finger's machine: every three words press two ports.
  finger(n) {
    machines[n] = { queue: [], given: [], presses: true };
    report({ started: n, pins: [] });
  },
  put(n, word) {
    const { given, presses, queue } = machine(n);
    given.push(word);
    if (presses && given.length === 3) queue.push(report({ touch: given.splice(0) }));
  },
  exec(n, instruction) {
    const it = machine(n);
    if (instruction === "pull()") it.osr = it.given.shift();
    else if (instruction === "mov(x, osr)") it.x = it.osr;
    else if (instruction === "set(x, 0)") it.x = 0;
    else if (instruction === "set(y, 0)") it.y = 0;
    else throw new Error(instruction);
  },
  active(n, on) {
    if (machine(n) === recorder && on) {
      if (recorder.y !== 0) throw new Error("a recorder that has not begun");
      report({ recording: recorder.pin, turns: recorder.x, rested: now() - opened });
    }
    if (machine(n) === recorder && !on) report({ recorded: recorder.pin });
    machine(n).on = !!on;
  },
  waiting(n) {
    obey();
    if (machine(n).later?.[0] <= now()) {
      machine(n).queue.push(...machine(n).later.slice(1));
      machine(n).later = null;
    }
    const count = machine(n).queue.length;
    if (n === 0 && slip) {
      const first = turnNow() - 500;
      for (const [button, turn] of slip) stamp(button - 1, first + turn);
      slip = null;
    }
    return count;
  },
  fetch: (n) => machine(n).queue.shift() | 0,
  peek(low, high) {
    const address = high * 65536 + low;
    if (address === REASON) return settings.begun;
    if (low === FDEBUG && high in BLOCKS) {
      return machines.slice(BLOCKS[high], BLOCKS[high] + 4).reduce((bits, m, n) => bits | (m.full << n), 0);
    }
    if (high in BLOCKS) {
      const n = Math.floor((low - EXECCTRL) / MACHINE),
        register = low - n * MACHINE;
      if (register === EXECCTRL) return ARMED << 7;
      if (register === ADDR) return machines[BLOCKS[high] + n].undecided ? GAP : ARMED;
    }
    throw new Error(`nothing is read at ${address.toString(16)}`);
  },
  poke(low, high, value) {
    const address = high * 65536 + low,
      control = (address & ~0x3000) - PINS;
    if (low === FDEBUG && high in BLOCKS) {
      machines.forEach((m, n) => {
        if (n >> 2 === BLOCKS[high] >> 2 && (value >> (n & 3)) & 1) m.full = false;
      });
    } else if (address === WATCHDOG_CLEAR && value === ENABLE) {
      timeout = null;
    } else if (control > 0 && control % 8 === 4) {
      const pin = (control - 4) / 8,
        n = machines.findIndex((m) => m.pin === pin),
        how = address & 0x3000;
      if (how === SET && value === LOW) {
        forced.add(pin);
        if (!deaf) stamp(n, turnNow() + lag);
        if (meets !== null) stamp(meets - 1, turnNow());
        meets = null;
      } else if (how === CLEAR && value === OVERRIDE) forced.delete(pin);
      else throw new Error(`${how} ${value}`);
    } else throw new Error(`nothing is written at ${address.toString(16)}`);
  },
  watch(ms) {
    timeout = ms;
    fed = jumped;
  },
  feed() {
    bite(); // it would have, before this
    fed = jumped;
    if (++feeds % 100 === 1) report({ feeds });
  },
  lamps(pin, colours) {
    report({ lamps: colours.split(" "), pin });
  },
  readable: () => hear(),
  writable: () => ((jumped += slow), !full),
  random: () => Math.floor(Math.random() * 256),
  reset,
};

// Flash.

const keep = () => {
  for (const name of mp.FS.readdir("/")) {
    if (mp.FS.isFile(mp.FS.stat(`/${name}`).mode)) fs.writeFileSync(path.join(flash, name), mp.FS.readFile(`/${name}`));
  }
};

const mp = await loadMicroPython({
  heapsize: 190 * 1024,
  stdin: () => {
    if (!hear()) return undefined;
    const [byte] = heard;
    heard = heard.subarray(1);
    return byte;
  },
  stdout: (byte) => {
    said.push(...(typeof byte === "number" ? [byte] : byte));
  },
  stderr: (byte) => {
    said.push(...(typeof byte === "number" ? [byte] : byte));
  },
  linebuffer: false,
});
mp.registerJsModule("host", host);
mp.FS.mkdir("/board");
for (const name of fs.readdirSync(board)) {
  if (name.endsWith(".py")) mp.FS.writeFile(`/board/${name}`, fs.readFileSync(path.join(board, name)));
}
for (const name of fs.readdirSync(flash)) mp.FS.writeFile(`/${name}`, fs.readFileSync(path.join(flash, name)));
mp.runPython("import sys; sys.path.insert(0, '/board'); import micropython, os_more; micropython.kbd_intr(3)");
try {
  running = mp.FS.analyzePath("/main.py").exists;
  if (running) mp.runPython("import main");
} catch (error) {
  said.push(...Buffer.from(String(error.message)));
}
running = false;
// As on the board: after main.py comes the prompt.
report({ prompt: true });
mp.replInit();
let typed = "";
for (;;) {
  say();
  obey();
  bite();
  if (!hear()) {
    sleep(300);
    continue;
  }
  let [byte] = heard;
  heard = heard.subarray(1);
  typed = (typed + String.fromCharCode(byte)).slice(-3);
  if (typed === "\x05A\x01") {
    said.push(...Buffer.from("R\0")); // no "raw paste": it would read by itself
    byte = 3;
  }
  try {
    if (mp.replProcessChar(byte)) {
      said.push(...Buffer.from("MPY: soft reboot\r\n"));
      mp.replInit();
    }
  } catch (error) {
    said.push(...Buffer.from(String(error.message)));
  }
}
