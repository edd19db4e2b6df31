package main

import (
	"reflect"
	"testing"

	"bot/arena"
)

// seen is what the bot sees of a turn, as far as it looks at it; the sets are what it may throw.
func seen(hand string, sets ...string) *arena.Turn {
	turn := new(arena.Turn)
	turn.Hand, turn.Open = arena.Cards(hand), arena.Cards("4h")
	turn.MayDeclare, turn.MayTakeClosed = true, true
	for _, set := range sets {
		turn.LegalDiscards = append(turn.LegalDiscards, arena.Discard{Cards: arena.Cards(set)})
	}
	return turn
}

func expect(t *testing.T, turn *arena.Turn, due arena.Action) {
	t.Helper()
	if action := choose(turn); !reflect.DeepEqual(action, due) {
		t.Errorf("it does %v instead of %v", action, due)
	}
}

func TestItDeclaresWithFiveOrLess(t *testing.T) {
	expect(t, seen("As 2s 2d", "As", "2s"), arena.Declare{})
	expect(t, seen("As 2s 3d", "As", "3d"), arena.Play{Discard: arena.Cards("3d")})
}

func TestItThrowsTheBiggestSum(t *testing.T) {
	expect(t, seen("9c 9d Kh 2s", "9c", "Kh", "9c 9d", "2s"), arena.Play{Discard: arena.Cards("9c 9d")})
}

func TestItTakesAnOpenCardWhereThereIsNoOther(t *testing.T) {
	turn := seen("Kh", "Kh")
	turn.MayTakeClosed = false
	expect(t, turn, arena.Play{Discard: arena.Cards("Kh"), Take: arena.Cards("4h")[0]})
}
