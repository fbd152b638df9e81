// The board, drawn. A position has the cells that are `used`, where the `players` stand, who is `toMove`, and of the
// last move `from` and `last`.

const SVG = "http://www.w3.org/2000/svg";
const CELL = 40;
const HALF = CELL / 2;
const MARGIN = 26;
const CLASSES = ["one", "two"];
// What a move did: by the first letter of the word for it, a sign and a class, so that none is told by colour alone.
const SIGNS = { k: ["✓", "kept"], t: ["✗", "thrown"], c: ["–", "helpless"] };

function place({ width }, cell) {
  return `(${Math.floor(cell / width)}, ${cell % width})`;
}

function drawn(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

function corner({ width }, cell) {
  return [MARGIN + (cell % width) * CELL, MARGIN + Math.floor(cell / width) * CELL];
}

function drawLabels(svg, { width, height }) {
  for (let column = 0; column < width; column += 1) {
    drawn(svg, "text", { x: MARGIN + (column + 0.5) * CELL, y: MARGIN / 2, dy: "0.35em" }, column);
  }
  for (let row = 0; row < height; row += 1) {
    drawn(svg, "text", { x: MARGIN / 2, y: MARGIN + (row + 0.5) * CELL, dy: "0.35em" }, row);
  }
}

function drawCell(svg, size, cell, isUsed) {
  const [x, y] = corner(size, cell);
  const odd = (Math.floor(cell / size.width) + cell % size.width) % 2 ? " odd" : "";
  const kind = isUsed ? " used" : odd;
  drawn(svg, "rect", { class: `cell${kind}`, x, y, width: CELL, height: CELL, "data-cell": cell });
  if (isUsed) drawn(svg, "path", { class: "cross", d: `M${x + 12},${y + 12} l16,16 m0,-16 l-16,16` });
}

function drawKnight(svg, size, cell, player) {
  if (cell === null) return;
  const [x, y] = corner(size, cell).map((edge) => edge + HALF);
  const group = drawn(svg, "g", { class: `player-${player}`, "data-cell": cell });
  // Told apart by shape too: player 1 is round, player 2 square.
  if (player === 1) drawn(group, "circle", { class: CLASSES[0], cx: x, cy: y, r: 15 });
  else drawn(group, "rect", { class: CLASSES[1], x: x - 14, y: y - 14, width: 28, height: 28, rx: 3 });
  drawn(group, "text", { class: "inside", x, y, dy: "0.35em" }, player);
}

function drawLast(svg, size, { from, last }) {
  if (last === null) return;
  const [x, y] = corner(size, last);
  if (from !== null) {
    const [left, top] = corner(size, from);
    drawn(svg, "path", { class: "trail", d: `M${left + HALF},${top + HALF} L${x + HALF},${y + HALF}` });
  }
  drawn(svg, "rect", { class: "last", x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4, "data-cell": last });
}

// A legal move; where it may be tried, a button.
function drawLegal(svg, size, cell, mayTry) {
  const [x, y] = corner(size, cell);
  const button = { class: "try", role: "button", tabindex: 0, "aria-label": `Move to ${place(size, cell)}` };
  const parent = mayTry ? drawn(svg, "g", { ...button, "data-try": cell }) : svg;
  if (mayTry) drawn(parent, "rect", { class: "whole", x, y, width: CELL, height: CELL });
  drawn(parent, "circle", { class: "legal", cx: x + HALF, cy: y + HALF, r: mayTry ? 7 : 5, "data-cell": cell });
}

function drawSign(svg, size, cell, letter) {
  if (!(letter in SIGNS)) return;
  const [x, y] = corner(size, cell);
  const [sign, kind] = SIGNS[letter];
  const group = drawn(svg, "g", { class: `sign ${kind}`, "data-cell": cell });
  drawn(group, "circle", { cx: x + CELL - 8, cy: y + 8, r: 8 });
  drawn(group, "text", { x: x + CELL - 8, y: y + 8, dy: "0.35em" }, sign);
}

// `signs` are pairs of a cell and what moving there did; with `mayTry`, each of the legal moves is a button.
function boardOf(size, position, legal, signs, mayTry) {
  const { width, height } = size;
  const across = MARGIN + width * CELL + 8;
  const down = MARGIN + height * CELL + 8;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${across} ${down}`);
  svg.setAttribute("role", mayTry ? "group" : "img");
  svg.setAttribute("aria-label", boardText(size, position, legal));
  drawn(svg, "rect", { class: "paper", width: across, height: down, rx: 8 });
  drawLabels(svg, size);
  for (let cell = 0; cell < width * height; cell += 1) drawCell(svg, size, cell, position.used.has(cell));
  drawLast(svg, size, position);
  position.players.forEach((cell, index) => drawKnight(svg, size, cell, index + 1));
  for (const cell of legal) drawLegal(svg, size, cell, mayTry);
  for (const [cell, letter] of signs) drawSign(svg, size, cell, letter);
  return svg;
}

function boardText(size, position, legal) {
  const stands = position.players.map((cell, index) => {
    return cell === null ? `player ${index + 1} is not placed` : `player ${index + 1} on ${place(size, cell)}`;
  });
  const few = legal.length > 8 ? `${legal.length} of them` : legal.map((cell) => place(size, cell)).join(", ");
  return `Board of ${size.height} rows and ${size.width} columns: ${stands.join(", ")}, `
    + `${position.used.size} cells visited, legal moves of player ${position.toMove}: ${few || "none"}`;
}
