"""Configuration: `schemacheck.yaml`, typed, with the place of every value."""
