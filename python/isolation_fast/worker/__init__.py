"""What runs inside a jailed process, and the messages it shares with its referee. Importing it is cheap."""
