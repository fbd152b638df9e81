"""Classic code runs unchanged: the modules that it imports, made of ours.

| name | what it does |
|---|---|
| `install`, `uninstall` | let a script or a notebook import them, and undo that |
| `served_modules` | makes `isolation`, `isolation.isolation` and `sample_players`, and puts them nowhere |
| `detect_layout`, `Layout` | tells which of the course's two layouts code was written for |

`isolation-fast run SCRIPT` needs no line in the script at all.
"""

from isolation_fast.classic.installing import install, uninstall
from isolation_fast.classic.layouts import Layout, detect_layout
from isolation_fast.classic.serving import served_modules

__all__ = ["Layout", "detect_layout", "install", "served_modules", "uninstall"]
