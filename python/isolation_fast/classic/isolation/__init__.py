"""What `import isolation` gives in classic code: the package with the `Board`, ours."""

# Not from the module beside it: that one is put here by whoever serves the two, under a name of its own.
from isolation_fast.classic.board import Board as Board
