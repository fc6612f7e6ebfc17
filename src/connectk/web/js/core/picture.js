// A board as a picture to keep: the same shapes as connectk.drawing, as SVG text or on a canvas.
import { cell as cellOf, gameBoard } from "../board/boards.js";
import {
  CELL,
  CORE,
  CORNER,
  LETTER,
  LETTER_WIDE,
  LINE_EDGE,
  MARGIN,
  MAX_NUMBERED_COLUMNS,
  PICTURE_PIXELS,
  RADIUS,
  RIM,
  RING,
  RING_WIDTH,
  WIDE_BOARD,
  WON_WIDTH,
} from "../common/constants.js";

/** @import { Cell } from "../shapes.js"
 *  @import { WholeGameAnswer } from "../types.js"
 *  @typedef {{ kind: "rect" | "circle" | "line" | "text", colour: string, at: number[], outline?: number, words?: string }} Shape */

const COLOURS = [
  "paper",
  "frame",
  "frame-edge",
  "hole",
  "quiet",
  "won",
  "first",
  "first-rim",
  "first-ring",
  "second",
  "second-rim",
  "second-core",
];

/** @param {WholeGameAnswer} game @param {number} ply @param {string} format */
export function drawPicture(game, ply, format) {
  const picture = new Picture(game, ply);
  return format === "svg" ? new Blob([picture.svg()], { type: "image/svg+xml" }) : picture.png();
}

class Picture {
  /** @param {WholeGameAnswer} game @param {number} ply */
  constructor(game, ply) {
    this.board = gameBoard(game, ply);
    const { width, height } = this.board;
    this.letter = width > WIDE_BOARD ? LETTER_WIDE : LETTER;
    this.width = width * CELL + 2 * MARGIN;
    this.frame = height * CELL + 2 * MARGIN;
    this.height = this.frame + 1.5 * this.letter;
    this.scale = PICTURE_PIXELS / Math.max(this.width, this.height);
    const style = getComputedStyle(document.documentElement);
    this.colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  /** @param {Cell} cell */
  middle({ column, row }) {
    return [MARGIN + (column + 0.5) * CELL, MARGIN + (this.board.height - row - 0.5) * CELL];
  }

  /** @returns {Shape[]} */
  shapes() {
    const { width, height, discs, lines } = this.board;
    const holes = Array.from({ length: width * height }, (_, at) => ({
      column: at % width,
      row: Math.floor(at / width),
    }));
    const won = lines.flat();
    return [
      { kind: "rect", colour: "frame", at: [0, 0, this.width, this.frame, CORNER] },
      ...holes.map((cell) => this.#circle(cell, RADIUS, "hole")),
      ...discs.flatMap((disc) => this.#disc(disc)),
      ...lines.map((line) => this.#line(line, "frame-edge", LINE_EDGE)),
      ...won.map((cell) => this.#circle(cellOf([cell.column, cell.row]), RADIUS, "won", WON_WIDTH)),
      ...lines.map((line) => this.#line(line, "won", WON_WIDTH)),
      ...this.#numbers(),
    ];
  }

  /** @param {import("../shapes.js").Disc} disc @returns {Shape[]} */
  #disc(disc) {
    const mark =
      disc.side === "first"
        ? this.#circle(disc, RING, "first-ring", RING_WIDTH)
        : this.#circle(disc, CORE, "second-core");
    return [this.#circle(disc, RADIUS, `${disc.side}-rim`), this.#circle(disc, RADIUS - RIM, disc.side), mark];
  }

  /** @param {Cell} cell @param {number} radius @param {string} colour @param {number} [outline] @returns {Shape} */
  #circle(cell, radius, colour, outline) {
    return { kind: "circle", colour, at: [...this.middle(cell), radius], outline };
  }

  /** @param {Cell[]} line @param {string} colour @param {number} outline @returns {Shape} */
  #line(line, colour, outline) {
    return { kind: "line", colour, at: [...this.middle(line[0]), ...this.middle(line[line.length - 1])], outline };
  }

  /** @returns {Shape[]} */
  #numbers() {
    const { width } = this.board;
    const every = width <= MAX_NUMBERED_COLUMNS ? 1 : 10;
    const columns = Array.from({ length: width }, (_, column) => column).filter((column) => (column + 1) % every === 0);
    return columns.map((column) => ({
      kind: "text",
      colour: "quiet",
      words: String(column + 1),
      at: [this.middle({ column, row: 0 })[0], this.frame + 1.2 * this.letter, this.letter],
    }));
  }

  svg() {
    const [wide, high] = [this.width, this.height].map((side) => Math.round(side * this.scale));
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${wide}" height="${high}" role="img">`,
      ...this.shapes().map((shape) => this.#written(shape)),
      "</svg>",
    ].join("");
  }

  /** @param {Shape} shape */
  #written({ kind, colour, at, outline, words }) {
    const paint = this.colours[colour];
    const look = outline
      ? `fill="none" stroke="${paint}" stroke-width="${outline}" stroke-linecap="round"`
      : `fill="${paint}"`;
    if (kind === "rect")
      return `<rect x="${at[0]}" y="${at[1]}" width="${at[2]}" height="${at[3]}" rx="${at[4]}" ${look}/>`;
    if (kind === "circle") return `<circle cx="${at[0]}" cy="${at[1]}" r="${at[2]}" ${look}/>`;
    if (kind === "line") return `<path d="M${at[0]} ${at[1]}L${at[2]} ${at[3]}" ${look}/>`;
    return `<text x="${at[0]}" y="${at[1]}" font-size="${at[2]}" font-family="system-ui,sans-serif" text-anchor="middle" ${look}>${words}</text>`;
  }

  /** @returns {Promise<Blob>} */
  png() {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [this.width, this.height].map((side) => Math.round(side * this.scale));
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("no canvas here");
    pen.fillStyle = this.colours.paper;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.scale(this.scale, this.scale);
    pen.lineCap = "round";
    for (const shape of this.shapes()) this.#paint(pen, shape);
    return new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))),
    );
  }

  /** @param {CanvasRenderingContext2D} pen @param {Shape} shape */
  #paint(pen, { kind, colour, at, outline, words = "" }) {
    pen.fillStyle = pen.strokeStyle = this.colours[colour];
    pen.lineWidth = outline ?? 0;
    pen.beginPath();
    if (kind === "rect") pen.roundRect(at[0], at[1], at[2], at[3], at[4]);
    if (kind === "circle") pen.arc(at[0], at[1], at[2], 0, 2 * Math.PI);
    if (kind === "line") {
      pen.moveTo(at[0], at[1]);
      pen.lineTo(at[2], at[3]);
    }
    if (kind === "text") {
      pen.font = `${at[2]}px system-ui, sans-serif`;
      pen.textAlign = "center";
      pen.fillText(words, at[0], at[1]);
    } else if (outline) pen.stroke();
    else pen.fill();
  }
}
