"""Elsewhere than on Linux there is no jail, and nothing to try."""

import sys

LINUX_ALONE = ["test_jail.py", "test_jailed_nursery.py", "test_jailed_pool.py"]
collect_ignore = ["jail_attempts.py", *([] if sys.platform == "linux" else LINUX_ALONE)]
