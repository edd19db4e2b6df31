package main

import (
	"slices"

	"bot/arena"
)

func main() { arena.Serve(choose, arena.About{}) }

func choose(seen *arena.Turn) arena.Action {
	if seen.MayDeclare && arena.Total(seen.Hand) <= 5 {
		return arena.Declare{}
	}
	biggest := slices.MaxFunc(seen.LegalDiscards, bySum).Cards
	if !seen.MayTakeClosed {
		return arena.Play{Discard: biggest, Take: seen.Open[0]}
	}
	return arena.Play{Discard: biggest}
}

func bySum(one, other arena.Discard) int { return arena.Total(one.Cards) - arena.Total(other.Cards) }
