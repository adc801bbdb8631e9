// Chooses a legal move at random. Plays every game.

package main

func choose(p *Position) string {
	return p.Legal()[p.Random(len(p.Legal()))]
}

func main() { Play(choose) }
