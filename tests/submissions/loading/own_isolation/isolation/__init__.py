raise RuntimeError("the folder's own isolation was imported")
