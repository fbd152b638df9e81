raise RuntimeError("sys is never taken from here")
