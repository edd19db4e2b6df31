package main

import "bot/arena"

// heaviest is the most that one legal discard takes out of a hand.
func heaviest(hand []arena.Card, rules *arena.Variant) int {
	var count [14]int // by rank; the ace once more above the king
	var suits [4]int
	for _, card := range hand {
		count[card.Rank()]++
		suits[card.Suit()]++
	}
	count[13] = count[0]
	most := max(alike(count[:13], rules.MixedPairs), run(count, 3), run(count, 5))
	for _, number := range suits {
		if number == 5 && len(hand) == 5 {
			return arena.Total(hand)
		}
	}
	return most
}

// alike is the heaviest single card, pair or two pairs.
func alike(count []int, mixed bool) int {
	most, highestPair, secondPair := 0, 0, 0
	for rank, number := range count {
		value := min(rank+1, 10)
		switch {
		case number >= 4:
			most = max(most, 4*value)
		case number >= 1:
			most = max(most, min(number, 2)*value)
		}
		if number >= 2 {
			secondPair, highestPair = max(secondPair, min(highestPair, value)), max(highestPair, value)
		}
	}
	if mixed && secondPair > 0 {
		most = max(most, 2*(highestPair+secondPair))
	}
	return most
}

// run is the heaviest run of so many cards, 0 without one.
func run(count [14]int, length int) int {
	most := 0
	for first := 0; first+length <= len(count); first++ {
		sum := 0
		for rank := first; rank < first+length; rank++ {
			if count[rank] == 0 {
				sum = 0
				break
			}
			sum += min(rank%13+1, 10)
		}
		most = max(most, sum)
	}
	return most
}
