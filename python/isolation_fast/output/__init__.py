"""What commands write: tables, progress, files. Nothing here knows the game."""
