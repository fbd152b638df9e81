raise RuntimeError("abc is never taken from here")
