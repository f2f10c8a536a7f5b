"""The two boards: what is on them and what is joined to what.

Readers are plugged into the bus board, pods are screwed into the plugs of the box's board: neither fits the other's
sockets. All cables are Cat 5e patch cables cut in half, in the colours of the common order (T568B); each signal is
twisted with ground or with a wire that rests.
"""

from hardware.pcb.model import GROUND, REVISION, Besides, CircuitBoard, Part, PartType, Point, Text

COLOURS = ("WHOG", "OG", "WHGN", "BU", "WHBU", "GN", "WHBN", "BN")
"""Of the wires at a patch cable's contacts 1 to 8."""
PLACES = ("centre", "seat-1", "seat-2", "seat-3", "seat-4", "seat-5", "seat-6")
READER = ("GND", "5V", "GND", "MISO", "RST", "SCK", "SS", "MOSI")
"""At contacts 1 to 8 of a reader's socket."""
POD = {"1": "GND", "2": "button", "3": "+5V", "4": "DIN", "5": "DOUT"}
"""At the poles of a pod's plug: the button beside ground, away from the lamps' data."""
CENTRE = {"1": "GND", "2": "+5V", "3": "DIN"}

SOCKET = PartType(
    "RJ45 socket without shield",
    "Connector:8P8C",
    "Connector_RJ:RJ45_Amphenol_54602-x08_Horizontal",
    "Amphenol",
    "54602-908LF",
    Point(-2.2, -5.2),
)
POD_PLUG = PartType(
    "pluggable terminal, 5 poles, 3.5 mm",
    "Connector:Screw_Terminal_01x05",
    "Connector_Phoenix_MC:PhoenixContact_MC_1,5_5-G-3.5_1x05_P3.50mm_Horizontal",
    "Phoenix Contact",
    "1844249",
    Point(-1.0, -7.2),
    besides=Besides("its plug, 5 poles", "Phoenix Contact", "1840395", 1),
)
CENTRE_PLUG = PartType(
    "pluggable terminal, 3 poles, 3.5 mm",
    "Connector:Screw_Terminal_01x03",
    "Connector_Phoenix_MC:PhoenixContact_MC_1,5_3-G-3.5_1x03_P3.50mm_Horizontal",
    "Phoenix Contact",
    "1844223",
    Point(-1.0, -7.2),
    besides=Besides("its plug, 3 poles", "Phoenix Contact", "1840379", 1),
)
HEADER = PartType(
    "box header 2 × 20, 2.54 mm",
    "Connector_Generic:Conn_02x20_Odd_Even",
    "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical",
    "Würth Elektronik",
    "61204021621",
    Point(1.3, 55.6),
)
PICO = PartType(
    "Raspberry Pi Pico H",
    "MCU_Module:RaspberryPi_Pico",
    "Module:RaspberryPi_Pico_Common_THT",
    "Raspberry Pi",
    "SC0917",
    Point(8.9, 52.0),
    besides=Besides("socket strip, 20 pins, 2.54 mm", "Würth Elektronik", "61302011821", 2),
)
PICO_ROWS = 17.78
"""Between its two rows of pins; its USB socket is in the middle."""
_FUSE_FOOTPRINT = "Fuse:Fuse_Bourns_MF-RHT050"
READER_FUSE = PartType(
    "resettable fuse 0.3 A", "Device:Polyfuse", _FUSE_FOOTPRINT, "Bourns", "MF-R030", Point(7.9, 0.6), 90
)
POD_FUSE = PartType("resettable fuse 0.1 A", "Device:Polyfuse", _FUSE_FOOTPRINT, "Bourns", "MF-R010", Point(-2.8, 0.6))


def _resistor(value: str, number: str) -> PartType:
    footprint = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
    return PartType(value, "Device:R", footprint, "Yageo", number, Point(10.0, 0.0))


R100 = _resistor("100 Ω", "CFR-25JB-52-100R")
R330 = _resistor("330 Ω", "CFR-25JB-52-330R")
R1K = _resistor("1 kΩ", "CFR-25JB-52-1K")
PULLS = PartType(
    "6 × 4.7 kΩ, 7 pins",
    "Device:R_Network06",
    "Resistor_THT:R_Array_SIP7",
    "Bourns",
    "4607X-101-472LF",
    Point(-3.0, 0),
)
_DISC = "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"
C1N = PartType("1 nF", "Device:C", _DISC, "Vishay", "K102K15X7RF53H5", Point(7.3, 0))
C100N = PartType("100 nF", "Device:C", _DISC, "Vishay", "K104K15X7RF53H5", Point(7.6, 0))
C470U = PartType(
    "470 µF, 25 V, 10 mm",
    "Device:C_Polarized",
    "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm",
    "Nichicon",
    "UVR1E471MPD",
    Point(2.5, 6.2),
)
DIODE = PartType(
    "1N4001", "Device:D", "Diode_THT:D_DO-41_SOD81_P10.16mm_Horizontal", "onsemi", "1N4001RLG", Point(5.08, 2.6)
)

_BETWEEN = 17.78
"""From one reader's socket to the next."""
_POD_WIDTH = 20.32
"""From one pod's plug to the next."""


def _marks(title: str, at: Point) -> list[Text]:
    """Return the lines of silkscreen that identify a board."""
    lines = (title, f"table companion, revision {REVISION}", "2026-11, licence CERN-OHL-P-2.0")
    return [Text(line, Point(at.x, at.y + 1.9 * n), 1.2) for n, line in enumerate(lines)]


def bus() -> CircuitBoard:
    """Return the bus board: the Pi's header to seven readers on SPI, as six-seats.yaml has it.

    Each reader has a fuse of its own, so that a short takes that reader only, and 330 Ω in the three lines of its own,
    so that no wrong wire can harm the Pi.
    """
    selects = {"centre": (33, 13), "seat-1": (7, 11), "seat-2": (29, 12), "seat-3": (31, 15)}
    selects |= {"seat-4": (26, 16), "seat-5": (24, 18), "seat-6": (32, 22)}
    width, height = 139.7, 76.2
    row = height - 14.3
    parts = []
    texts = _marks("BUS BOARD", Point(117.0, 11.0))
    for number, place in enumerate(PLACES):
        left = 11.43 + number * _BETWEEN
        contacts = {
            str(n): net if net in (GROUND, "SCK", "MOSI") else f"{net} {place}" for n, net in enumerate(READER, 1)
        }
        parts.append(Part(f"J{number + 1}", SOCKET, Point(left, row), contacts))
        texts.append(Text(place.upper(), Point(left + 5.0, row - 5.2), 1.2))
        texts.append(Text(f"J{number + 1} {place.upper()}", Point(left + 4.4, row + 3.2), 1.2, back=True))
        parts.append(Part(f"F{number + 1}", READER_FUSE, Point(left - 3.2, 54.0), {"1": f"5V {place}", "2": "5V"}, 90))
        for step, (net, shared) in enumerate((("MISO", "MISO"), ("RST", f"RST {place} in"), ("SS", f"SS {place} in"))):
            nets = {"1": f"{net} {place}", "2": shared}
            parts.append(Part(f"R{3 * number + step + 1}", R330, Point(left + 2.54 + 3.81 * step, 54.0), nets, 90))
    header = dict.fromkeys(("2", "4"), "5V") | dict.fromkeys(("6", "9", "14", "20", "25", "30", "34", "39"), GROUND)
    header |= {"23": "SCK in", "21": "MISO", "19": "MOSI in"}
    for place, (select, reset) in selects.items():
        header |= {str(select): f"SS {place} in", str(reset): f"RST {place} in"}
    parts += [
        Part("J8", HEADER, Point(38.1, 15.24), header, 90),
        Part("R22", R100, Point(101.6, 25.4), {"1": "SCK in", "2": "SCK"}),
        Part("R23", R100, Point(101.6, 29.21), {"1": "MOSI in", "2": "MOSI"}),
        Part("C1", C470U, Point(15.24, 15.24), {"1": "5V", "2": GROUND}),
        Part("C2", C100N, Point(15.24, 25.4), {"1": "5V", "2": GROUND}),
    ]
    texts += [
        Text("READERS ONLY - NOT A NETWORK", Point(width / 2, height - 1.6), 1.4, back=True),
        Text("READERS ONLY - NOT A NETWORK", Point(66.0, 6.0), 1.4),
        Text("TO THE PI: RED EDGE OF THE CABLE AT 1", Point(62.0, 20.8), 1.0),
        Text("1", Point(36.0, 20.8), 1.2),
        Text("R1-R21 330   R22 R23 100   F1-F7 0.3 A   C1 470u   C2 100n", Point(70.0, 41.0)),
    ]
    title = "Bus board: seven readers on SPI"
    return CircuitBoard("bus", title, width, height, parts, texts, ("5V", GROUND), {"5V": 1.5})


def box() -> CircuitBoard:
    """Return the box's board: a Pico to six pods and the centre pad's lamp, as box.yaml has it.

    Each button has 4.7 kΩ to 3.3 V at its wire, and 1 kΩ with 1 nF before the Pico: what a lamp's data couple into its
    wire does not reach a threshold, and spikes under a microsecond do not arrive. Each pod has a fuse of its own.
    """
    width, height = 151.13, 81.28
    row = height - 8.4
    parts = []
    texts = _marks("BOX BOARD", Point(126.0, 9.0))
    for seat in range(1, 7):
        left = 10.795 + (seat - 1) * _POD_WIDTH
        poles = {"1": GROUND, "2": f"button {seat}", "3": f"+5V {seat}", "4": f"lamp {seat}"}
        if seat < 6:  # the last lamp's way back leads nowhere
            poles["5"] = f"lamp {seat + 1}"
        parts.append(Part(f"J{seat}", POD_PLUG, Point(left, row), poles))
        texts.append(Text(f"SEAT {seat}", Point(left + 5.0, row - 7.2), 1.2))
        parts.append(Part(f"F{seat}", POD_FUSE, Point(left + 6.0, 60.6), {"1": "+LAMPS", "2": f"+5V {seat}"}))
    left = 10.795 + 6 * _POD_WIDTH
    parts.append(Part("J7", CENTRE_PLUG, Point(left, row), {"1": GROUND, "2": "+5V 7", "3": "lamp centre"}))
    texts.append(Text("CENTRE", Point(left + 5.0, row - 7.2), 1.2))
    parts.append(Part("F7", POD_FUSE, Point(left + 3.4, 60.6), {"1": "+LAMPS", "2": "+5V 7"}))
    for part in parts:
        if part.kind in (POD_PLUG, CENTRE_PLUG):
            poles = POD if part.kind is POD_PLUG else CENTRE
            for pole, word in poles.items():
                at = part.at.x + 3.5 * (int(pole) - 1)
                texts.append(Text(word.upper().replace("BUTTON", "BTN"), Point(at, row - 4.2), 0.8, 0))
                texts.append(Text(word.upper().replace("BUTTON", "BTN"), Point(at, row + 3.0), 0.8, back=True))
            texts.append(Text(part.ref, Point(part.at.x + 2.0, row + 5.0), 1.2, back=True))
    # GP2 to GP7 read the buttons; pin 8, amid theirs, is ground.
    pico = {str(pin): f"GP{n}" for n, pin in enumerate((4, 5, 6, 7, 9, 10), 2)}
    pico |= {"11": "GP8", "12": "GP9", "40": "VBUS", "36": "3V3"}
    pico |= dict.fromkeys(("3", "8", "13", "18", "23", "28", "38"), GROUND)
    parts.append(Part("U1", PICO, Point(4.1, 33.02), pico, 90))
    for button in range(1, 7):
        x = 10.16 + 6.6 * (button - 1)
        parts.append(Part(f"R{button}", R1K, Point(x, 49.53), {"1": f"button {button}", "2": f"GP{button + 1}"}, 90))
        at = Point(x + 3.3, 48.26)
        parts.append(Part(f"C{button + 2}", C1N, at, {"1": GROUND, "2": f"GP{button + 1}"}, 90))
    parts += [
        Part("N1", PULLS, Point(56.0, 48.0), {"1": "3V3"} | {str(n + 1): f"button {n}" for n in range(1, 7)}),
        Part("R7", R330, Point(58.42, 38.1), {"1": "GP8", "2": "lamp 1"}),
        Part("R8", R330, Point(58.42, 41.91), {"1": "GP9", "2": "lamp centre"}),
        Part("D1", DIODE, Point(72.39, 10.16), {"1": "+LAMPS", "2": "VBUS"}),
        Part("C1", C470U, Point(92.71, 15.24), {"1": "+LAMPS", "2": GROUND}),
        Part("C2", C100N, Point(92.71, 27.94), {"1": "+LAMPS", "2": GROUND}),
    ]
    texts += [
        Text("USB", Point(3.0, 11.6), 1.2),
        Text("R1-R6 1k   R7 R8 330   N1 6 x 4k7, PIN 1 LEFT", Point(95.0, 42.0)),
        Text("C3-C8 1n   C2 100n   C1 470u", Point(95.0, 44.0)),
        Text("F1-F7 0.1 A   D1 1N4001", Point(95.0, 46.0)),
        Text("PODS: GROUND = ALL FOUR WHITE WIRES, BUTTON BLUE, +5V ORANGE, DIN GREEN, DOUT BROWN", Point(76.0, 56.6)),
    ]
    wide = {"+LAMPS": 1.5, "VBUS": 1.5}
    title = "Box: a Pico, six pods, the centre pad's lamp"
    return CircuitBoard("box", title, width, height, parts, texts, ("+LAMPS",), wide)
