"""Runs the same work in one process, on all cores of this machine, or on a Dask cluster.

`open_pool` starts the workers. `run_job` divides a long job into tasks of a few seconds and saves their results as
parts. `tables` joins the parts into one file or into shards. Nothing here depends on the game, and Dask is imported
only for a cluster.
"""

from connectk.cluster.job import PartsFolder, Source, TaskResult, run_job
from connectk.cluster.pool import Pool, Task, open_pool

__all__ = ["PartsFolder", "Pool", "Source", "Task", "TaskResult", "open_pool", "run_job"]
