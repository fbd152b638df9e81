"""The five student reports, measured properly: what they print, what it comes to, which claims hold.

`isolation-fast reproduce` is this in the terminal; docs/reproducing.md says how to read it.
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
