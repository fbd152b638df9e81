"""A submission in a process without rights: what starts it, asks it, and watches over it."""
