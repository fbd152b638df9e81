"""`python -m isolation_grader` is `isolation-grade`."""

import sys

from isolation_grader.cli import main

if __name__ == "__main__":
    sys.exit(main())
