"""Many boards in one run, on this machine or on a cluster.

The way of the data: `board` (a problem, its answer file and what is known) -> `plan` (whose turn
it is, and for how long) -> `job` (one run of nlroute on one board), which `local` runs in
processes here and `cluster` on a Dask cluster -> news, back to the board -> `table`.
"""
