"""Classic code runs unchanged: the modules that it imports, made from ours.

| name | what it does |
|---|---|
| `served_modules` | makes `isolation`, `isolation.isolation` and `sample_players`, and puts them nowhere |
| `detect_layout`, `Layout` | tells which of the course's two layouts code was written for |
"""

from isolation_fast.classic.layouts import Layout, detect_layout
from isolation_fast.classic.serving import served_modules

__all__ = ["Layout", "detect_layout", "served_modules"]
