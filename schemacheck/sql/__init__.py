"""The text of SQL: words, statements, versioned comments, as servers and their clients cut it."""
