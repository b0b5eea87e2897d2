"""Sub-commands, one file each: `add_arguments(parser)` and `run(args) -> int`. The first line of a
file is its line in `schemacheck --help`. Nothing heavy is imported outside `run`."""
