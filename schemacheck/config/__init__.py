"""Configuration: `schemacheck.yaml`, typed, with the place of every value.

`discovery` finds the file, `reader` reads it, `model` has the values, `options` the settings of a
link as data. Import the module that is needed: a check without a configuration loads no reader.
"""
