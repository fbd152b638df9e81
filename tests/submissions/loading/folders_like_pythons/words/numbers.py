TWO = 2.0
