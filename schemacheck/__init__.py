"""schemacheck: will replication survive a differing table definition?"""
