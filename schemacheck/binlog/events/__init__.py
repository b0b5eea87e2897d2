"""Event types: frozen values with their wire tables, and the functions that read them."""
