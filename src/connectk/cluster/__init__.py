"""The same work in one process, on all cores of this machine, or on a Dask cluster.

`open_pool` says where work is done, `run_spans` cuts a long job into tasks of some seconds and keeps what is done, and
`tables` joins the kept parts into one file or into shards. Nothing here knows the game, and Dask is imported only for
a cluster.
"""

from connectk.cluster.pool import Pool, Task, open_pool
from connectk.cluster.spans import Parts, Piece, Source, run_spans

__all__ = ["Parts", "Piece", "Pool", "Source", "Task", "open_pool", "run_spans"]
