"""An autograder for Gradescope: `bundle` writes its zip, `container` is what runs in Gradescope's container.

```text
 setup.sh        run once, when the container is built: installs the wheels
 run_autograder  run for each submission: a first results.json, then `container`
 settings.json   what `bundle` was asked for
 packages.txt    what submissions may import besides the standard library
 rubric.toml     if one was given
 wheels/         the engine's, the grader's and those that they need
 Dockerfile      the same as an image of one's own
```
"""

from isolation_grader.autograder.bundle import Settings, bundle

__all__ = ["Settings", "bundle"]
