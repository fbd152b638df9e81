"""`python -m isolation_fast` is the command `isolation-fast`."""

import sys

from isolation_fast.cli import main

if __name__ == "__main__":
    sys.exit(main())
