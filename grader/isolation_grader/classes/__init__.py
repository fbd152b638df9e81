"""A class: hundreds of submissions, graded side by side, with marks, tables and one page about all of them.

| module | what it is for |
|---|---|
| `finding` | which file of a download is whose; `downloads`, `layouts` and `people` help |
| `remembered` | what the results know of the last time |
| `running` | grading all, each by `jobs`, in processes of `apart`, and going on after an interruption |
| `facts` | what the reports say of each, as it is stored |
| `marks` | what a `rubric` gives for it |
| `tables`, `summary` | the tables for staff and services, and the page about all |
| `leaderboard` | the best heuristic of each against that of each other |
| `copies` | which submissions share code beyond the course's template; `statements` reads it |
"""

from isolation_grader.classes.facts import ClassFacts, Facts, read_facts
from isolation_grader.classes.finding import Found, FoundClass, Shared, find, read_shared
from isolation_grader.classes.jobs import Asked
from isolation_grader.classes.leaderboard import Board, BoardRun, Place
from isolation_grader.classes.marks import Marks, Rubric
from isolation_grader.classes.people import Roster, Student, read_roster
from isolation_grader.classes.remembered import Given
from isolation_grader.classes.rubric import default_rubric, read_rubric
from isolation_grader.classes.running import ClassRun, Step
from isolation_grader.classes.tables import Marked

__all__ = [
    "Asked",
    "Board",
    "BoardRun",
    "ClassFacts",
    "ClassRun",
    "Facts",
    "Found",
    "FoundClass",
    "Given",
    "Marked",
    "Marks",
    "Place",
    "Roster",
    "Rubric",
    "Shared",
    "Step",
    "Student",
    "default_rubric",
    "find",
    "read_facts",
    "read_roster",
    "read_rubric",
    "read_shared",
]
