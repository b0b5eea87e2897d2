"""Events for people and programs: text and JSON lines."""
