"""The fleet: thousands to millions of table pairs as one DataFrame job on Spark.

Nothing here decides what replication does: pairs that are not equal go to `schemacheck.engine`, each
distinct one once. Only this package imports pyspark, and only when a job runs.
"""
