"""The game for reinforcement learning: an environment of PettingZoo on the rules that the arena plays by.

May import `arena.game`, `arena.analysis`, `arena.wire.v1` and `arena.sdk` only; PettingZoo and Gymnasium come with
`pip install "least-score-arena[env]"`. Read `least_score_v0`; `actions` and `observations` say in numbers what a seat
may do and what it may know, and need numpy only. `README.md` shows how something is trained.
"""
