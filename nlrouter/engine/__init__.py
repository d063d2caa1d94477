"""The search: bounds, routers and exact models. Knows nothing of files or of the checker."""
