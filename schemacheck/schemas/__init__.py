"""Published JSON schemas: of `--format json` and of `schemacheck.yaml`."""
