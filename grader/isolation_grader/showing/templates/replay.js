// The viewer of lost games. The page holds starts and moves; positions are made here by making the moves again.
// Where the submission is to move, another move can be tried: the solver then answers for the opponent, perfectly.
// Texts come from a submission: they go into the page by textContent alone.
(function () {
  // Positions between two looks at what the reader does: some ten milliseconds.
  const SLICE = 100000;
  // Of a board that the solver knows.
  const MOST_CELLS = 64;

  const source = document.getElementById("replays");
  const viewer = document.getElementById("viewer");
  if (!source || !viewer) return;
  const members = JSON.parse(source.textContent).filter((member) => member.games.length > 0);
  if (members.length === 0) return;

  const element = (id) => document.getElementById(id);
  // What is shown: a game, after so many of its moves and then those tried, each with its answer. While there is a
  // solver, it thinks about the last one.
  const shown = { member: null, game: null, step: 0, tried: [], solver: null };

  // The game.

  function mover(game, move) {
    return move % 2 === 0 ? game.start.first : 3 - game.start.first;
  }

  function positionAfter(game, moves) {
    const used = new Set(game.start.used);
    const players = game.start.players.slice();
    let from = null;
    moves.forEach((cell, move) => {
      const player = mover(game, move) - 1;
      from = players[player];
      players[player] = cell;
      used.add(cell);
    });
    return { used, players, from, last: moves.at(-1) ?? null, toMove: mover(game, moves.length) };
  }

  function blankCells({ start }, position) {
    return Array.from({ length: start.width * start.height }, (_, cell) => cell).filter((cell) => !position.used.has(cell));
  }

  function legalMoves(game, position) {
    const { width, height } = game.start;
    const origin = position.players[position.toMove - 1];
    if (origin === null) return blankCells(game, position);
    return cellsAround(width, height, origin).filter((cell) => !position.used.has(cell));
  }

  // Trying another move.

  function triedMoves() {
    return shown.tried.flatMap((each) => (each.answer === null ? [each.cell] : [each.cell, each.answer]));
  }

  function mayTry(game, position, legal) {
    const { width, height } = game.start;
    const isTurn = position.toMove === game.me && legal.length > 0 && shown.solver === null;
    return isTurn && width * height <= MOST_CELLS && !position.players.includes(null);
  }

  // Whether the submission had won before the last move that was tried; null where that is not known.
  function wonBefore() {
    if (shown.tried.length > 1) return shown.tried.at(-2).won;
    return { k: true, t: true, c: false }[shown.game.verdicts[shown.step]] ?? null;
  }

  function tryMove(cell) {
    const { game } = shown;
    shown.tried.push({ cell, answer: null, won: null });
    const position = positionAfter(game, [...game.moves.slice(0, shown.step), ...triedMoves()]);
    const [own, other] = [position.players[2 - game.me], position.players[game.me - 1]];
    const solver = solverOf(game.start.width, game.start.height, blankCells(game, position), own, other);
    shown.solver = solver;
    draw();
    // The cell that had the focus is drawn anew.
    element("board").focus();
    function think() {
      if (shown.solver !== solver) return;
      if (!solver.work(SLICE)) {
        setTimeout(think);
        return;
      }
      shown.solver = null;
      Object.assign(shown.tried.at(-1), { answer: solver.move, won: !solver.wins });
      draw();
    }
    setTimeout(think);
  }

  function undo() {
    shown.solver = null;
    shown.tried.pop();
    draw();
    if (shown.tried.length === 0) element("board").focus();
  }

  // Words.

  function playerName(game, player) {
    return `${player === game.me ? shown.member.name : game.against} (player ${player})`;
  }

  function legalText(legal) {
    return `${legal.length} legal ${legal.length === 1 ? "move" : "moves"}`;
  }

  function stepText(game, step, legal) {
    const all = game.moves.length;
    if (step === 0) {
      return `The start. ${playerName(game, game.start.first)} moves first; ${all} moves follow.`;
    }
    const move = step - 1;
    const went = `Move ${step} of ${all}: ${playerName(game, mover(game, move))} went to ${place(game.start, game.moves[move])}.`;
    const next = playerName(game, mover(game, step));
    return `${went} ${next} is to move and has ${legalText(legal)}.`;
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

  const VERDICTS = { k: "It kept the win.", t: "It threw away a won position.", c: "Every move lost." };

  function verdictText(game, step) {
    if (game.turning !== null && step === game.turning + 1) {
      const right = game.instead.map((cell) => place(game.start, cell)).join(" or ");
      return `This is the losing move.${right ? ` ${right} would have kept the win.` : ""}`;
    }
    if (game.turning === step) return "The next move loses a won game. Which one would you play?";
    const did = VERDICTS[game.verdicts[step - 1]] ?? "";
    return step === game.moves.length ? `${did} The end: ${game.happened}`.trim() : did;
  }

  function triedText(game, legal) {
    const { cell, answer } = shown.tried.at(-1);
    const went = `You tried ${place(game.start, cell)}.`;
    if (shown.solver !== null) return `${went} The perfect opponent is thinking …`;
    if (answer === null) return `${went} The opponent has no move left.`;
    const answers = `${went} The perfect opponent answers ${place(game.start, answer)}.`;
    return legal.length ? `${answers} You are to move and have ${legalText(legal)}.` : `${answers} You have no move left.`;
  }

  function triedVerdict(legal) {
    const { answer, won } = shown.tried.at(-1);
    if (shown.solver !== null) return "";
    if (answer === null) return "You won.";
    if (won) return "Still won.";
    const lost = legal.length ? "" : " You lost.";
    if (wonBefore()) return `That threw it away: the opponent wins now, whatever you do.${lost}`;
    return `The opponent wins, whatever you do.${lost}`;
  }

  // The page.

  function signsOf(game, step) {
    if (step === 0) return [];
    const right = step - 1 === game.turning ? game.instead : [];
    return [[game.moves[step - 1], game.verdicts[step - 1]], ...right.map((cell) => [cell, "k"])];
  }

  function signsOfTried(game) {
    const { cell, won } = shown.tried.at(-1);
    const lost = wonBefore() === false ? "c" : "t";
    return shown.solver === null ? [[cell, won ? "k" : lost]] : [];
  }

  function draw() {
    const { game, step } = shown;
    const isTrying = shown.tried.length > 0;
    const position = positionAfter(game, [...game.moves.slice(0, step), ...triedMoves()]);
    const legal = shown.solver === null ? legalMoves(game, position) : [];
    const may = mayTry(game, position, legal);
    const signs = isTrying ? signsOfTried(game) : signsOf(game, step);
    element("board").replaceChildren(boardOf(game.start, position, legal, signs, may));
    element("step").textContent = isTrying ? triedText(game, legal) : stepText(game, step, legal);
    element("searched").textContent = isTrying ? "" : searchedText(game, step);
    element("turning").textContent = isTrying ? triedVerdict(legal) : verdictText(game, step);
    element("turning").dataset.sign = signs.length ? SIGNS[signs[0][1]]?.[1] ?? "" : "";
    // Not `disabled`: the focus would be lost at the ends of a game.
    const atStart = String(step === 0);
    const atEnd = String(step === game.moves.length);
    element("go-first").setAttribute("aria-disabled", atStart);
    element("go-back").setAttribute("aria-disabled", atStart);
    element("go-on").setAttribute("aria-disabled", atEnd);
    element("go-last").setAttribute("aria-disabled", atEnd);
    element("go-turning").hidden = game.turning === null;
    element("go-try").hidden = game.turning === null;
    element("trying").hidden = !isTrying;
    element("may-try").hidden = !may;
    // It names the right move, which is to be found first.
    element("happened").classList.toggle("veiled", step === game.turning);
    element("again").textContent = step === game.turning ? "from the losing move again" : "from here again";
  }

  function show(step) {
    shown.step = Math.min(Math.max(step, 0), shown.game.moves.length);
    shown.tried = [];
    shown.solver = null;
    draw();
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
    const opponents = [...new Set(games.map((game) => game.against))];
    fill(element("choose-opponent"), opponents);
    element("choose-opponent").value = String(opponents.indexOf(mostTelling(games).against));
    chooseOpponent();
  }

  function gamesOfOpponent() {
    const { games } = shown.member;
    const opponents = [...new Set(games.map((game) => game.against))];
    const chosen = opponents[Number(element("choose-opponent").value)];
    return games.filter((game) => game.against === chosen);
  }

  // The first with a losing move: there is something to try. Else the first.
  function mostTelling(games) {
    return games.find((game) => game.turning !== null) ?? games[0];
  }

  function chooseOpponent() {
    const games = gamesOfOpponent();
    fill(element("choose-game"), games.map((game) => {
      if (game.ending !== "no moves") return `${game.called}: ${game.ending}`;
      return game.turning === null ? game.called : `${game.called}: ✗ losing move`;
    }));
    element("choose-game").value = String(games.indexOf(mostTelling(games)));
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
    "go-try": () => shown.game.turning,
    again: () => shown.step,
  };
  const KEYS = { Home: "go-first", ArrowLeft: "go-back", ArrowRight: "go-on", End: "go-last" };

  function onKey(event) {
    const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isPlain || !(event.key in KEYS) || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    show(TARGETS[KEYS[event.key]]());
  }

  function onBoard(event) {
    const chosen = event.target.closest("[data-try]");
    if (chosen === null || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    tryMove(Number(chosen.dataset.try));
  }

  for (const [id, target] of Object.entries(TARGETS)) {
    element(id).addEventListener("click", () => show(target()));
  }
  for (const id of ["go-try", "again"]) element(id).addEventListener("click", () => element("board").focus());
  element("undo").addEventListener("click", undo);
  element("board").addEventListener("click", onBoard);
  element("board").addEventListener("keydown", onBoard);
  viewer.addEventListener("keydown", onKey);
  element("choose-heuristic").addEventListener("change", chooseMember);
  element("choose-opponent").addEventListener("change", chooseOpponent);
  element("choose-game").addEventListener("change", chooseGame);
  element("choices").addEventListener("submit", (event) => event.preventDefault());
  fill(element("choose-heuristic"), members.map((member) => member.name));
  chooseMember();
  viewer.hidden = false;
}());
