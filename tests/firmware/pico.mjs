// A Raspberry Pi Pico without the board: MicroPython's own virtual machine runs the firmware's files as they are; here is
// what stands around it. Of its file descriptors `fds` the first two are the USB port, in and out; the third brings
// orders, the fourth takes reports, as lines of JSON.
//
//     node pico.mjs FOLDER-OF-MICROPYTHON FOLDER-OF-BOARD FLASH '{"begun": 0, "ticks": 0, "held": [], "fds": [5, 6, 7, 8]}'

import fs from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const [python, board, flash, given] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(path.join(python, "micropython.mjs")));
const settings = JSON.parse(given);
const [IN, OUT, ORDERS, REPORTS] = settings.fds;

const QUEUE = 4;
const TICKS = 2 ** 30;
const REASON = [0x8008, 0x4005];
const FDEBUG = { 0x5020: 0, 0x5030: 4 };
const CONTROL = 0x4001, CONTROLS = 0x4004, SET = 0x2000, CLEAR = 0x3000;
const WATCHDOG_CLEAR = [0xb000, 0x4005];

// Time.

let jumped = settings.ticks;
const born = performance.now() * 1000;
const now = () => performance.now() * 1000 - born + jumped; // µs
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
    if (came.length === 0) process.exit(0); // the test is over
    commands += came;
    for (let end; (end = commands.indexOf("\n")) >= 0; commands = commands.slice(end + 1)) {
        const [name, ...args] = JSON.parse(commands.slice(0, end));
        orders[name](...args);
    }
};

// Stamps: what the state machines hand over, with their queues of four.

let mhz = 200, start = null, stall = 0, hung = false, broken = false;
const machines = [];
const pins = new Map(settings.held.map((pin) => [pin, true])); // whose contacts are closed
const turnNow = () => Math.floor(((now() - start) * mhz) / 2);
const stamp = (n, turn) => {
    const { queue } = machines[n];
    if (queue.length < QUEUE) queue.push((2 ** 32 - (turn % 2 ** 32)) % 2 ** 32);
    else machines[n].full = true;
    return [n + 1, Math.floor(Math.max(0, 2 * turn - 3) / mhz)];
};

const orders = {
    // Press buttons so many turns apart; the last of them now.
    press(list) {
        const first = turnNow() - 1 - Math.max(...list.map(([, turn]) => turn));
        report({ pressed: list.map(([button, turn]) => stamp(button - 1, first + turn)) });
    },
    contact(pin, closed) { pins.set(pin, closed); },
    stall(ms) { stall = ms; },
    hang() { hung = true; },
    break() { broken = true; },
    jump(us) { const by = us - (now() - start); jumped += by; fed += by; }, // the clock alone, to a device time
    skip(us) { jumped += us; fed += us; },
    wait(us) { jumped += us; }, // and the watchdog's
    deaf(is) { deaf = is; },
    full(is) { full = is; },
};

// The watchdog.

let fed = 0, timeout = null, feeds = 0;
const reset = (begun) => {
    say();
    keep();
    report({ reset: begun });
    process.exit(0);
};
const bite = () => { if (timeout !== null && now() - fed > timeout * 1000) reset("watchdog"); };

// The USB port.

let heard = Buffer.alloc(0), said = [], full = false, deaf = false, running = false;
const hear = () => {
    if (heard.length > 0) return true;
    heard = read(IN) ?? heard;
    // As on the board: until the firmware forbids it, Ctrl-C stops it.
    const stop = mp._module.ccall("mp_hal_get_interrupt_char", "number", [], []);
    if (running && stop >= 0 && heard.includes(stop)) mp._module.ccall("mp_sched_keyboard_interrupt", "null", [], []);
    return heard.length > 0;
};
const say = () => {
    for (let rest = Buffer.from(said); rest.length > 0; ) {
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
    ticks_us: () => Math.floor(now()) % TICKS,
    sleep_us(us) {
        say();
        const end = now() + us;
        while (end - now() > 1000) sleep(end - now() - 500);
        while (now() < end);
    },
    idle() {
        say();
        obey();
        if (broken) throw new Error("broken by the test");
        while (hung) { jumped += 1e6; bite(); }
        const until = now() + stall * 1000;
        stall = 0;
        do { sleep(300); obey(); bite(); } while (now() < until);
    },
    level: (pin) => (pins.get(pin) ? 0 : 1),
    drive(pin, level) {
        if (level && start === null && machines.length && machines.every((m) => m.on)) {
            start = now();
            report({ started: pin, release: machines.map((m) => m.release), pins: machines.map((m) => m.pin) });
        }
    },
    freq: (hertz) => (hertz ? (mhz = hertz / 1e6) : mhz) * 1e6,
    claim(n, pin) { machines[n] = { pin, queue: [], on: false, full: false, release: 0 }; },
    release(n, word) { machines[n].release = word; },
    active(n, on) { machines[n].on = !!on; },
    waiting: (n) => (obey(), machines[n].queue.length),
    fetch: (n) => machines[n].queue.shift() | 0,
    peek(low, high) {
        if (low === REASON[0] && high === REASON[1]) return settings.begun;
        if (low === 8 && high in FDEBUG) {
            return machines.slice(FDEBUG[high], FDEBUG[high] + 4).reduce((bits, m, n) => bits | (m.full << n), 0);
        }
        throw new Error(`nothing is read at ${high.toString(16)} ${low.toString(16)}`);
    },
    poke(low, high, value) {
        if (low === 8 && high in FDEBUG) {
            machines.forEach((m, n) => { if (n >> 2 === FDEBUG[high] >> 2 && (value >> (n & 3)) & 1) m.full = false; });
        } else if (low === WATCHDOG_CLEAR[0] && high === WATCHDOG_CLEAR[1]) {
            timeout = null;
        } else if (high === CONTROL && low >= CONTROLS) {
            const pin = ((low & 0xfff) - 4) / 8, n = machines.findIndex((m) => m.pin === pin);
            if ((low & 0xf000) - 0x4000 === SET && !deaf) stamp(n, turnNow());
        } else throw new Error(`nothing is written at ${high.toString(16)} ${low.toString(16)}`);
    },
    watch(ms) { timeout = ms; fed = now(); },
    feed() {
        fed = now();
        if (++feeds % 100 === 1) report({ feeds });
    },
    lamps(colours) { report({ lamps: colours.split(" ") }); },
    readable: () => hear(),
    writable: () => !full,
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
    stdin: () => { if (!hear()) return undefined; const [byte] = heard; heard = heard.subarray(1); return byte; },
    stdout: (byte) => { said.push(...(typeof byte === "number" ? [byte] : byte)); },
    stderr: (byte) => { said.push(...(typeof byte === "number" ? [byte] : byte)); },
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
