"""A jailed process that ends: its chunk is played again, and nobody wins by that what was lost before."""

from pathlib import Path

from playing_cases import GREEDY, OPENINGS, RANDOM, entrant_of, submitted

from isolation_fast.jail import Limits
from isolation_fast.playing.chunks import run_chunk
from isolation_fast.playing.entrants import Chunk, NativeEntrant, SubmissionEntrant
from isolation_fast.playing.games import ChunkGames
from isolation_fast.playing.outcomes import LOST, WON, ChunkResult
from isolation_fast.playing.protocol import Order, Stopped, report_bytes, report_of

PLAYER = "class Player:\n    def get_move(self, game, time_left):\n"


def chunk_of(entrant: SubmissionEntrant, opponent: NativeEntrant) -> Chunk:
    return Chunk(4, 2, (entrant, opponent), OPENINGS, 7, 12345, 4000.0, record=True, jail=Limits())


def test_what_was_lost_before_a_process_ended_is_not_won_when_the_chunk_is_played_again() -> None:
    chunk = chunk_of(submitted("sound"), RANDOM)
    played = run_chunk(chunk).outcomes
    won = [game for game, outcome in enumerate(played) if outcome == WON]
    report = ChunkGames(Order(chunk, {}, {}, held={won[0]: 0}), None).play()
    assert isinstance(report, ChunkResult)
    assert [*report.outcomes] == [LOST if game == won[0] else each for game, each in enumerate(played)]
    [(game, (ending, detail))] = report.endings.items()
    assert (game, ending, "lost this game before" in detail) == (won[0], "killed", True)
    assert (report.reproducible, report.clock_from) == (False, won[0])
    lost = {game: 0 for game, outcome in enumerate(played) if outcome == LOST}
    same = ChunkGames(Order(chunk, {}, {}, held=lost), None).play()
    assert isinstance(same, ChunkResult)
    assert (same.outcomes, same.endings, same.reproducible) == (played, {}, True)


def test_who_ends_its_process_leaves_the_games_before_behind(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    body = "        import os\n        self.asked = getattr(self, 'asked', 0) + 1\n"
    file.write_text(
        f"{PLAYER}{body}        return os._exit(0) if self.asked > 30 else game.get_legal_moves()[0]\n"
    )
    chunk = chunk_of(entrant_of(file, "Player"), GREEDY)
    order = Order(chunk, {}, {})
    stopped = ChunkGames(order, None).play()
    assert isinstance(stopped, Stopped)
    assert stopped.game is not None
    assert len(stopped.outcomes) == stopped.game > 0
    assert report_of(report_bytes(stopped), order) == stopped
