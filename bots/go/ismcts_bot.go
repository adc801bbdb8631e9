// Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards.

package main

const nodes = 5_000 // for a move; more nodes play better and take longer
const plies = 60    // a game that goes on for longer is judged by the arena's estimate

func choose(p *Position) string {
	moves := p.Legal()
	totals, games := make([]float64, len(moves)), make([]float64, len(moves))
	for dream := 0; len(moves) > 1 && !outOfTime(p); dream++ {
		p.Imagine(dream) // other cards each time
		for i, move := range moves {
			if !outOfTime(p) { // each move with the same cards
				totals[i] += playOut(p, move)
				games[i]++
			}
		}
	}
	best := 0
	for i := range moves {
		if games[i] > 0 && totals[i]/games[i] > totals[best]/games[best] {
			best = i
		}
	}
	return moves[best]
}

// playOut plays the move, then at random to the end. It gives the result, and goes back.
func playOut(p *Position, move string) float64 {
	p.Play(move)
	for !p.Over() && p.Depth() < plies {
		p.Play(p.Legal()[p.Random(len(p.Legal()))])
	}
	var result float64
	if p.Over() {
		result = worth(p)
	} else {
		result = float64(p.Evaluate()) / Win
	}
	for p.Depth() > 0 {
		p.Undo()
	}
	return result
}

// worth counts the seats behind us, less the seats before us. Points decide between equals.
func worth(p *Position) float64 {
	worth := p.Scores()[p.Seat] / 1_000
	for _, place := range p.Places() {
		if place > p.Places()[p.Seat] {
			worth++
		} else if place < p.Places()[p.Seat] {
			worth--
		}
	}
	return worth
}

func outOfTime(p *Position) bool { return p.Nodes >= nodes || p.TimeLeft() <= 0 }

func main() { Play(choose) }
