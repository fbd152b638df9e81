"""The words of every form of a report: numbers, verdicts, and their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import fsum
from typing import Final

from isolation_fast.jail import Level
from isolation_fast.output import visible
from isolation_fast.statistics import Difference, EloDifference, Interval
from isolation_fast.text import counted
from isolation_fast.tournament import Score
from isolation_grader.lost_games import LostGame
from isolation_grader.options import Terms
from isolation_grader.report import STATUS, CostUsed, Graded, Grading, Printed, Problem, Report, Verdict
from isolation_grader.showing.repeating import quoted

MOST_LINES: Final = 20
"""Of what was printed, on a terminal. JSON has all that is kept."""
MOST_TRACE: Final = 6
"""Of a traceback, on a terminal: its end, where the error was raised."""
NOTHING: Final = "-"
NO_ZERO: Final = "This is not a score of 0: its strength is unknown."
SOURCES: Final = {each: f"{each} in its games" for each in ("counted", "timed")}


def one_line(text: str) -> str:
    r"""A text of a submission as one line without control characters.

    >>> one_line("ready\n\x1b[2J")
    'ready\\n\\x1b[2J'
    """
    return visible(text).replace("\n", r"\n")


def percent(rate: float | None) -> str:
    """A rate, such as `76.2 %`."""
    return NOTHING if rate is None else f"{100 * rate:.1f} %"


def ends(interval: Interval | None) -> str:
    """The ends of the interval of a rate; nothing where it says nothing.

    >>> ends(Interval(0.7266, 0.7972, 0.95)), ends(Interval(0.0, 1.0, 0.95))
    ('72.7 to 79.7 %', '-')
    """
    if interval is None or interval.high - interval.low >= 1.0:
        return NOTHING
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def points(difference: Difference | None) -> str:
    """A difference to the baseline, in points."""
    return NOTHING if difference is None else f"{100 * difference.value:+.1f}"


def points_ends(difference: Difference | None) -> str:
    """The ends of its interval."""
    interval = difference and difference.interval
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}" if interval else NOTHING


def elo(difference: EloDifference | None) -> str:
    """An Elo difference with its ends.

    >>> elo(EloDifference(35.2, 7.1, None)), elo(None)
    ('+35 (+7 to any)', '-')
    """
    if difference is None or difference.value is None:
        return NOTHING
    low, high = ("any" if end is None else f"{end:+.0f}" for end in (difference.low, difference.high))
    return f"{difference.value:+.0f} ({low} to {high})"


def cost_in_words(used: CostUsed | None) -> str:
    """What a node took."""
    return NOTHING if used is None else f"{used.value:.4g}"


def sandbox_in_words(level: Level) -> str:
    """How much of the sandbox the system enforced, such as `partial, without: files`."""
    return f"{level.name}, without: {', '.join(level.missing)}" if level.missing else level.name


def share(part: float | None) -> str:
    """The chance of an error, with as many digits as it has: `5 %`, or `1.667 %`."""
    return NOTHING if part is None else f"{100 * part:.4g} %"


def points_wanted(number: float) -> str:
    """So many points, such as `5 points`."""
    return f"{number:g} point{'' if number == 1 else 's'}"


def seconds(number: float) -> str:
    """A time by the wall clock.

    >>> seconds(0.04), seconds(12.34), seconds(754)
    ('0.04 s', '12.3 s', '754 s')
    """
    return f"{number:.2f} s" if number < 1 else f"{number:.1f} s" if number < 100 else f"{number:.0f} s"


def milliseconds(number: float | None) -> str:
    """A processor time of a move, given in seconds."""
    return NOTHING if number is None else f"{1000 * number:.3g} ms"


def noun(report: Report) -> str:
    """What was graded."""
    return "heuristic" if report.plays == "search" else "player"


def opponents(report: Report) -> list[str]:
    """The names in the order of the roster, as the scores have them."""
    known = [report.baseline, *(each.grading for each in report.graded)]
    scores: Sequence[Score] = next((each.scores for each in known if each and each.scores), ())
    return [each.opponent for each in scores] or [each.partition("=")[0] for each in report.opponents]


def summary(report: Report) -> str:
    """The answer to the question of a report: what it rests on, then each other verdict."""
    by_verdict = {verdict: [each for each in report.graded if each.verdict == verdict] for verdict in STATUS}
    deciding = by_verdict.pop(report.verdict)
    others = [
        f"{verdict.capitalize()}: {', '.join(map(_with_points, found))}."
        for verdict, found in by_verdict.items()
        if found
    ]
    return " ".join([_answer(report, deciding), *others])


def _answer(report: Report, deciding: Sequence[Graded]) -> str:
    if not deciding and not report.is_complete:
        return "Nothing is graded yet."
    if report.verdict == "not graded":
        return f"Nothing could be graded. {NO_ZERO}"
    if report.verdict == "undecided":
        return " ".join(f"{one_line(each.name)}: {known(report, each)}" for each in deciding)
    *others, last = map(_with_points, deciding)
    are = f"{', '.join(others)} and {last} are" if others else f"{last} is"
    if report.verdict == "better":
        return f"Yes: {are} better than {report.baseline_name}."
    return f"No: {are} not {points_wanted(report.question.points)} better than {report.baseline_name}."


def _with_points(graded: Graded) -> str:
    difference = graded.grading.difference
    return one_line(graded.name) + (f" ({points(difference)} points)" if difference else "")


def known(report: Report, graded: Graded) -> str:
    """What is known of one, in a sentence without its name.

    An undecided one that is clearly above the baseline is said to be stronger.
    """
    base, difference = report.baseline_name, graded.grading.difference
    wanted = points_wanted(report.question.points)
    if graded.verdict == "not graded":
        return f"Not graded. {NO_ZERO}"
    if difference is None:
        return "Not decided yet: no block is complete."
    if graded.verdict == "better":
        return f"Better than {base} ({points(difference)} points)."
    if graded.verdict == "not better":
        return f"Not {wanted} better than {base} ({points(difference)} points)."
    so_far, yet = ("", "") if report.is_complete else ("so far ", " yet")
    measured = f"{base} ({so_far}{points_ends(difference)} points)"
    # As shown, so that no reader sees +0.0 as the lower end of something stronger.
    if round(100 * difference.interval.low, 1) > report.question.points:
        return f"Stronger than {measured}; so few blocks do not prove better by {wanted}{yet}."
    if round(100 * difference.interval.low, 1) > 0:
        return f"Stronger than {measured}; better by {wanted} is not proven{yet}."
    if round(100 * difference.interval.high, 1) < 0:
        return f"Weaker than {measured}; the test has not decided{yet}."
    return f"Not clearly different from {measured}; better by {wanted} is neither proven nor refuted{yet}."


def outcome(report: Report, graded: Graded) -> str:
    """The figures of one, in a line without its name; its problem where it has no verdict."""
    grading = graded.grading
    if graded.problem is not None:
        return f"{one_line(graded.problem.cause)}: {one_line(graded.problem.reason)}"
    if grading.difference is None:
        return "no block is complete"
    level = f"{100 * grading.difference.interval.level:.4g} %"
    to = f"{points(grading.difference)} points to {report.baseline_name}"
    return f"{percent(grading.rate)} won, {to} ({points_ends(grading.difference)}, {level}){_blocks(grading)}"


def _blocks(grading: Grading) -> str:
    """How many blocks the figures are over, and how many of them had decided."""
    test, played = grading.test, grading.blocks
    if test is None or played is None:
        return ""
    decided = f" over {counted(played, 'block')}, decided after {test.count}"
    return f" after {counted(played, 'block')}" if test.decision is None or played == test.count else decided


def verdict_lines(report: Report) -> Iterator[str]:
    """The verdict on each, in a line; or why there is none."""
    if report.problem is not None:
        yield f"{one_line(report.submission)}: {report.verdict}: {one_line(report.problem.reason)}"
    for each in report.graded:
        yield f"{one_line(each.name)}: {each.verdict}: {outcome(report, each)}"


def causes(report: Report) -> Iterator[str]:
    """A line for each that was not graded: its name, and why."""
    for each in report.graded:
        if each.verdict == "not graded":
            yield f"not graded: {one_line(each.name)}: {outcome(report, each)}"


def why(report: Report, grading: Grading) -> str:
    """What the test of one decided, and how often that would be wrong."""
    wanted, base, terms = points_wanted(report.question.points), report.baseline_name, grading.terms
    alpha, beta = (share(terms.alpha), share(terms.beta)) if terms else (NOTHING, NOTHING)
    if grading.verdict == "better":
        accepted = f"H1 ({wanted} above {base}), not H0 (no difference)"
        return f"The test accepted {accepted}. {_chance(report, 'better', alpha)}"
    if grading.verdict == "not better":
        accepted = f"H0 (no difference to {base}), not H1 ({wanted} above it)"
        return f"The test accepted {accepted}. {_chance(report, 'not better', beta)}"
    if grading.verdict == "not graded":
        return f"There is no verdict: the question was not answered. {NO_ZERO}"
    read, most = grading.test.count if grading.test else 0, terms.blocks if terms else 0
    blocks = f"all {most:,}" if read >= most else f"{read:,} of at most {most:,}"
    accepted = f"neither H0 (no difference to {base}) nor H1 ({wanted} above it)"
    return f"The test read {blocks} blocks, and accepted {accepted}."


def test_words(grading: Grading) -> str:
    """How far the test went."""
    test = grading.test
    if test is None:
        return "no block is complete"
    bounds = f"(H0 is accepted at {test.lower:.2f}, H1 at {test.upper:.2f})"
    told = f"{test.count} blocks, log-likelihood ratio {test.llr:.2f} {bounds}"
    if grading.blocks is not None and grading.blocks > test.count:
        told += f"; then played on to {grading.blocks:,} blocks, which change no verdict"
    return told.replace("-0.00", "0.00").replace(" -", " −")


def hypotheses(report: Report) -> tuple[str, str]:
    """H0 and H1, a sentence each."""
    base, more = report.baseline_name, report.question.points
    h0 = h1 = ""
    if report.baseline is not None:
        rate = report.baseline.rate.rate
        h0, h1 = (f"{percent(each)}, " if each < 1 else "" for each in (rate, rate + more / 100))
    return f"it wins {h0}as often as {base}.", f"it wins {h1}{points_wanted(more)} more than {base}."


def meaning(report: Report) -> Iterator[str]:
    """The question, what each verdict means, and all that they depend on, in sentences."""
    question, base = report.question, report.baseline_name
    wanted = f"{points_wanted(question.points)} more than {base}"
    not_graded = f"not graded: the cause is named. {NO_ZERO}"
    if report.is_complete and report.verdict == "not graded":
        yield not_graded
        yield from _left_out(report)
        return
    if report.baseline is None:
        yield f"Does it win {wanted}?"
    else:
        rate, interval = report.baseline.rate, report.baseline.rate.interval
        won = f"{100 * rate.rate:.1f} ± {100 * interval.margin:.1f} % ({100 * interval.level:.4g} %)"
        yield f"Does it win {wanted}, which wins {won} here?"
        yield " ".join(f"{name}: {each}" for name, each in zip(("H0", "H1"), hypotheses(report), strict=True))
    terms = _terms(report)
    tested = [each.grading.terms.alpha for each in report.graded if each.grading.terms is not None]
    together = f"; of all {len(tested)} together {share(fsum(tested))}" if len(tested) > 1 else ""
    alpha = _each(terms, lambda one: share(one.alpha))
    yield f"better: the test accepted H1. {_chance(report, 'better', alpha, f'alpha{together}')}"
    beta = _each(terms, lambda one: share(one.beta))
    yield f"not better: the test accepted H0. {_chance(report, 'not better', beta, 'beta')}"
    blocks = _each(terms, lambda one: f"{one.blocks:,}")
    yield f"undecided: after {blocks} blocks, the most that it reads, the test accepted neither."
    yield not_graded
    count = len(opponents(report))
    yield f"A block is one opening against all {count} opponents from both sides: {2 * count} games."
    if report.baseline is not None:
        played = report.baseline.rate.blocks
        yield f"{base} played {played:,} blocks beforehand. {how_long(report)}"
    yield from _left_out(report)


def _left_out(report: Report) -> Iterator[str]:
    if report.left_out:
        names = ", ".join(map(one_line, report.left_out))
        yield f"Not graded, since nobody asked for them by --heuristics: {names}."


def _terms(report: Report) -> list[Terms]:
    """What the tests of a report are asked, each once; where none has begun, what one alone would be."""
    asked = [each.grading.terms for each in report.graded if each.grading.terms is not None]
    alone = report.question.terms("counted" if report.plays == "search" else "timed")
    return list(dict.fromkeys(asked)) or [alone]


def _each(terms: Sequence[Terms], value: Callable[[Terms], str]) -> str:
    """A value where it is the same for all, else that of each way: `1 % (counted), 5 % (timed)`."""
    found = dict.fromkeys((each.work, value(each)) for each in terms)
    values = dict.fromkeys(text for _, text in found)
    return ", ".join(values if len(values) == 1 else (f"{text} ({work})" for work, text in found))


def how_long(report: Report) -> str:
    """When a heuristic stops playing."""
    terms = _terms(report)
    stops, precision = f"A {noun(report)} plays until its test decides", max(each.precision for each in terms)
    if not precision:
        return f"{stops}."
    timed = "; a timed one stops there" if any(each.work == "timed" for each in terms) else ""
    known = f"its difference is known to ± {points_wanted(precision)} (95 %), which changes no verdict"
    return f"{stops}, and on until {known}{timed}."


def errors(report: Report) -> Iterator[str]:
    """Alpha, beta and the most blocks, a sentence each."""
    terms, what, wanted = _terms(report), noun(report), points_wanted(report.question.points)
    alone = [report.question.terms(work) for work in dict.fromkeys(each.work for each in terms)]
    alpha, beta = _each(alone, lambda one: share(one.alpha)), _each(alone, lambda one: share(one.beta))
    highest = f"if no {what} is better, the highest probability that any is called better."
    yield f"alpha = {alpha}: {highest}"
    yield f"beta = {beta}: the same for calling one not better that is {wanted} better."
    yield f"A test reads at most {_each(alone, lambda one: f'{one.blocks:,}')} blocks."


def _chance(report: Report, verdict: Verdict, chance: str, name: str = "") -> str:
    than = "no" if verdict == "better" else points_wanted(report.question.points)
    most = f"at most {chance}{name and f' ({name})'}"
    return f"A {noun(report)} that is {than} better gets this verdict with a probability of {most}."


def settings(report: Report) -> str:
    """What was played, and how."""
    seed = "a secret seed" if report.seed is None else f"seed {report.seed}"
    played = f"{seed}, budget {report.budget}, roster {report.roster}"
    return f"{played}, sandbox {sandbox_in_words(report.sandbox)}, version {report.version}"


def warnings(report: Report) -> Iterator[str]:
    """What a reader must know before anything else."""
    if not report.is_complete:
        yield "this report is partial: grading is not over, and what is undecided may still be decided"
    if report.is_cut:
        yield "--total-wall ended the grading before all games were played: this is what was known by then"
    if report.seed is None:
        yield "left out for secrecy: the seed, the games, and what was printed or raised in them"
    if not report.reproducible:
        yield "a clock may have decided something: grading it again may give another result"


def about_thrown(report: Report) -> Iterator[str]:
    """What to know of the wins thrown away, and where to get those of the baseline."""
    yield (
        "All games count, those won in the end too, and one game may have several: an opponent may throw the "
        "win back. So these are more than the lost games with a losing move, which is the last of a game."
    )
    gradings = [each.grading for each in report.graded]
    blocks = max(each.blocks or each.test.count for each in gradings if each.test)
    seed = [] if report.seed is None else ["--seed", str(report.seed)]
    words = [
        "--roster",
        report.roster,
        "--games",
        str(2 * blocks),
        *seed,
        "--budget",
        report.budget,
        "--exact",
    ]
    on = "other openings" if report.seed is None else "the same openings"
    base = report.baseline_name
    yield f"Those of {base} on {on}: isolation-fast tournament {base} {' '.join(map(quoted, words))}"


def work_in_words(graded: Graded) -> str | None:
    """How its work was kept equal to the baseline's; None where nothing was to be kept equal."""
    if graded.program is not None:
        told = f" (an import told {one_line(', '.join(graded.asked))})" if graded.asked else ""
        return (
            f"counted, as program {graded.program[:12]}{told}: a grading with this seed repeats to the byte"
        )
    return None if graded.timed is None else f"timed and not counted: {one_line(str(graded.timed))}"


def profile_lines(graded: Graded) -> Iterator[str]:
    """The share of its work in each line of its source; none where nobody asked for it."""
    profile = graded.profile
    if profile is None:
        return
    if profile.why_none is not None:
        yield f"work by line: none, since {one_line(profile.why_none)}"
        return
    yield "work by line, of a turn:"
    yield f"{percent(profile.search):>8}         the search, without values"
    for each in profile.lines:
        text = visible(each.source) if each.line else "functions of other files"
        yield f"{percent(each.share):>8}  {each.line or '':>5}  {text}".rstrip()


def endings_in_words(grading: Grading) -> str | None:
    """How games were lost, the usual way first; None if none was."""
    counts = [f"{count:,} by {ending!r}" for ending, count in grading.endings.items() if count]
    return ", ".join(counts) or None


def nans_in_words(nans: int) -> str | None:
    """How often a heuristic returned NaN, and what that does; None if it never did.

    >>> nans_in_words(2)
    'it returned NaN 2 times, such as from inf - inf: a search never prefers it to another score'
    """
    if not nans:
        return None
    times = "once" if nans == 1 else f"{nans:,} times"
    return f"it returned NaN {times}, such as from inf - inf: a search never prefers it to another score"


def game_number(game: LostGame) -> str:
    """Which of the games against an opponent it is."""
    return f"opening {game.record.opening:,}, as player {game.player}"


def game_in_words(graded: Graded, game: LostGame) -> str:
    """Which game it is, so that it can be found again, and what happened."""
    names = f"{one_line(graded.name)} against {one_line(game.opponent)}"
    return f"{names}, {game_number(game)}: {one_line(game.happened)}"


def problem_lines(problem: Problem) -> Iterator[str]:
    """Cause, reason and help, then the traceback."""
    for name in ("cause", "reason", "help"):
        yield f"{name + ':':<7} {one_line(getattr(problem, name))}"
    yield from trace_lines(problem.trace)


def trace_lines(trace: Sequence[str]) -> Iterator[str]:
    """The end of a traceback."""
    if len(trace) > MOST_TRACE:
        yield f"  | ... and {len(trace) - MOST_TRACE:,} more lines, which --json shows"
    yield from (f"  | {one_line(line)}" for line in trace[-MOST_TRACE:])


def printed_lines(when: str, printed: Printed) -> Iterator[str]:
    """The beginning of what was printed to stdout and stderr, and how much more there was."""
    for name in ("stdout", "stderr"):
        text = visible(getattr(printed, name)).rstrip("\n")
        if not text:
            continue
        lines = text.split("\n")
        yield ""
        yield f"printed to {name} {when}:"
        yield from (f"  | {line}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"  ... and {len(lines) - MOST_LINES:,} more lines, which --json shows"
    if printed.dropped:
        yield f"{printed.dropped:,} more bytes were printed {when}, and not kept"
