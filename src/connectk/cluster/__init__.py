"""The same work in one process, on all cores of this machine, or on a Dask cluster.

`open_pool` says where work is done, `run_job` cuts a long job into tasks of some seconds and keeps what is done, and
`tables` joins the kept parts into one file or into shards. Nothing here knows the game, and Dask is imported only for
a cluster.
"""

from connectk.cluster.job import PartsFolder, Source, TaskResult, run_job
from connectk.cluster.pool import Pool, Task, open_pool

__all__ = ["PartsFolder", "Pool", "Source", "Task", "TaskResult", "open_pool", "run_job"]
