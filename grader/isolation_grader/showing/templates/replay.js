"use strict";

// The viewer of lost games. The page holds starts and moves; positions are made here by making the moves again.
// Texts come from a submission: they go into the page by textContent alone.
(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const CELL = 40;
  const MARGIN = 26;
  const KNIGHT = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
  const CLASSES = ["one", "two"];

  const source = document.getElementById("replays");
  const viewer = document.getElementById("viewer");
  if (!source || !viewer) return;
  const members = JSON.parse(source.textContent).filter((member) => member.games.length > 0);
  if (members.length === 0) return;

  const element = (id) => document.getElementById(id);
  const shown = { member: null, game: null, step: 0 };

  // The game.

  function mover(game, move) {
    return move % 2 === 0 ? game.start.first : 3 - game.start.first;
  }

  function positionAfter(game, step) {
    const used = new Set(game.start.used);
    const players = game.start.players.slice();
    let from = null;
    for (let move = 0; move < step; move += 1) {
      const player = mover(game, move) - 1;
      from = players[player];
      players[player] = game.moves[move];
      used.add(game.moves[move]);
    }
    return { used, players, from, last: step > 0 ? game.moves[step - 1] : null, toMove: mover(game, step) };
  }

  function legalMoves(game, position) {
    const { width, height } = game.start;
    const origin = position.players[position.toMove - 1];
    if (origin === null) {
      return Array.from({ length: width * height }, (_, cell) => cell).filter((cell) => !position.used.has(cell));
    }
    const row = Math.floor(origin / width);
    const column = origin % width;
    return KNIGHT.map(([down, right]) => [row + down, column + right])
      .filter(([r, c]) => r >= 0 && r < height && c >= 0 && c < width)
      .map(([r, c]) => r * width + c)
      .filter((cell) => !position.used.has(cell));
  }

  // Words.

  function place(game, cell) {
    return `(${Math.floor(cell / game.start.width)}, ${cell % game.start.width})`;
  }

  function playerName(game, player) {
    return `${player === game.me ? shown.member.name : game.against} (player ${player})`;
  }

  function stepText(game, step, legal) {
    const all = game.moves.length;
    if (step === 0) {
      return `The start. ${playerName(game, game.start.first)} moves first; ${all} moves follow.`;
    }
    const move = step - 1;
    const went = `Move ${step} of ${all}: ${playerName(game, mover(game, move))} went to ${place(game, game.moves[move])}.`;
    const next = playerName(game, mover(game, step));
    return `${went} ${next} is to move and has ${legal.length} legal ${legal.length === 1 ? "move" : "moves"}.`;
  }

  function searchedText(game, step) {
    if (step === 0) return "";
    const move = step - 1;
    const parts = [
      [game.values[move], (value) => `value ${String(value).replace("-", "−")} for player ${mover(game, move)}`],
      [game.depths[move], (depth) => `depth ${depth}`],
      [game.nodes[move], (nodes) => `${nodes.toLocaleString("en")} nodes`],
    ].filter(([number]) => number !== null && number !== undefined);
    if (parts.length === 0) return "No search is recorded.";
    return `Its search: ${parts.map(([number, told]) => told(number)).join(", ")}.`;
  }

  function turningText(game, step) {
    if (game.turning !== null && step === game.turning + 1) return "This is the losing move.";
    if (game.turning === step) return "The next move loses a won game. Which one would you play?";
    return step === game.moves.length ? `The end: ${game.happened}` : "";
  }

  // The drawing.

  function drawn(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  function corner(game, cell) {
    const row = Math.floor(cell / game.start.width);
    return [MARGIN + (cell % game.start.width) * CELL, MARGIN + row * CELL];
  }

  function drawLabels(svg, { width, height }) {
    for (let column = 0; column < width; column += 1) {
      drawn(svg, "text", { x: MARGIN + (column + 0.5) * CELL, y: MARGIN / 2, dy: "0.35em" }, column);
    }
    for (let row = 0; row < height; row += 1) {
      drawn(svg, "text", { x: MARGIN / 2, y: MARGIN + (row + 0.5) * CELL, dy: "0.35em" }, row);
    }
  }

  function drawCell(svg, game, cell, isUsed) {
    const [x, y] = corner(game, cell);
    const odd = (Math.floor(cell / game.start.width) + cell % game.start.width) % 2 ? " odd" : "";
    const kind = isUsed ? " used" : odd;
    drawn(svg, "rect", { class: `cell${kind}`, x, y, width: CELL, height: CELL, "data-cell": cell });
    if (isUsed) drawn(svg, "path", { class: "cross", d: `M${x + 12},${y + 12} l16,16 m0,-16 l-16,16` });
  }

  function drawKnight(svg, game, position, player) {
    const cell = position.players[player - 1];
    if (cell === null) return;
    const [x, y] = corner(game, cell).map((edge) => edge + CELL / 2);
    const group = drawn(svg, "g", { class: `player-${player}`, "data-cell": cell });
    // Told apart by shape too: player 1 is round, player 2 square.
    if (player === 1) drawn(group, "circle", { class: CLASSES[0], cx: x, cy: y, r: 15 });
    else drawn(group, "rect", { class: CLASSES[1], x: x - 14, y: y - 14, width: 28, height: 28, rx: 3 });
    drawn(group, "text", { class: "inside", x, y, dy: "0.35em" }, player);
  }

  function drawLast(svg, game, position) {
    if (position.last === null) return;
    const [x, y] = corner(game, position.last);
    if (position.from !== null) {
      const [left, top] = corner(game, position.from);
      const half = CELL / 2;
      drawn(svg, "path", { class: "trail", d: `M${left + half},${top + half} L${x + half},${y + half}` });
    }
    drawn(svg, "rect", { class: "last", x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4, "data-cell": position.last });
  }

  function drawBoard(game, position, legal) {
    const { width, height } = game.start;
    const across = MARGIN + width * CELL + 8;
    const down = MARGIN + height * CELL + 8;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${across} ${down}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", boardText(game, position, legal));
    drawn(svg, "rect", { class: "paper", width: across, height: down, rx: 8 });
    drawLabels(svg, game.start);
    for (let cell = 0; cell < width * height; cell += 1) drawCell(svg, game, cell, position.used.has(cell));
    drawLast(svg, game, position);
    for (const cell of legal) {
      const [x, y] = corner(game, cell).map((edge) => edge + CELL / 2);
      drawn(svg, "circle", { class: "legal", cx: x, cy: y, r: 5, "data-cell": cell });
    }
    drawKnight(svg, game, position, 1);
    drawKnight(svg, game, position, 2);
    element("board").replaceChildren(svg);
  }

  function boardText(game, position, legal) {
    const stands = position.players.map((cell, index) => {
      return cell === null ? `player ${index + 1} is not placed` : `player ${index + 1} on ${place(game, cell)}`;
    });
    const few = legal.length > 8 ? `${legal.length} of them` : legal.map((cell) => place(game, cell)).join(", ");
    return `Board of ${game.start.height} rows and ${game.start.width} columns: ${stands.join(", ")}, `
      + `${position.used.size} cells visited, legal moves of player ${position.toMove}: ${few || "none"}`;
  }

  // The page.

  function show(step) {
    const { game } = shown;
    shown.step = Math.min(Math.max(step, 0), game.moves.length);
    const position = positionAfter(game, shown.step);
    const legal = legalMoves(game, position);
    drawBoard(game, position, legal);
    element("step").textContent = stepText(game, shown.step, legal);
    element("searched").textContent = searchedText(game, shown.step);
    element("turning").textContent = turningText(game, shown.step);
    // Not `disabled`: the focus would be lost at the ends of a game.
    const atStart = String(shown.step === 0);
    const atEnd = String(shown.step === game.moves.length);
    element("go-first").setAttribute("aria-disabled", atStart);
    element("go-back").setAttribute("aria-disabled", atStart);
    element("go-on").setAttribute("aria-disabled", atEnd);
    element("go-last").setAttribute("aria-disabled", atEnd);
    element("go-turning").hidden = game.turning === null;
  }

  function fill(select, texts) {
    select.replaceChildren(...texts.map((text, index) => {
      const option = document.createElement("option");
      option.value = String(index);
      option.textContent = text;
      return option;
    }));
  }

  function chooseMember() {
    shown.member = members[Number(element("choose-heuristic").value)];
    const { games, lost } = shown.member;
    element("cut").hidden = games.length === lost;
    element("cut").textContent = `The first ${games.length} of ${lost} lost games are here.`;
    fill(element("choose-opponent"), [...new Set(games.map((game) => game.against))]);
    chooseOpponent();
  }

  function gamesOfOpponent() {
    const { games } = shown.member;
    const opponents = [...new Set(games.map((game) => game.against))];
    const chosen = opponents[Number(element("choose-opponent").value)];
    return games.filter((game) => game.against === chosen);
  }

  function chooseOpponent() {
    fill(element("choose-game"), gamesOfOpponent().map((game) => {
      return game.ending === "no moves" ? game.called : `${game.called}: ${game.ending}`;
    }));
    chooseGame();
  }

  function chooseGame() {
    shown.game = gamesOfOpponent()[Number(element("choose-game").value)];
    const { game, member } = shown;
    const names = game.me === 1 ? [member.name, game.against] : [game.against, member.name];
    element("happened").textContent = game.happened;
    element("players").textContent = `Player 1, round, is ${names[0]}; player 2, square, is ${names[1]}.`;
    show(0);
  }

  const TARGETS = {
    "go-first": () => 0,
    "go-back": () => shown.step - 1,
    "go-on": () => shown.step + 1,
    "go-last": () => shown.game.moves.length,
    "go-turning": () => shown.game.turning + 1,
  };
  const KEYS = { Home: "go-first", ArrowLeft: "go-back", ArrowRight: "go-on", End: "go-last" };

  function onKey(event) {
    const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isPlain || !(event.key in KEYS) || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    show(TARGETS[KEYS[event.key]]());
  }

  for (const [id, target] of Object.entries(TARGETS)) {
    element(id).addEventListener("click", () => show(target()));
  }
  viewer.addEventListener("keydown", onKey);
  element("choose-heuristic").addEventListener("change", chooseMember);
  element("choose-opponent").addEventListener("change", chooseOpponent);
  element("choose-game").addEventListener("change", chooseGame);
  element("choices").addEventListener("submit", (event) => event.preventDefault());
  fill(element("choose-heuristic"), members.map((member) => member.name));
  chooseMember();
  viewer.hidden = false;
}());
