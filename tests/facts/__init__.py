"""Recorded behaviour of real servers, and the runner that holds the project against it."""
