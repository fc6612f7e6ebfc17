"""Measures one, two and three servers that share one PostgreSQL, behind nginx with the sample configuration of deploy/.

    python bench/servers.py                        1, 2 and 3 servers, about four minutes
    python bench/servers.py 3 --rates 1000         this number of servers, at these rates
    python bench/servers.py 3 --apart              without nginx, the two players of each match at different servers

As in bench/server.py, there are 1,000 sockets, the server broadcasts a drop only when it is durable, and the time runs
from sending a drop to its arrival at the opponent. nginx sends all sockets of a match to one server. `--apart` shows
the cost of forwarding each drop to another server. Servers, database, proxy and clients share the cores of this
machine.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # imports the temporary PostgreSQL and nginx from the tests
from server import Bench, Server

SERVER_COUNTS, DROPS_PER_SECOND = (1, 2, 3), (500, 1000, 2000)


def bench_servers(bench, count, cores, is_apart):
    from tests.server.proxy import Nginx
    from tests.storage.postgres import ThrowawayPostgres

    postgres = ThrowawayPostgres("-c", "fsync=on")
    servers, proxy = [], None
    try:
        database = postgres.create("bench")
        servers = [Server(database, 1, cores) for _ in range(count)]
        roots = {"server": servers[0].process.pid, "database": postgres.pid}
        roots |= {f"server {number}": server.process.pid for number, server in enumerate(servers[1:], start=2)}
        ports = tuple(server.port for server in servers)
        if is_apart:
            bench.measure(f"{count} servers, players apart, PostgreSQL", ports, **roots)
            return
        with tempfile.TemporaryDirectory() as folder:
            proxy = Nginx(Path(folder), ports)
            bench.measure(f"{count} behind nginx, PostgreSQL", proxy.port, proxy=proxy.pid, **roots)
            proxy.stop()
    finally:
        for server in servers:
            server.stop()
        postgres.remove()


def main():
    from tests.server.proxy import NO_NGINX, nginx
    from tests.storage.postgres import NO_POSTGRES, binaries

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=SERVER_COUNTS)
    parser.add_argument("--rates", type=lambda text: [int(rate) for rate in text.split(",")], default=DROPS_PER_SECOND)
    parser.add_argument("--apart", action="store_true")
    options = parser.parse_args()
    options.profile = None
    for missing in [NO_POSTGRES] * (binaries() is None) + [NO_NGINX] * (nginx() is None and not options.apart):
        sys.exit(missing)
    cores = os.sched_getaffinity(0)
    print(f"{len(cores)} cores; memory is of one server's largest process; load before: {os.getloadavg()[0]:.1f}")
    bench = Bench(options, cores)
    for count in options.counts:
        bench_servers(bench, count, cores, options.apart)
    bench.close()


if __name__ == "__main__":
    main()
