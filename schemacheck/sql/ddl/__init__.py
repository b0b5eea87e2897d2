"""The grammar of definitions: what CREATE and ALTER statements say, before any meaning."""
