"""Outputs: one Report, one file per format."""
