"""How results are told to people: words, lines and tables on a stream.

Knows results and explanations; nothing of commands, batches, pages or the search.
"""
