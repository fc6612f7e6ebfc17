"""The ratings as a picture: a dot for each player, a bar for how far it can be trusted."""

from __future__ import annotations

from html import escape
from math import ceil, floor

from connectk.arena.standings import Standing, Standings

ROW, LEFT, PLOT, RIGHT, TOP = 36, 190, 480, 110, 56
STEPS = (10, 20, 50, 100, 200, 500, 1000)
STYLE = """
.paper{fill:#FAF7F2}.ink{fill:#1D2330}.quiet{fill:#6B7280}.grid{stroke:#6B7280;stroke-opacity:.25}
.bar{stroke:#26418F;stroke-width:3}.dot{fill:#26418F}
text{font:14px system-ui,sans-serif;font-variant-numeric:tabular-nums}
.title{font-size:16px;font-weight:600}
@media(prefers-color-scheme:dark){.paper{fill:#14161A}.ink{fill:#ECEAE4}.quiet{fill:#9AA3B2}.grid{stroke:#9AA3B2}
.bar{stroke:#8FA8F0}.dot{fill:#8FA8F0}}
""".strip()


def draw_ratings(standings: Standings, title: str) -> str:
    """The ratings as SVG."""
    lines = standings.lines
    step = _step(lines)
    low = floor(min(line.elo - line.margin for line in lines) / step) * step
    high = ceil(max(line.elo + line.margin for line in lines) / step) * step
    width, height = LEFT + PLOT + RIGHT, TOP + ROW * len(lines) + 32
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>',
            f'<rect class="paper" width="{width}" height="{height}"/>',
            f'<text class="ink title" x="16" y="28">{escape(title)}</text>',
            *(_grid_line(elo, low, high, height) for elo in range(low, high + 1, step)),
            *(_player(line, row, low, high) for row, line in enumerate(lines)),
            "</svg>",
        ]
    )


def _step(lines: tuple[Standing, ...]) -> int:
    """A distance of grid lines that gives no more than eight of them."""
    span = max(line.elo + line.margin for line in lines) - min(line.elo - line.margin for line in lines)
    return next((step for step in STEPS if span / step <= 8), ceil(span / 8000) * 1000)


def _x(elo: float, low: int, high: int) -> float:
    return round(LEFT + PLOT * (elo - low) / ((high - low) or 1), 1)


def _grid_line(elo: int, low: int, high: int, height: int) -> str:
    x = _x(elo, low, high)
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{height - 28}"/>'
        f'<text class="quiet" x="{x}" y="{height - 10}" text-anchor="middle">{elo:+d}</text>'.replace("+0<", "0<")
    )


def _player(line: Standing, row: int, low: int, high: int) -> str:
    y = TOP + ROW * row + ROW // 2
    left, middle, right = (_x(elo, low, high) for elo in (line.elo - line.margin, line.elo, line.elo + line.margin))
    name = line.name if len(line.name) <= 22 else f"…{line.name[-21:]}"
    return (
        f'<text class="ink" x="{LEFT - 16}" y="{y + 5}" text-anchor="end">{escape(name)}</text>'
        f'<line class="bar" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
        f'<line class="bar" x1="{left}" x2="{left}" y1="{y - 6}" y2="{y + 6}"/>'
        f'<line class="bar" x1="{right}" x2="{right}" y1="{y - 6}" y2="{y + 6}"/>'
        f'<circle class="dot" cx="{middle}" cy="{y}" r="6"/>'
        f'<text class="quiet" x="{LEFT + PLOT + 12}" y="{y + 5}">{line.elo:+.0f} ± {line.margin:.0f}</text>'
    )
