"""The rules of Least Score, pure: cards, legal discards, turns, scoring, and what each seat may see.

Nothing here knows a clock, a file, a process or a source of randomness: chance is an argument (`chance`), and the
package imports the standard library only. `README.md` beside this file is the rules page; a docstring's "rule N" is
its numbering. Read `rules` next: `new_match` makes a `State`, `decide` judges an action and returns events,
`evolve` applies them, and `view.observe` is all that a seat may know.
"""
