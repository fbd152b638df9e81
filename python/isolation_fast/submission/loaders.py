"""How a submission's modules are loaded: from their source alone, with builtins of their own."""

from importlib.abc import Loader
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Protocol

from isolation_fast.submission.quiet import without_warnings

__all__ = ["PrivateLoader", "ServedLoader"]


class Owner(Protocol):
    """Whose module it is: what its code finds as builtins, and who notes what was read."""

    builtins: dict[str, Any]
    files: set[str]
    not_compiled: list[tuple[Exception, str]]

    def finished(self, module: ModuleType, path: str) -> None:
        """Called when the code of a module has run."""


class PrivateLoader(SourceFileLoader):
    """Reads a source file: no `__pycache__` is read or written, and the module gets builtins of its own."""

    def __init__(self, name: str, path: str, owner: Owner) -> None:
        super().__init__(name, path)
        self.owner = owner

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source as it stands."""
        path = self.get_filename(fullname)
        self.owner.files.add(path)
        try:
            with without_warnings():
                return compile(self.get_data(path), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.owner.not_compiled.append((error, path))
            raise

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        code = self.get_code(module.__name__)
        module.__dict__["__builtins__"] = self.owner.builtins
        exec(code, module.__dict__)
        self.owner.finished(module, self.path)


class ServedLoader(Loader):
    """Hands out a module that is there already, and leaves it as it is when it is reloaded."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def create_module(self, _spec: ModuleSpec) -> ModuleType:
        """The module itself."""
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do."""
