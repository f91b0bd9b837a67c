"""Draws the boards of `design.py` with KiCad 9, checks and exports them, for `make hardware-boards`.

It needs the Python with KiCad's module `pcbnew`. Nothing is stored if ERC or DRC finds something.
"""

import atexit
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pcbnew
from design import BOARDS, Board, Component
from route import GRID, WIDTH, Pad, Via, Wire, route_board
from schematic import free_net, identity, schematic

HERE: Final = Path(__file__).parent
KICAD: Final = Path("/usr/share/kicad")
FOOTPRINTS: Final = KICAD / "footprints"
HOLE: Final = ("MountingHole", "MountingHole_2.2mm_M2")
ORIGIN_MM: Final = (50.0, 50.0)


class BoardError(RuntimeError):
    """Error raised with KiCad's message."""


def at(x: float, y: float) -> Any:
    """Return a position in KiCad's units."""
    return pcbnew.VECTOR2I(pcbnew.FromMM(ORIGIN_MM[0] + x), pcbnew.FromMM(ORIGIN_MM[1] + y))


@cache
def settings() -> dict[str, str]:
    """Return an environment with KiCad's libraries and without the user's settings."""
    folder = Path(tempfile.mkdtemp(prefix="kicad-"))
    version = f"{pcbnew.GetMajorMinorVersion()}"
    for table in ("sym-lib-table", "fp-lib-table"):
        for place in (folder, folder / version):
            place.mkdir(exist_ok=True)
            shutil.copyfile(KICAD / "template" / table, place / table)
    atexit.register(shutil.rmtree, folder)
    folders = {
        f"KICAD9_{name}_DIR": str(KICAD / where)
        for name, where in (("SYMBOL", "symbols"), ("FOOTPRINT", "footprints"))
    }
    return {**os.environ, **folders, "KICAD_CONFIG_HOME": str(folder)}


def kicad(*arguments: str) -> str:
    """Return kicad-cli's output. Raise BoardError."""
    command = ["kicad-cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=settings())
    if done.returncode:
        raise BoardError(f"kicad-cli {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


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
    for key, value in (("Part", part.kind.part), ("Example", part.kind.number)):
        found.SetField(key, value)
        found.GetFieldByName(key).SetVisible(False)
    found.SetExcludedFromBOM(not part.kind.part)
    for pad in found.Pads():
        number = pad.GetNumber()
        net = part.nets.get(number) or free_net(part, number)
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


def name_parts(board: Any, design: Board) -> None:
    """Label the parts. Raise BoardError if there is no room."""
    taken = [each.GetBoundingBox(False) for each in board.GetFootprints()]
    edge = board.GetBoardEdgesBoundingBox()
    edge.Inflate(-pcbnew.FromMM(0.6))
    for part in design.components:
        if part.kind.part:
            words = part.value if part.name.startswith("J") else part.name
            box = board.FindFootprintByReference(part.name).GetBoundingBox(False)
            if part.kind.symbol == "Device:R":
                _write_within(board, words, box, part.turned)
            else:
                taken.append(_write_beside(board, words, box, taken, edge))


def _text(board: Any, words: str) -> Any:
    text = pcbnew.PCB_TEXT(board)
    text.SetText(words)
    text.SetLayer(pcbnew.F_SilkS)
    text.SetTextThickness(pcbnew.FromMM(0.12))
    return text


def _write_within(board: Any, words: str, box: Any, turned: int) -> None:
    text = _text(board, words)
    text.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(1.0), pcbnew.FromMM(1.0)))
    text.SetTextAngleDegrees(90 if turned % 180 else 0)
    text.SetPosition(box.GetCenter())
    board.Add(text)


def _write_beside(board: Any, words: str, box: Any, taken: list[Any], edge: Any) -> Any:
    text = _text(board, words)
    middle = box.GetCenter()
    for high in (1.0, 0.8):
        text.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(high), pcbnew.FromMM(high)))
        for turned in (0, 90):
            text.SetTextAngleDegrees(turned)
            own = text.GetBoundingBox()
            out_x, out_y = (box.GetWidth() + own.GetWidth()) // 2, (box.GetHeight() + own.GetHeight()) // 2
            gap = pcbnew.FromMM(0.1)
            for x, y in _beside(out_x + gap, out_y + gap):
                text.SetPosition(middle + pcbnew.VECTOR2I(x, y))
                own = text.GetBoundingBox()
                if edge.Contains(own) and not any(own.Intersects(each) for each in taken):
                    board.Add(text)
                    return own
    raise BoardError(f"no room on the board to write {words!r}")


def _beside(x: int, y: int) -> Iterator[tuple[int, int]]:
    for part in (0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, -1):
        yield from ((int(x * part), -y), (int(x * part), y), (-x, int(y * part)), (x, int(y * part)))


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
            via.SetWidth(pcbnew.FromMM(0.8))
            via.SetDrill(pcbnew.FromMM(0.4))
            via.SetNet(nets[piece.net])
            board.Add(via)
            continue
        track = pcbnew.PCB_TRACK(board)
        track.SetStart(at(piece.x1, piece.y1))
        track.SetEnd(at(piece.x2, piece.y2))
        track.SetWidth(pcbnew.FromMM(WIDTH))
        track.SetLayer(pcbnew.B_Cu if piece.layer else pcbnew.F_Cu)
        track.SetNet(nets[piece.net])
        board.Add(track)


def make(design: Board, folder: Path) -> None:
    """Write schematic and board of a design. Raise BoardError or RouteError."""
    stem = folder / design.name
    stem.with_suffix(".kicad_sch").write_text(schematic(design), "utf-8")
    board = pcbnew.NewBoard(str(stem.with_suffix(".kicad_pcb")))
    outline(board, design.size)
    nets = {
        net: add_net(board, net) for net in sorted({n for part in design.components for n in part.nets.values()})
    }
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
    board.GetDesignSettings().m_MinResolvedSpokes = 1
    board.Save(made)
    board = pcbnew.LoadBoard(made)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    board.Save(made)


def check(design: Board, folder: Path) -> None:
    """Run ERC and DRC. Raise BoardError with the findings."""
    stem = folder / design.name
    for kind, file, more in (("sch", ".kicad_sch", ("erc",)), ("pcb", ".kicad_pcb", ("drc", "--schematic-parity"))):
        report = folder / f"{kind}.json"
        kicad(kind, *more, "--format", "json", "--severity-all", "-o", str(report), str(stem.with_suffix(file)))
        said = json.loads(report.read_text("utf-8"))
        found = [
            each for key in ("violations", "unconnected_items", "schematic_parity") for each in said.get(key, [])
        ]
        found += [each for sheet in said.get("sheets", []) for each in sheet["violations"]]
        if found:
            lines = [
                f"{each['severity']} {each['type']}: {each['description']}: "
                + "; ".join(f"{item['description']} {item['pos']}" for item in each["items"])
                for each in found
            ]
            raise BoardError(f"{design.name}: {len(found)} found by {more[0]}\n" + "\n".join(lines[:60]))
        print(f"{design.name}: {more[0].upper()} finds nothing", flush=True)


def bill(design: Board, made: Path) -> None:
    kinds: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for part in design.components:
        if part.kind.part:
            value = "" if part.name.startswith("J") else part.value
            kinds[value, part.kind.part, part.kind.number].append(part.name)
    with made.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("quantity", "places", "value", "part", "example"))
        for (value, part, number), names in kinds.items():
            rows.writerow((len(names), " ".join(names), value, part, number))


def export(design: Board, folder: Path, kept: Path) -> None:
    """Export everything, and copy it to `kept`."""
    stem = folder / design.name
    pcb = str(stem.with_suffix(".kicad_pcb"))
    kicad("sch", "export", "pdf", "-o", str(stem.with_suffix(".pdf")), str(stem.with_suffix(".kicad_sch")))
    gerbers = folder / "gerbers"
    gerbers.mkdir()
    layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,Edge.Cuts"
    kicad("pcb", "export", "gerbers", "--layers", layers, "-o", str(gerbers), pcb)
    kicad("pcb", "export", "drill", "-o", f"{gerbers}/", pcb)
    with zipfile.ZipFile(folder / f"{design.name}-gerbers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(gerbers.iterdir()):
            archive.writestr(zipfile.ZipInfo(each.name, (2026, 1, 1, 0, 0, 0)), each.read_bytes())
    bill(design, folder / f"{design.name}-parts.csv")
    for view, drawn in (("front", "F.Cu,F.Mask,F.Silkscreen,Edge.Cuts"), ("back", "B.Cu,B.Mask,Edge.Cuts")):
        mirror = ("--mirror",) if view == "back" else ()
        kicad(
            "pcb",
            "export",
            "svg",
            "--layers",
            drawn,
            *mirror,
            "--mode-single",
            "--page-size-mode",
            "2",
            "--exclude-drawing-sheet",
            "-o",
            str(folder / f"{design.name}-{view}.svg"),
            pcb,
        )
    for each in folder.iterdir():
        if each.name.startswith(design.name) and each.suffix in {
            ".kicad_sch",
            ".kicad_pcb",
            ".pdf",
            ".zip",
            ".csv",
            ".svg",
        }:
            shutil.copyfile(each, kept / each.name)


def main() -> int:
    for design in BOARDS:
        with tempfile.TemporaryDirectory() as room:
            folder = Path(room)
            try:
                make(design, folder)
                check(design, folder)
                export(design, folder, HERE)
            except (BoardError, LookupError, RuntimeError) as error:
                print(f"boards: {error}", file=sys.stderr)
                return 1
    sources = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(HERE.glob("*.py"))}
    found = {design.name: {"erc": 0, "drc": 0} for design in BOARDS}
    (HERE / "drawn.json").write_text(json.dumps({"sources": sources, "found": found}, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
