"""Names that newer Pythons and packages dropped, with what to write instead.

A name is written as behind a plain `import`: a module, what a module had, a builtin, or a method of one.
Only what fails is looked up here, so it does no harm to list a name that some Python still has.
"""

from collections import abc
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["OUTDATED", "Outdated", "outdated"]


class Outdated(NamedTuple):
    """A name that is gone: since which version, and its replacement."""

    name: str
    since: str
    replacement: str


_REPLACEMENTS = {
    "Python 3": {
        "Queue": "queue",
        "StringIO": "io.StringIO",
        "Tkinter": "tkinter",
        "__builtin__": "builtins",
        "basestring": "str",
        "cPickle": "pickle",
        "cStringIO": "io",
        "dict.has_key": "in",
        "dict.iteritems": "dict.items",
        "dict.iterkeys": "dict.keys",
        "dict.itervalues": "dict.values",
        "execfile": "exec",
        "itertools.ifilter": "filter",
        "itertools.ifilterfalse": "itertools.filterfalse",
        "itertools.imap": "map",
        "itertools.izip": "zip",
        "itertools.izip_longest": "itertools.zip_longest",
        "long": "int",
        "os.getcwdu": "os.getcwd",
        "raw_input": "input",
        "reduce": "functools.reduce",
        "reload": "importlib.reload",
        "string.join": "str.join",
        "string.letters": "string.ascii_letters",
        "string.lowercase": "string.ascii_lowercase",
        "string.maketrans": "str.maketrans",
        "string.split": "str.split",
        "string.uppercase": "string.ascii_uppercase",
        "sys.maxint": "sys.maxsize",
        "types.IntType": "int",
        "types.ListType": "list",
        "unicode": "str",
        "urllib.urlopen": "urllib.request.urlopen",
        "urllib2": "urllib.request",
        "xrange": "range",
    },
    "Python 3.8": {
        "cgi.escape": "html.escape",
        "time.clock": "time.perf_counter",
    },
    "Python 3.9": {
        "fractions.gcd": "math.gcd",
        "sys.setcheckinterval": "sys.setswitchinterval",
    },
    "Python 3.10": {f"collections.{name}": f"collections.abc.{name}" for name in abc.__all__},
    "Python 3.11": {
        "inspect.formatargspec": "inspect.signature",
        "inspect.getargspec": "inspect.getfullargspec",
    },
    "Python 3.12": {
        "distutils": "setuptools",
        "imp": "importlib",
    },
    "Python 3.13": {
        "typing.io": "typing",
    },
    "NumPy 1.18": {
        "numpy.rank": "numpy.ndim",
    },
    "NumPy 1.23": {
        "numpy.asscalar": "numpy.ndarray.item",
    },
    "NumPy 1.24": {
        "numpy.bool": "bool",
        "numpy.complex": "complex",
        "numpy.float": "float",
        "numpy.int": "int",
        "numpy.int0": "numpy.intp",
        "numpy.long": "int",
        "numpy.object": "object",
        "numpy.str": "str",
        "numpy.unicode": "str",
    },
    "NumPy 2.0": {
        "numpy.Inf": "numpy.inf",
        "numpy.Infinity": "numpy.inf",
        "numpy.NAN": "numpy.nan",
        "numpy.NINF": "-numpy.inf",
        "numpy.NaN": "numpy.nan",
        "numpy.PINF": "numpy.inf",
        "numpy.alltrue": "numpy.all",
        "numpy.asfarray": "numpy.asarray",
        "numpy.bool8": "numpy.bool",
        "numpy.complex_": "numpy.complex128",
        "numpy.float_": "numpy.float64",
        "numpy.infty": "numpy.inf",
        "numpy.mat": "numpy.asmatrix",
        "numpy.product": "numpy.prod",
        "numpy.round_": "numpy.round",
        "numpy.row_stack": "numpy.vstack",
        "numpy.sometrue": "numpy.any",
        "numpy.unicode_": "numpy.str_",
    },
    "NumPy 2.4": {
        "numpy.in1d": "numpy.isin",
        "numpy.trapz": "numpy.trapezoid",
    },
    "SciPy 1.0": {
        "scipy.misc": "scipy.special",
        "scipy.misc.comb": "scipy.special.comb",
        "scipy.misc.factorial": "scipy.special.factorial",
        "scipy.misc.logsumexp": "scipy.special.logsumexp",
    },
    "scikit-learn 0.20": {
        "sklearn.cross_validation": "sklearn.model_selection",
        "sklearn.grid_search": "sklearn.model_selection",
    },
    "scikit-learn 0.23": {
        "sklearn.externals.joblib": "joblib",
    },
}

OUTDATED = MappingProxyType(
    {
        name: Outdated(name, since, replacement)
        for since, replacements in _REPLACEMENTS.items()
        for name, replacement in replacements.items()
    }
)
"""All of them by name."""


def outdated(name: str) -> Outdated | None:
    """What became of a name, None where nothing is known.

    >>> outdated("fractions.gcd")
    Outdated(name='fractions.gcd', since='Python 3.9', replacement='math.gcd')
    >>> outdated("collections.Mapping").replacement
    'collections.abc.Mapping'
    """
    return OUTDATED.get(name)
