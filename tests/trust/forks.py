"""How a trial starts another table: forked off a process that has imported all it needs, once for a whole run."""

import multiprocessing

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.trust.twin"])
