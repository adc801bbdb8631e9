// The kit for Go: the loop, the rules, the clock. One file, with nothing but the standard library.
//
// A bot is a function that takes a position and returns one of its legal moves:
//
//	func main() { Play(func(p *Position) string { return p.Legal()[0] }) }
//
// The position knows the rules, because the arena answers for it. So a bot can play moves and take
// them back while it thinks. The game itself stays where it is.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"time"
)

// Win is what a won game is worth.
const Win = 1_000_000

// So many nodes before its limit a search should stop.
const near = 100

// A Start is what the arena says when a game begins.
type Start struct {
	Match   string          `json:"match"`
	Game    string          `json:"game"`
	Params  json.RawMessage `json:"params"`
	Seats   int             `json:"seats"`
	Teams   [][]int         `json:"teams"`
	BotSeed int64           `json:"bot_seed"`
	Explore struct {
		Nodes    int  `json:"nodes"`
		Imagine  bool `json:"imagine"`
		Evaluate bool `json:"evaluate"`
	} `json:"explore"`
}

// A Position to think about. It begins where your bot must decide.
type Position struct {
	Start  Start
	Seat   int             // you
	Events json.RawMessage // what has happened since your last turn
	Nodes  int             // positions visited in this turn
	until  time.Time
	dice   *rand.Rand
	info   any
	path   []node
}

// An Info says what a search has found.
type Info struct {
	Depth int      `json:"depth"`
	Nodes int      `json:"nodes"`
	Score float64  `json:"score"`
	PV    []string `json:"pv,omitempty"`
	Text  string   `json:"text,omitempty"`
}

type node struct {
	Turn         int             `json:"turn"`
	Simultaneous bool            `json:"simultaneous"`
	Legal        []string        `json:"legal"`
	Over         string          `json:"over"`
	Value        int             `json:"value"`
	Places       []int           `json:"places"`
	Scores       []float64       `json:"scores"`
	Evaluation   *int            `json:"evaluation"`
	View         json.RawMessage `json:"view"`
	Message      string          `json:"message"`
}

type object map[string]any

// Depth is the number of moves played since the turn.
func (p *Position) Depth() int { return len(p.path) - 1 }

// Legal has the legal moves; none if the game is over.
func (p *Position) Legal() []string {
	if p.node().Legal == nil && !p.Over() {
		p.node().Legal = p.explore(object{"at": p.Depth()}).Legal
	}
	return p.node().Legal
}

// Turn is the seat that decides here.
func (p *Position) Turn() int { return p.node().Turn }

// Ours tells whether you decide here, or a seat of your team.
func (p *Position) Ours() bool {
	for _, team := range p.Start.Teams {
		if has(team, p.Turn()) {
			return has(team, p.Seat)
		}
	}
	return p.Turn() == p.Seat
}

// Simultaneous tells whether other seats decide at the same time.
func (p *Position) Simultaneous() bool { return p.node().Simultaneous }

// Over tells whether the game is over. Reason says why.
func (p *Position) Over() bool { return p.node().Over != "" }

// Reason says why the game is over, such as `line`.
func (p *Position) Reason() string { return p.node().Over }

// Value is your result when the game is over: 1, 0 or -1.
func (p *Position) Value() int { return p.node().Value }

// Places has the place of each seat when the game is over; 1 is best.
func (p *Position) Places() []int { return p.node().Places }

// Scores has the points of each seat when the game is over.
func (p *Position) Scores() []float64 { return p.node().Scores }

// View is what the seat that decides here can see, as JSON.
func (p *Position) View() json.RawMessage {
	if p.node().View == nil {
		p.node().View = p.explore(object{"at": p.Depth(), "legal": false, "view": true}).View
	}
	return p.node().View
}

// Evaluate tells how good the position is for you, from -Win to Win; 0 where the arena gives no estimate.
func (p *Position) Evaluate() int {
	if p.Over() {
		return p.Value() * Win
	}
	if !p.Start.Explore.Evaluate {
		return 0
	}
	if p.node().Evaluation == nil {
		p.node().Evaluation = p.explore(object{"at": p.Depth(), "legal": false, "evaluate": true}).Evaluation
	}
	return *p.node().Evaluation
}

// Play plays a move.
func (p *Position) Play(move string) { p.step(object{"at": p.Depth(), "play": move}) }

// PlayLeaf plays a move too, and asks for the evaluation, not for the legal moves. This is quicker.
func (p *Position) PlayLeaf(move string) {
	p.step(object{"at": p.Depth(), "play": move, "legal": false, "evaluate": p.Start.Explore.Evaluate})
}

// Undo takes the last move back.
func (p *Position) Undo() {
	if p.Depth() == 0 {
		fail("there is no move to take back")
	}
	p.path = p.path[:p.Depth()]
}

// Imagine goes back to the turn, and imagines all that you can't know. Each seed gives other cards.
func (p *Position) Imagine(seed int) {
	p.explore(object{"imagine": seed, "legal": false})
	p.path = p.path[:1]
	p.Nodes++
}

// TimeLeft says how long you may go on thinking: half of the time for a move, and a little of the bank.
// It is 0 if the arena soon allows no more nodes.
func (p *Position) TimeLeft() time.Duration {
	if p.Nodes+near > p.Start.Explore.Nodes {
		return 0
	}
	return time.Until(p.until)
}

// Random gives a whole number below count. The same game gives the same numbers.
func (p *Position) Random(count int) int { return p.dice.Intn(count) }

// Log writes a note into the record; `arena show` prints the note beside the move.
func (p *Position) Log(text string) { say(object{"type": "log", "text": text}) }

// Info says what your search has found.
func (p *Position) Info(info Info) {
	info.Nodes = p.Nodes
	p.info = info
}

// Play answers the arena until the arena says `quit`. choose takes a position and returns a move.
func Play(choose func(*Position) string) {
	var start Start
	var dice *rand.Rand
	for {
		var message struct {
			node
			Type   string          `json:"type"`
			ID     int             `json:"id"`
			Seat   int             `json:"seat"`
			Events json.RawMessage `json:"events"`
			Clock  struct {
				Move int `json:"move_ms"`
				Bank int `json:"bank_ms"`
			} `json:"clock"`
		}
		line := hear()
		read(line, &message)
		switch message.Type {
		case "start":
			start = Start{}
			read(line, &start)
			dice = rand.New(rand.NewSource(start.BotSeed))
			match = start.Match
		case "turn":
			thinking := time.Duration(message.Clock.Move/2+message.Clock.Bank/40) * time.Millisecond
			message.node.Turn = message.Seat
			p := &Position{Start: start, Seat: message.Seat, Events: message.Events, dice: dice,
				until: time.Now().Add(thinking), path: []node{message.node}}
			move := choose(p)
			if p.info == nil {
				p.info = object{"nodes": p.Nodes}
			}
			say(object{"move": move, "id": message.ID, "info": p.info})
		case "error":
			fail(message.Message)
		case "quit":
			return
		}
	}
}

func (p *Position) node() *node { return &p.path[p.Depth()] }

func (p *Position) step(request object) {
	p.path = append(p.path, p.explore(request))
	p.Nodes++
}

var match string // names the game in its first request

func (p *Position) explore(request object) (found node) {
	request["type"] = "explore"
	if match != "" {
		request["match"] = match
		match = ""
	}
	say(request)
	read(hear(), &found)
	if found.Message != "" { // a `problem`, or the `error` that ends the game
		fail(found.Message)
	}
	return found
}

var input = bufio.NewReader(os.Stdin)

// hear gives the next line. The bot ends with its input.
func hear() []byte {
	line, err := input.ReadBytes('\n')
	if err == io.EOF {
		os.Exit(0)
	}
	return line
}

func read(line []byte, into any) {
	if err := json.Unmarshal(line, into); err != nil {
		fail(err.Error())
	}
}

func say(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		fail(err.Error())
	}
	os.Stdout.Write(append(line, '\n'))
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}

func has(team []int, seat int) bool {
	for _, other := range team {
		if other == seat {
			return true
		}
	}
	return false
}
