"""The game for reinforcement learning: an environment of PettingZoo on the rules that the arena plays by.

May import `arena.game` and `arena.analysis` only; PettingZoo and Gymnasium come with the extra `env`. Read
`least_score_v0`; `actions` and `observations` put into numbers what a seat may do and what it may know, and need
numpy only. `README.md` explains every number and shows how something is trained.
"""
