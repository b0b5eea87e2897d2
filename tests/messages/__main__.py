"""Write the golden file anew."""

from tests.messages import GOLDEN, listing

GOLDEN.write_text(listing(), "utf-8")
