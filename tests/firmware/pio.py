"""The firmware's PIO programs, assembled from its own source and run cycle by cycle in `rp2040-pio-emulator`.

The emulator needs some 30 µs for a cycle of 8 ns, so turns of a loop during which nothing changes are counted instead
of run: a turn is run once, and what it did to the clock and to X and Y is done many times over. A test holds this
against plain running.
"""

import importlib.util
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from adafruit_pioasm import Program
from pioemu import State, emulate
from pioemu.instruction_decoder import InstructionDecoder

FIRMWARE = Path(__file__).parents[2] / "firmware"
MHZ = 125
U32 = 2**32 - 1
PIN = 2  # of the button, in here


@dataclass(frozen=True)
class Code:
    """An assembled program."""

    words: Sequence[int]
    wrap_target: int
    wrap: int
    places: dict[str, int]
    """Where each label stands."""
    push_at: int
    """How many bits the program hands over by itself."""


def _asm_pio(**settings: Any) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def keep(written: Callable[[], None]) -> Callable[[], None]:
        written.push_at = settings.get("push_thresh", 32)  # type: ignore[attr-defined]
        return written

    return keep


def _with_reversal(decode_mov: Callable[[InstructionDecoder, int], Any]) -> Callable[[InstructionDecoder, int], Any]:
    """Have the emulator reverse bits, which it takes for a plain `mov`."""

    def decode(decoder: InstructionDecoder, opcode: int) -> Any:
        if opcode >> 3 & 3 != 2:
            return decode_mov(decoder, opcode)
        read = decoder.mov_sources[opcode & 7]
        assert read
        decoder.mov_sources[opcode & 7] = lambda state: int(f"{read(state):032b}"[::-1], 2)
        emulation = decode_mov(decoder, opcode & ~0x18)
        decoder.mov_sources[opcode & 7] = read
        return emulation

    return decode


InstructionDecoder._decode_mov = _with_reversal(InstructionDecoder._decode_mov)  # type: ignore[method-assign]


@cache
def module(name: str) -> ModuleType:
    """Return a module of the firmware that needs nothing of the Pico but its assembler."""
    rp2 = ModuleType("rp2")
    rp2.asm_pio = _asm_pio  # type: ignore[attr-defined]
    rp2.PIO = SimpleNamespace(IN_LOW=0, SHIFT_RIGHT=1)  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location(f"firmware_{name.replace('/', '_')}", FIRMWARE / f"{name}.py")
    assert spec
    assert spec.loader
    loaded = importlib.util.module_from_spec(spec)
    rp2_before = sys.modules.get("rp2")
    sys.modules["rp2"] = rp2
    try:
        spec.loader.exec_module(loaded)
    finally:
        del sys.modules["rp2"]
        if rp2_before:
            sys.modules["rp2"] = rp2_before
    return loaded


stamp = module("stamp")
bounce = module("bounce_watch")
START = module("pins").START


@cache
def code() -> Code:
    """Return the program that stamps."""
    return _assembled(stamp.program(START))


@cache
def bounce_code() -> Code:
    """Return the program that watches a contact bounce."""
    return _assembled(bounce.bounce)


def bounce_begun(turns: int) -> State:
    """Return the state machine that watches for so many turns, after what it does before it is switched on."""
    return begin_with(turns, bounce.BEGIN)


def begin_with(word: int, instructions: Sequence[str] = stamp.BEGIN) -> State:
    """Return a state machine that has been given a word and has done these; a start does not clear its registers."""

    def begin() -> None:
        for instruction in instructions:
            exec(instruction, globals())

    start = State(transmit_fifo=deque([word]), x_register=0x89ABCDEF, y_register=0x12345678)
    *_, state = _steps(_assembled(begin), start, 0, len(instructions))
    return replace(state, clock=0, program_counter=0)


class Delay:
    """What follows an instruction in brackets: cycles that it takes besides."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def __getitem__(self, cycles: int) -> None:
        self._lines[-1] += f" [{cycles}]"


def _assembled(written: Callable[[], None]) -> Code:
    """Assemble a program: MicroPython's notation, written as text, goes through another assembler."""
    lines: list[str] = []
    places: dict[str, int] = {}
    count = 0

    def put(line: str) -> Delay:
        nonlocal count
        count += 1
        lines.append(line)
        return Delay(lines)

    def label(name: str) -> None:
        places[name] = count
        lines.append(f"{name.replace(' ', '_')}:")

    words: dict[str, Any] = {
        "label": label,
        "wrap_target": lambda: lines.append(".wrap_target"),
        "wrap": lambda: lines.append(".wrap"),
        "jmp": lambda *when_to: put("jmp " + " ".join(word.replace(" ", "_") for word in when_to)),
        "mov": lambda to, value: put(f"mov {to}, {value}"),
        "set": lambda to, value: put(f"set {to}, {value}"),
        "in_": lambda source, bits: put(f"in {source}, {bits}"),
        "wait": lambda level, source, which: put(f"wait {level} {source} {which}"),
        "out": lambda to, bits: put(f"out {to}, {bits}"),
        "push": lambda how="block": put(f"push {how}"),
        "pull": lambda: put("pull block"),
        **{name: name for name in ("x", "y", "isr", "osr", "pin", "pindirs", "null", "gpio", "noblock")},
        "reverse": lambda operand: f"::{operand}",
        "x_dec": "x--",
        "y_dec": "y--",
    }
    # As by MicroPython's assembler: a program sees its words, and no name of its module.
    FunctionType(written.__code__, words, closure=written.__closure__)()
    assembled = Program("\n".join(lines))
    kwargs = assembled.pio_kwargs
    ends = kwargs.get("wrap_target", 0), kwargs.get("wrap", count - 1)
    return Code(list(assembled.assembled), *ends, places, getattr(written, "push_at", 32))


@dataclass(frozen=True)
class Wave:
    """What a button's contact does: closed from, open from, closed from … in cycles since the start; open at first."""

    edges: Sequence[int]

    def closed(self, clock: int) -> bool:
        """Say whether the contact is closed in a cycle."""
        return sum(edge <= clock for edge in self.edges) % 2 == 1


def run(
    state: State,
    wave: Wave,
    until: int,
    start: int = 0,
    *,
    fetch: Iterable[int] = (),
    skip: bool = True,
    watch: Callable[[State], None] | None = None,
    program: Code | None = None,
) -> tuple[State, list[int]]:
    """Run to a cycle; give the state and the words fetched from the queue at the cycles in `fetch`.

    The program is the one that stamps, if no other is given.
    Cycles count from when the state machine was switched on; the wave's from `start`, when the start pin rises.
    """
    fetched: list[int] = []
    edges = iter(sorted({start, *(start + edge for edge in wave.edges), *fetch, until}))
    level = (0, 0)
    fetches = set(fetch)
    for edge in edges:
        if edge > until:
            break
        state = _constant(program or code(), state, level, edge, skip, watch)
        if edge in fetches:
            fetched += state.receive_fifo
            state = replace(state, receive_fifo=deque())
        level = (int(edge >= start), int(wave.closed(edge - start)))
    return state, fetched + list(state.receive_fifo)


def _constant(
    program: Code,
    state: State,
    level: tuple[int, int],
    until: int,
    skip: bool,
    watch: Callable[[State], None] | None,
) -> State:
    """Run to a cycle while the pins do not change."""
    started, closed = level
    pins = started << START | (1 - closed) << PIN | (1 - closed)  # the first of `in_base` is 0 in here
    while state.clock < until:
        last: dict[int, State] = {}
        for state_now in _steps(program, state, pins, until):
            state = state_now
            if watch:
                watch(state_now)
            state_then = last.get(state_now.program_counter)
            if skip and state_then and _same(state_then, state_now):
                state = _many(state_then, state_now, until)
                if state is not state_now:
                    break
            last[state_now.program_counter] = state_now
    return state


def _steps(program: Code, state: State, pins: int, until: int) -> Iterator[State]:
    def levels(_: int) -> int:
        return pins

    running = emulate(
        list(program.words),
        stop_when=lambda _, now: now.clock >= until,
        initial_state=state,
        input_source=levels,
        auto_push=True,  # without `in_` it does nothing
        push_threshold=program.push_at,
        shift_isr_right=False,
        jmp_pin=PIN,
        wrap_target=program.wrap_target,
        wrap_top=program.wrap,
    )
    for _, state in running:
        yield state


def _same(earlier: State, later: State) -> bool:
    """Whether nothing that later lines depend on has changed but X and Y."""
    return (
        earlier.input_shift_register == later.input_shift_register
        and earlier.output_shift_register == later.output_shift_register
        and earlier.receive_fifo == later.receive_fifo
        and earlier.transmit_fifo == later.transmit_fifo
    )


def _many(earlier: State, later: State, until: int) -> State:
    """Take as many turns as surely end before `until`, and before X or Y is used up."""
    took = later.clock - earlier.clock
    turns = (until - later.clock) // took - 1
    counted = earlier.y_register - later.y_register
    if counted < 0:
        return later  # Y was loaded anew within the turn
    if counted > 0:
        turns = min(turns, later.y_register // counted - 1)
    down = earlier.x_register - later.x_register
    if down > 0:
        turns = min(turns, later.x_register // down - 1)
    if turns <= 0:
        return later
    return replace(
        later,
        clock=later.clock + turns * took,
        x_register=(later.x_register - turns * down) & U32,
        y_register=later.y_register - turns * counted,
    )
