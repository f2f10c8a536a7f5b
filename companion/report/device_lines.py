"""Lines on devices and the disk, as `companion check` prints them and a report contains them."""

from companion.devices.check.checkup import Checked
from companion.devices.figures import ButtonFigures, ButtonsFigures, ReaderFigures
from companion.storage.disk_speed import Syncs
from companion.words import Words

WORDS = Words(None, "en")
_UNHEARD = "how it bounces is not known: --walk asks a box whose firmware can tell"
_FASTER = "Use a microSD card of class A2, or an SSD on USB, for the log"


def faults_of(device: Checked) -> list[str]:
    """Return sentences on a device's faults."""
    fails = [f"{device.name}: {device.detail}"] if device.works is False else []
    return [*fails, *(f"{device.name}: {WORDS.say(finding.code, finding.facts)}" for finding in device.findings)]


def disk_line(syncs: Syncs | None) -> str:
    """Return a line on the disk's speed. A slow disk does not count as a fault; the line advises what to buy."""
    if syncs is None:
        return "--      disk: not measured, because nothing can be written beside the log"
    took = f"{syncs.median * 1000:.1f} ms, at most {syncs.worst * 1000:.0f} ms"
    if syncs.slow:
        return f"slow    disk: keeps an act in {took}, and every act waits for it. {_FASTER}"
    return f"ok      disk: keeps an act in {took}"


def figures(device: Checked) -> list[str]:
    """Return lines on a device and its figures."""
    match device.figures:
        case ReaderFigures(polls=polls, read=read):
            facts = [device.detail]
            facts += [] if polls is None else [f"{polls:.0f} polls a second"]
            facts += ["no card lay there"] if read is None else [f"sees its card in {100 * read:.0f} of 100 polls"]
            return [f"ok      {device.name}: {', '.join(facts)}"]
        case ButtonsFigures(buttons=buttons, edges=edges):
            lines = [f"        seat {button.seat}: {_button(button, edges)}" for button in buttons]
            return [f"ok      {device.name}: {device.detail}", *lines]
    return [f"ok      {device.name}: {device.detail}"]


def _button(button: ButtonFigures, edges: str) -> str:
    if not button.presses:
        return "not pressed"
    presses = f"{button.presses} {'press' if button.presses == 1 else 'presses'}"
    if button.bounce is None:
        return f"{presses}; {_UNHEARD}"
    few = "at least " if edges == "some" else ""
    return f"{presses}; bounces {few}{button.bounce.edges} times, within {button.bounce.lasted * 1000:.1f} ms"
