// A bot for Ludus in Go, without the kit.
//
// Try it:  go build -o first_bot bots/go/first_bot.go
//          arena match tic-tac-toe ./first_bot builtin:random

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

func main() {
	random := rand.New(rand.NewSource(1))
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n') // one JSON object, until the arena closes the pipe
		if err != nil {
			return
		}
		var message struct {
			Type    string   `json:"type"`
			BotSeed int64    `json:"bot_seed"`
			Legal   []string `json:"legal"`
		}
		if json.Unmarshal(line, &message) != nil {
			continue
		}
		switch message.Type {
		case "start": // A new game. Seeding from bot_seed makes the bot's games repeatable.
			random = rand.New(rand.NewSource(message.BotSeed))
		case "turn":
			fmt.Printf("{\"move\":%q}\n", message.Legal[random.Intn(len(message.Legal))])
		}
	}
}
