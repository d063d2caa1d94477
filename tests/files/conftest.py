from hypothesis import settings

# On a busy machine any single example can be slow.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
