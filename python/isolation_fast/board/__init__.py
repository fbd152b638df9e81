"""What the engine's board and the reference one share: drawings, early names, the classic play loop."""
