"""The snippets are read by mypy; to run them is not the point, and one of them cannot run."""

collect_ignore = ["must_fail.py", "must_pass.py"]
