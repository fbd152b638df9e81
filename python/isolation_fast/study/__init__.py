"""The five student reports, measured properly: what they print, what it comes to, which claims hold.

`isolation-fast reproduce` is this in the terminal; docs/reproducing.md says how to read it.

>>> done = study(chosen(["B"], "weighted_open"), Measurer(games=28, seed=1), ["nodes=50"])
>>> [each.row.percent for each in done.tables[0].rows]
[77.1]
"""

from isolation_fast.study.claims import Claim, Comparison, Judgement, Report, Row, Sample, judge, reports
from isolation_fast.study.measuring import Measured, Measurer
from isolation_fast.study.studying import Chosen, MeasuredRow, Study, Table, chosen, study

__all__ = [
    "Chosen",
    "Claim",
    "Comparison",
    "Judgement",
    "Measured",
    "MeasuredRow",
    "Measurer",
    "Report",
    "Row",
    "Sample",
    "Study",
    "Table",
    "chosen",
    "judge",
    "reports",
    "study",
]
