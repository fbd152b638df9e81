"""Child processes in which other people's code runs: started, fed, watched, limited and ended."""
