"""A recorded match to look at, step by step: by all hands or through the eyes of one seat.

`frames.py` says what is on the table after each step, `showing.py` makes pages and parts of pages of it, `seating.py`
puts the seats round the table. Nothing here knows where a record comes from: whoever has one shows it by `Table`.
"""
