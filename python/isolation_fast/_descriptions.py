"""The one place that names a value which is not of the type that was wanted."""

import sys


def described(value: object) -> str:
    """The type of a value as people import it, with an article; built-in values are shown as well.

    >>> described("7x7"), described(None), described(str)
    ("a str: '7x7'", 'None', 'the class str')
    >>> from isolation_fast import reference
    >>> described(reference.Board())
    'an isolation_fast.reference.Board'
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {_public_name(value)}"
    name = _public_name(type(value))
    article = "an" if name[0].lower() in "aeiou" else "a"
    # The text of anything else may be that of another class (a reference board's reads like the engine's).
    shown = f": {value!r}" if "." not in name else ""
    return f"{article} {name}{shown}"


def _public_name(kind: type) -> str:
    name, module = kind.__qualname__, str(kind.__module__)
    if module == "builtins":
        return name
    package = module.rpartition(".")[0]
    if getattr(sys.modules.get(package), name, None) is kind:
        module = package
    return f"{module}.{name}"
