"""Draws the boards of `design.py` with KiCad 9, checks and exports them, for `make hardware-boards`.

It needs the Python with KiCad's module `pcbnew`. Nothing is stored if ERC or DRC finds something.
"""

import csv
import hashlib
import json
import shutil
import sys
import tempfile
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import pcbnew
from check import KICAD, BoardError, findings, kicad
from design import BOARDS, Board, Component, mark
from route import GAP, GRID, POWER, POWER_WIDTH, VIA, WIDTH, Pad, Via, Wire, route_board, width
from schematic import identity, net_name, schematic

HERE: Final = Path(__file__).parent
FOOTPRINTS: Final = KICAD / "footprints"
HOLE: Final = ("MountingHole", "MountingHole_2.2mm_M2")
ORIGIN_MM: Final = (50.0, 50.0)
KEPT: Final = (".kicad_pro", ".kicad_sch", ".kicad_pcb", ".pdf", ".zip", ".csv", ".jpg")


def at(x: float, y: float) -> Any:
    """Return a position in KiCad's units."""
    return pcbnew.VECTOR2I(pcbnew.FromMM(ORIGIN_MM[0] + x), pcbnew.FromMM(ORIGIN_MM[1] + y))


def footprint(board: Any, library: str, name: str, reference: str) -> Any:
    """Add a library footprint to the board."""
    found = pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), name)
    if found is None:
        raise BoardError(f"{FOOTPRINTS} has no footprint {library}:{name}")
    found.SetFPID(pcbnew.LIB_ID(library, name))
    found.SetReference(reference)
    board.Add(found)
    return found


def place(board: Any, nets: dict[str, Any], name: str, part: Component) -> None:
    library, shape = part.kind.footprint.split(":")
    found = footprint(board, library, shape, part.name)
    found.SetValue(part.value)
    found.SetPosition(at(*(round(place / GRID) * GRID for place in (part.x, part.y))))
    found.SetOrientationDegrees(part.turned)
    found.SetPath(pcbnew.KIID_PATH(f"/{identity(name, part.name)}"))
    found.SetSheetfile(f"{name}.kicad_sch")
    found.SetSheetname("/")
    for key, value in (("Part", part.kind.part), ("Number", part.kind.number), ("Second", part.kind.second)):
        found.SetField(key, value)
        found.GetFieldByName(key).SetVisible(False)
    found.SetExcludedFromBOM(not part.kind.part)
    for pad in found.Pads():
        number = pad.GetNumber()
        net = net_name(part, number)
        pad.SetNet(nets[net] if net in nets else nets.setdefault(net, add_net(board, net)))
    found.Reference().SetVisible(False)


def add_net(board: Any, name: str) -> Any:
    net = pcbnew.NETINFO_ITEM(board, name)
    board.Add(net)
    return net


def outline(board: Any, size: tuple[float, float]) -> None:
    frame = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_RECT)
    frame.SetStart(at(0, 0))
    frame.SetEnd(at(*size))
    frame.SetLayer(pcbnew.Edge_Cuts)
    frame.SetWidth(pcbnew.FromMM(0.1))
    board.Add(frame)


def write(board: Any, words: str, x: int, y: int, turned: int = 0) -> None:
    text = pcbnew.PCB_TEXT(board)
    text.SetText(words)
    text.SetLayer(pcbnew.F_SilkS)
    text.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(1.0), pcbnew.FromMM(1.0)))
    text.SetTextThickness(pcbnew.FromMM(0.15))
    text.SetTextAngleDegrees(turned)
    text.SetPosition(pcbnew.VECTOR2I(x, y))
    board.Add(text)


def beside(box: Any, side: str, deep: int, gap_mm: float = 0.3) -> tuple[int, int]:
    """Return the place of a text that reaches `deep` away from a box."""
    x, y, gap = box.GetCenter().x, box.GetCenter().y, pcbnew.FromMM(gap_mm) + deep // 2
    return {
        "n": (x, box.GetTop() - gap),
        "s": (x, box.GetBottom() + gap),
        "w": (box.GetLeft() - gap, y),
        "e": (box.GetRight() + gap, y),
    }[side]


def long(words: str) -> int:
    """Return the length of a text of 1 mm height in KiCad's units."""
    return pcbnew.FromMM(0.93 * len(words))


def name_parts(board: Any, design: Board) -> None:
    """Write what is beside the parts: names, values, and what each pin of a connector is."""
    for part in design.components:
        found = board.FindFootprintByReference(part.name)
        box, high = found.GetBoundingBox(False), pcbnew.FromMM(1.15)
        side = part.named or ("e" if part.turned % 180 else "n")
        lies = part.named == "" and side == "e"
        deep = long(part.words) if side in "we" and not lies else high
        place = beside(box, side, deep, 0.3 if part.name[0] in "JTU" else 0.02)
        write(board, part.words, *place, 90 if lies else 0)
        for pad in found.Pads() if part.pins_named else ():
            if net := part.nets.get(pad.GetNumber()):
                x, y = beside(box, part.pins_named, long(mark(net)))
                at_pin = (pad.GetPosition().x, y) if part.pins_named in "ns" else (x, pad.GetPosition().y)
                write(board, mark(net), *at_pin, 90 if part.pins_named in "ns" else 0)
    for words, x, y in design.words:
        place = at(x, y)
        write(board, words, place.x, place.y)
    if design.arrow:
        x, y = design.arrow
        for x2, y2 in ((x - 1, y + 1), (x + 1, y + 1), (x, y + 3)):
            line(board, pcbnew.F_SilkS, (x, y), (x2, y2))


def line(board: Any, layer: int, start: tuple[float, float], end: tuple[float, float]) -> None:
    drawn = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
    drawn.SetStart(at(*start))
    drawn.SetEnd(at(*end))
    drawn.SetLayer(layer)
    drawn.SetWidth(pcbnew.FromMM(0.15))
    board.Add(drawn)


def pour(board: Any, net: Any, size: tuple[float, float]) -> None:
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
        zone = pcbnew.ZONE(board)
        zone.SetLayer(layer)
        zone.SetNet(net)
        corners = [(0.5, 0.5), (size[0] - 0.5, 0.5), (size[0] - 0.5, size[1] - 0.5), (0.5, size[1] - 0.5)]
        zone.AddPolygon(pcbnew.VECTOR_VECTOR2I([at(*corner) for corner in corners]))
        zone.SetLocalClearance(pcbnew.FromMM(0.2))
        zone.SetMinThickness(pcbnew.FromMM(0.2))
        zone.SetThermalReliefGap(pcbnew.FromMM(0.25))
        zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.4))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        board.Add(zone)


def pads_of(board: Any) -> list[Pad]:
    found = []
    for pad in board.GetPads():
        if not pad.GetNumber():
            continue
        box, middle = pad.GetBoundingBox(), pad.GetPosition()
        found.append(
            Pad(
                pad.GetNetname(),
                pcbnew.ToMM(middle.x) - ORIGIN_MM[0],
                pcbnew.ToMM(middle.y) - ORIGIN_MM[1],
                pcbnew.ToMM(box.GetWidth()) / 2,
                pcbnew.ToMM(box.GetHeight()) / 2,
            )
        )
    return found


def lay(board: Any, nets: dict[str, Any], copper: list[Wire | Via]) -> None:
    for piece in copper:
        if isinstance(piece, Via):
            via = pcbnew.PCB_VIA(board)
            via.SetPosition(at(piece.x, piece.y))
            via.SetWidth(pcbnew.F_Cu, pcbnew.FromMM(VIA))
            via.SetDrill(pcbnew.FromMM(VIA / 2))
            via.SetNet(nets[piece.net])
            board.Add(via)
            continue
        track = pcbnew.PCB_TRACK(board)
        track.SetStart(at(piece.x1, piece.y1))
        track.SetEnd(at(piece.x2, piece.y2))
        track.SetWidth(pcbnew.FromMM(width(piece.net)))
        track.SetLayer(pcbnew.B_Cu if piece.layer else pcbnew.F_Cu)
        track.SetNet(nets[piece.net])
        board.Add(track)


def make(design: Board, folder: Path) -> None:
    """Write schematic and board of a design. Raise BoardError or RouteError."""
    stem = folder / design.name
    stem.with_suffix(".kicad_sch").write_text(schematic(design), "utf-8")
    board = pcbnew.NewBoard(str(stem.with_suffix(".kicad_pcb")))
    outline(board, design.size)
    nets: dict[str, Any] = {}
    for part in design.components:
        place(board, nets, design.name, part)
    corners = [
        (x, y)
        for x in (design.hole_in, design.size[0] - design.hole_in)
        for y in (design.hole_in, design.size[1] - design.hole_in)
    ]
    for number, corner in enumerate(corners, 1):
        hole = footprint(board, *HOLE, f"H{number}")
        hole.SetPosition(at(*corner))
        hole.SetAttributes(pcbnew.FP_BOARD_ONLY | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES)
        hole.Reference().SetVisible(False)
    name_parts(board, design)
    copper = route_board(design.size, pads_of(board), [(x, y, 1.1) for x, y in corners])
    lay(board, nets, copper)
    pour(board, nets["GND"], design.size)
    made = str(stem.with_suffix(".kicad_pcb"))
    board.Save(made)
    board = pcbnew.LoadBoard(made)
    fill(board)
    board.Save(made)
    stem.with_suffix(".kicad_pro").write_text(project(design), "utf-8")


def fill(board: Any) -> None:
    """Fill the pour. A pad that only small pieces of it reach on one side has its track alone."""
    for _ in range(2):
        board.BuildConnectivity()
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pours = [zone.GetFilledPolysList(zone.GetFirstLayer()) for zone in board.Zones()]
        largest = [
            max(map(pour.Outline, range(pour.OutlineCount())), key=lambda each: each.Area()) for pour in pours
        ]
        for pad in board.GetPads():
            place, reach = pad.GetPosition(), min(pad.GetSize()) // 2
            if pad.GetNetname() == "GND" and not all(
                pcbnew.SHAPE_POLY_SET(each).Collide(place, reach) for each in largest
            ):
                pad.SetLocalZoneConnection(pcbnew.ZONE_CONNECTION_NONE)


def project(design: Board) -> str:
    """Return KiCad's project of a board: the rules that its checks use."""
    classes = [
        {
            "name": name,
            "clearance": GAP,
            "track_width": track,
            "via_diameter": VIA,
            "via_drill": VIA / 2,
            "priority": priority,
        }
        for name, track, priority in (("Default", WIDTH, 2147483647), ("Power", POWER_WIDTH, 0))
    ]
    rules = {
        "min_clearance": GAP,
        "min_track_width": WIDTH,
        "min_via_diameter": VIA,
    }
    return (
        json.dumps(
            {
                "board": {"design_settings": {"rules": rules}},
                "meta": {"filename": f"{design.name}.kicad_pro", "version": 3},
                "net_settings": {
                    "classes": classes,
                    "meta": {"version": 4},
                    "netclass_patterns": [{"netclass": "Power", "pattern": net} for net in sorted(POWER)],
                },
            },
            indent=2,
        )
        + "\n"
    )


def bill(design: Board, made: Path) -> None:
    kinds: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for part in design.components:
        if part.kind.part:
            value = "" if part.name.startswith("J") else part.value
            kinds[value, part.kind.part, part.kind.number, part.kind.second].append(part.name)
    with made.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("quantity", "places", "value", "part", "number", "second source"))
        for said, names in kinds.items():
            rows.writerow((len(names), " ".join(names), *said))


def render(design: Board, stem: Path) -> None:
    """Draw the board after each step of soldering."""
    for number, soldered in enumerate(design.steps, 1):
        board = pcbnew.LoadBoard(str(stem.with_suffix(".kicad_pcb")))
        for part in design.components:
            if part.name.rstrip("0123456789") not in soldered.split():
                board.FindFootprintByReference(part.name).Models().clear()
        partly = stem.with_name(f"partly-{design.name}.kicad_pcb")
        board.Save(str(partly))
        size = [str(round(12.5 * length)) for length in design.size]
        zoom = "1.25" if design.size[0] > design.size[1] else "0.97"
        kicad(
            *("pcb", "render", "--background", "opaque", "--quality", "basic", "--zoom", zoom),
            *("-w", size[0], "-h", size[1], "-o", f"{stem}-step-{number}.jpg", str(partly)),
        )


def export(design: Board, folder: Path, kept: Path) -> None:
    """Export everything, and copy it to `kept`."""
    stem = folder / design.name
    pcb = str(stem.with_suffix(".kicad_pcb"))
    kicad("sch", "export", "pdf", "-o", f"{stem}.pdf", f"{stem}.kicad_sch")
    ordered = folder / "order"
    ordered.mkdir()
    layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,Edge.Cuts"
    kicad("pcb", "export", "gerbers", "--layers", layers, "-o", str(ordered), pcb)
    kicad("pcb", "export", "drill", "-o", f"{ordered}/", pcb)
    bill(design, folder / f"{design.name}-parts.csv")
    shutil.copy(folder / f"{design.name}-parts.csv", ordered)
    with zipfile.ZipFile(f"{stem}-order.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(ordered.iterdir()):
            archive.writestr(zipfile.ZipInfo(each.name, (2026, 1, 1, 0, 0, 0)), each.read_bytes())
    render(design, stem)
    for each in folder.iterdir():
        if each.name.startswith(design.name) and each.suffix in KEPT:
            shutil.copyfile(each, kept / each.name)


def main() -> int:
    for design in BOARDS:
        with tempfile.TemporaryDirectory() as room:
            folder = Path(room)
            try:
                make(design, folder)
                found = findings(folder / design.name)
                if not found:
                    export(design, folder, HERE)
            except (BoardError, LookupError, RuntimeError) as error:
                found = [str(error)]
            if found:
                print(f"boards: {design.name}", *found[:60], sep="\n", file=sys.stderr)
                return 1
    sources = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(HERE.glob("*.py"))}
    (HERE / "drawn.json").write_text(json.dumps(sources, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
