// The gopher: for each throw and take it looks at every card that it has not seen, and at the best throw after that.
package main

import (
	"math"

	"bot/arena"
)

const (
	now  = 0.5 // what a point in the hand costs now, since somebody may declare; after the next throw it costs 1
	card = 0.6 // what a card kept costs: few cards are soon few points
)

func main() { arena.Serve(choose, arena.About{}) }

func choose(seen *arena.Turn) arena.Action {
	if seen.MayDeclare && arena.Total(seen.Hand) <= declaresAt(seen) {
		return arena.Declare{}
	}
	unseen := unseen(seen)
	least, best := math.Inf(1), arena.Play{}
	try := func(cost float64, play arena.Play) {
		if cost < least {
			least, best = cost, play
		}
	}
	for _, thrown := range seen.LegalDiscards {
		kept := without(seen.Hand, thrown.Cards)
		for _, taken := range seen.Open {
			try(costWith(kept, taken, &seen.Variant), arena.Play{Discard: thrown.Cards, Take: taken})
		}
		if seen.MayTakeClosed {
			try(meanCost(kept, unseen, &seen.Variant), arena.Play{Discard: thrown.Cards})
		}
	}
	return best
}

// declaresAt is the total that is likely to be the least: 6, and 5 as soon as somebody else is down to two cards.
func declaresAt(seen *arena.Turn) int {
	for number, seat := range seen.Seats {
		if number != int(seen.Seat) && !seat.Out && seat.Cards <= 2 {
			return 5
		}
	}
	return 6
}

// unseen is how many cards of each name may still come: they are neither in the hand, nor were they open since the
// closed deck was last refilled.
func unseen(seen *arena.Turn) [53]int {
	var out []arena.Card
	if seen.Upcard != 0 {
		out = append(out, seen.Upcard)
	}
	for _, event := range seen.Events {
		if event.Played == nil {
			continue
		}
		if event.Played.Refilled > 0 {
			out = nil
		}
		out = append(out, event.Played.Discard...)
	}
	var left [53]int
	for card := range left {
		left[card] = int(seen.Variant.Decks)
	}
	left[0] = 0
	for _, card := range append(out, seen.Hand...) {
		left[card] = max(0, left[card]-1)
	}
	return left
}

func without(hand, thrown []arena.Card) []arena.Card {
	kept := append([]arena.Card(nil), hand...)
	for _, card := range thrown {
		for place, held := range kept {
			if held == card {
				kept = append(kept[:place], kept[place+1:]...)
				break
			}
		}
	}
	return kept
}

func meanCost(kept []arena.Card, left [53]int, rules *arena.Variant) float64 {
	sum, number := 0.0, 0
	for card, count := range left {
		if count > 0 {
			sum += float64(count) * costWith(kept, arena.Card(card), rules)
			number += count
		}
	}
	return sum / float64(max(1, number))
}

// costWith is what a hand costs that holds the cards kept and one more.
func costWith(kept []arena.Card, taken arena.Card, rules *arena.Variant) float64 {
	hand := append(append(make([]arena.Card, 0, 16), kept...), taken)
	total := arena.Total(hand)
	return float64(total-heaviest(hand, rules)) + now*float64(total) + card*float64(len(hand))
}
