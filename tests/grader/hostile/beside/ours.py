"""How attacks get at our modules, which no `import` gives them: by the collector."""

import gc
from types import SimpleNamespace


def modules():
    """The namespaces of our modules by name, as far as any is in memory."""
    gc.unfreeze()
    found = {}
    for each in gc.get_objects():
        if type(each) is dict and each.get("__spec__") is not None and isinstance(each.get("__name__"), str):
            if each["__name__"].partition(".")[0] == "isolation_fast":
                found[each["__name__"]] = each
    return found


def module(name):
    """One of them, as if it had been imported."""
    return SimpleNamespace(**modules()["isolation_fast" + (name and "." + name)])
