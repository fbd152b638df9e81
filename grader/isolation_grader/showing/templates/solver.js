"use strict";

// Who wins a position of two placed knights, with best play of both: the game is followed to its end. Moves are tried in
// the order of the engine's solver. Boards have at most 64 cells, and the blank ones are the bits of two numbers.

const KNIGHT = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];

function cellsAround(width, height, cell) {
  const row = Math.floor(cell / width);
  const column = cell % width;
  return KNIGHT.map(([down, right]) => [row + down, column + right])
    .filter(([r, c]) => r >= 0 && r < height && c >= 0 && c < width)
    .map(([r, c]) => r * width + c);
}

// `blank` are cells, `own` and `other` where the player to move and its opponent stand. `work(nodes)` goes on for so
// many positions and says whether it is decided. Then `wins` says whether the player to move wins, and `move` how: if
// it loses, the move that took longest to refute; null where there is none.
function solverOf(width, height, blank, own, other) {
  const size = width * height;
  const low = new Int32Array(size);
  const high = new Int32Array(size);
  for (let cell = 0; cell < size; cell += 1) {
    for (const to of cellsAround(width, height, cell)) {
      if (to < 32) low[cell] |= 1 << to;
      else high[cell] |= 1 << (to - 32);
    }
  }
  let free = 0;
  let freeHigh = 0;
  for (const cell of blank) toggle(cell);

  // At each depth: the moves left to try, the most promising last. Whoever moves there stands on `stood[depth]`, its
  // opponent on the next one.
  const moves = new Int32Array(8 * (size + 1));
  const left = new Int32Array(size + 1);
  const stood = new Int32Array(size + 3);
  stood.set([own, other]);
  let depth = 0;
  // Of the first moves: the positions that the hardest to refute took, and those before the one that is tried.
  let most = -1;
  let before = 0;
  const solver = { wins: null, move: null, nodes: 0, work };
  let won = open();
  if (!won) solver.move = cellsAround(width, height, own).find((to) => blank.includes(to)) ?? null;

  function toggle(cell) {
    if (cell < 32) free ^= 1 << cell;
    else freeHigh ^= 1 << (cell - 32);
  }

  function bits(number) {
    let sum = number - ((number >>> 1) & 0x55555555);
    sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
    return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }

  // Finds the moves to try. True where one is plain to win: then it is not tried. One that is plain to lose is not either.
  function open() {
    const [mover, waiting] = [stood[depth], stood[depth + 1]];
    const replies = bits(low[waiting] & free) + bits(high[waiting] & freeHigh);
    const first = 8 * depth;
    let count = 0;
    let [ahead, aheadHigh] = [low[mover] & free, high[mover] & freeHigh];
    while (ahead | aheadHigh) {
      let to;
      if (ahead) {
        to = 31 - Math.clz32(ahead & -ahead);
        ahead &= ahead - 1;
      } else {
        to = 63 - Math.clz32(aheadHigh & -aheadHigh);
        aheadHigh &= aheadHigh - 1;
      }
      const takes = (to < 32 ? low[waiting] >>> to : high[waiting] >>> (to - 32)) & 1;
      if (replies === takes || mirrors(to, waiting)) {
        if (depth === 0) solver.move = to;
        return true;
      }
      const [next, nextHigh] = [low[to] & free, high[to] & freeHigh];
      const exits = bits(next) + bits(nextHigh);
      if (exits === 0 || (exits === 1 && (next & low[waiting]) | (nextHigh & high[waiting]))) continue;
      const key = (2 * takes + exits) * 64 + to;
      let place = first + count;
      for (; place > first && moves[place - 1] > key; place -= 1) moves[place] = moves[place - 1];
      moves[place] = key;
      count += 1;
    }
    left[depth] = count;
    return false;
  }

  // Whether a move makes the board its own image under the half turn: then each reply has its image as an answer.
  function mirrors(to, waiting) {
    if (waiting !== size - 1 - to) return false;
    const isBlank = (cell) => (cell < 32 ? free >>> cell : freeHigh >>> (cell - 32)) & 1;
    for (let cell = 0; cell < size; cell += 1) {
      const image = size - 1 - cell;
      if (cell !== to && isBlank(cell) && (image === cell || !isBlank(image))) return false;
    }
    return true;
  }

  function work(nodes) {
    const until = solver.nodes + nodes;
    while (solver.wins === null && solver.nodes < until) {
      if (!won && left[depth] > 0) {
        left[depth] -= 1;
        const to = moves[8 * depth + left[depth]] & 63;
        toggle(to);
        stood[depth + 2] = to;
        depth += 1;
        solver.nodes += 1;
        won = open();
      } else if (depth === 0) {
        solver.wins = won;
      } else {
        const to = stood[depth + 1];
        toggle(to);
        depth -= 1;
        // What the opponent wins is no way to win.
        won = !won;
        if (depth > 0) continue;
        const took = solver.nodes - before;
        before = solver.nodes;
        if (won || took > most) [solver.move, most] = [to, took];
      }
    }
    return solver.wins !== null;
  }

  return solver;
}
