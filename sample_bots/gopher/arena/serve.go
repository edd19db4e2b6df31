package arena

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
)

const (
	maxBatch = 64

	statusOK            = "0"
	statusUnimplemented = "12"
	statusInternal      = "13"
)

// About says who the bot is. That only counts for a bot that is entered by its address, else bot.toml does.
type About struct {
	Name    string
	Version string
}

// Serve is being a bot: it answers each turn with what choose returns, until the arena ends the process.
//
// When choose panics or returns nil, that turn is a fault, the error is printed, and the bot plays on.
func Serve(choose func(*Turn) Action, about About) {
	address := os.Getenv("ARENA_BOT_ADDRESS")
	if address == "" {
		fmt.Fprintln(os.Stderr, "This is a bot: it plays when the arena starts it and names its address in ARENA_BOT_ADDRESS.")
		os.Exit(1)
	}
	network := "tcp"
	if path, found := strings.CutPrefix(address, "unix:"); found {
		network, address = "unix", path
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		log.Fatal(err)
	}
	server := http.Server{Handler: bot{choose, about}, Protocols: new(http.Protocols)}
	server.Protocols.SetUnencryptedHTTP2(true)
	log.Fatal(server.Serve(listener))
}

type bot struct {
	choose func(*Turn) Action
	about  About
}

// ServeHTTP answers a call of gRPC: before a message stand a byte and its length, and behind the answer its status.
func (b bot) ServeHTTP(answer http.ResponseWriter, call *http.Request) {
	answer.Header().Set("Content-Type", "application/grpc")
	status := statusInternal
	request, err := io.ReadAll(call.Body)
	if err == nil && len(request) >= 5 {
		var reply []byte
		if reply, status = b.answer(call.URL.Path, request[5:]); status == statusOK {
			prefix := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(reply)))
			answer.Write(append(prefix, reply...))
		}
	}
	answer.Header().Set(http.TrailerPrefix+"Grpc-Status", status)
}

// answer is the message that answers a call, and its status.
func (b bot) answer(method string, request []byte) ([]byte, string) {
	switch method {
	case "/arena.v1.BotService/Describe":
		return b.description(), statusOK
	case "/arena.v1.BotService/TakeTurn":
		var turn Turn
		if read(request, &turn) {
			if reply := b.take(&turn); reply != nil {
				return reply, statusOK
			}
		}
		return nil, statusInternal
	case "/arena.v1.BotService/TakeTurns":
		var all struct{ Turns []Turn }
		if !read(request, &all) {
			return nil, statusInternal
		}
		var replies []byte
		for i := range all.Turns {
			if reply := b.take(&all.Turns[i]); reply != nil {
				replies = appendBytes(replies, 1, reply)
			}
		}
		return replies, statusOK
	}
	return nil, statusUnimplemented
}

// take is the reply to a turn, nil when the bot has none.
func (b bot) take(turn *Turn) (reply []byte) {
	defer func() {
		if problem := recover(); problem != nil {
			log.Printf("%v\n%s", problem, debug.Stack())
			reply = nil
		}
	}()
	return encodeReply(turn, b.choose(turn))
}

// description is a DescribeResponse.
func (b bot) description() []byte {
	raw := appendBytes(nil, 1, []byte(b.about.Name))
	raw = appendBytes(raw, 2, []byte(b.about.Version))
	raw = appendNumber(raw, 4, 1) // the version of the protocol
	raw = appendNumber(raw, 5, maxBatch)
	return appendNumber(raw, 6, 1) // wants legal discards
}

// read fills a message, and tells whether it could.
func read(raw []byte, message any) bool {
	err := decode(raw, reflect.ValueOf(message).Elem())
	if err != nil {
		log.Print(err)
	}
	return err == nil
}
