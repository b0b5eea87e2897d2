"""What a statement, or the rows of an event, do on two ends: pure, and in this one place.

`End` is a server that runs statements as they arrive (`Logged`): its tables (`tables`), what is there by name
(`catalog.presence`), its filters, and what the other end's tables are. `change` runs a script on a source and
on a replica. Readers in front of it: `applier` (events of logs), `plan` and `check --change` (files of a
change), `workload` (`link --statements`).
"""
