"""Binary logs: a decoder without I/O, files and streams around it, and what a log will do to a replica."""
