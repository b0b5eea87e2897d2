"""Configuration: `schemacheck.yaml`, typed, with the place of every value."""

from schemacheck.config.discovery import FILE_NAMES, find
from schemacheck.config.model import Config, LinkConfig, Placed, Tolerated
from schemacheck.config.options import LINK_OPTIONS, LinkOption
from schemacheck.config.reader import load, parse

__all__ = ["FILE_NAMES", "LINK_OPTIONS", "Config", "LinkConfig", "LinkOption", "Placed", "Tolerated", "find", "load", "parse"]
