"""Servers that may be lost: started here or from an image, or named, and asked."""

from schemacheck.scratch.door import NoAnswer
from schemacheck.scratch.process import Limits
from schemacheck.scratch.server import Question, ScratchServer
from schemacheck.scratch.where import open_server

__all__ = ["Limits", "NoAnswer", "Question", "ScratchServer", "open_server"]
