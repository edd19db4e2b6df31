// Package arena is all that a bot in Go needs, with nothing but Go itself: write a function that chooses, and hand it to
// Serve. This file is what a bot works with, wire.go the bytes of the messages, serve.go the server.
package arena

import (
	"fmt"
	"strings"
)

const (
	ranks = "A23456789TJQK"
	suits = "cdhs"
)

// Card is the number of a card in bot.proto, from 1; 0 is no card.
type Card uint8

// Rank is 0 for an ace to 12 for a king.
func (c Card) Rank() int { return (int(c) - 1) % 13 }

// Suit is 0 for clubs, 1 for diamonds, 2 for hearts, 3 for spades.
func (c Card) Suit() int { return (int(c) - 1) / 13 }

// Value is what a card is worth: the ace 1, 2 to 10 their number, jack, queen and king 10.
func (c Card) Value() int { return min(c.Rank()+1, 10) }

// Total is the sum of the values of some cards.
func Total(cards []Card) int {
	sum := 0
	for _, card := range cards {
		sum += card.Value()
	}
	return sum
}

// Cards are those written in a text, as in "As Td 9c"; it panics when a word is no card.
func Cards(text string) []Card {
	var cards []Card
	for _, word := range strings.Fields(text) {
		if len(word) != 2 || !strings.Contains(ranks, word[:1]) || !strings.Contains(suits, word[1:]) {
			panic(fmt.Sprintf("%q is no card: write As, Td or 9c", word))
		}
		cards = append(cards, Card(13*strings.Index(suits, word[1:])+strings.Index(ranks, word[:1])+1))
	}
	return cards
}

// Action is what a bot does on its turn: Play or Declare.
type Action interface{ encode() []byte }

// Play throws a set and then takes the open card Take, or, when that is 0, an unseen card from the closed deck.
type Play struct {
	Discard []Card
	Take    Card
}

// Declare reveals all hands.
type Declare struct{}

// The messages of bot.proto, in which each field is explained. The fields of a message stand in the order of their
// numbers, 1, 2, 3, …, for that is how they are read. What was not sent is 0 or empty, a pointer nil.

// Turn is a TakeTurnRequest: the question, and in it the Observation, which is all that your seat may know.
type Turn struct {
	Table         uint64
	Turn          uint32
	TurnLimitMs   uint32
	BankMs        uint32
	LastLatencyUs uint32
	ChoiceSeed    []byte
	Observation
}

// Observation is what the seat sees.
type Observation struct {
	Variant       Variant
	Deal          uint32
	Starter       uint32
	Upcard        Card
	Seats         []Seat
	Events        []Event
	PastDeals     []PastDeal
	Open          []Card
	ClosedCount   uint32
	MayTakeClosed bool
	MayDeclare    bool
	Seat          uint32
	Hand          []Card
	LegalDiscards []Discard
	Bots          []string
}

// Variant is the rule set of a match.
type Variant struct {
	HandSize   uint32
	Decks      uint32
	Upcard     bool
	MixedPairs bool
	TieHolds   bool
	Penalty    uint32
	Threshold  uint32
	Crossing   uint32
	Finish     uint32
	LapCap     uint32
	DealCap    uint32
}

// Seat is what everybody sees of one seat.
type Seat struct {
	Cards  uint32
	Points uint32
	Out    bool
}

// Event is a public event of the deal; one of Played and Forfeited is set.
type Event struct {
	Seat      uint32
	Played    *Played
	Forfeited *struct{}
}

// Played is a play as everybody sees it.
type Played struct {
	Discard  []Card
	Taken    Card
	Refilled uint32
}

// PastDeal is a finished deal.
type PastDeal struct {
	End      uint32
	Declarer *uint32
	Hands    []RevealedHand
}

// RevealedHand is a hand shown at the end of a deal.
type RevealedHand struct {
	Seat   uint32
	Cards  []Card
	Total  uint32
	Points uint32
}

// Discard is a set that may be thrown.
type Discard struct {
	Cards []Card
}
