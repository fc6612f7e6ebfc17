"""The server's analysis and computer players in worker processes: the jobs, the processes, and a fair queue."""
