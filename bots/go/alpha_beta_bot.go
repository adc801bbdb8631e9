// Alpha-beta, one ply deeper each time. Plays every game without hidden cards.

package main

const nodes = 5_000 // for a move; more nodes play better and take longer
const plies = 50    // deep enough for the end of most games

func choose(p *Position) string {
	best := p.Legal()[0]
	for depth := 1; depth <= plies; depth++ {
		move, value := best, child(p, best, depth, -2*Win, 2*Win)
		for _, other := range p.Legal() {
			if other != best && !outOfTime(p) {
				if found := child(p, other, depth, value, 2*Win); found > value {
					move, value = other, found
				}
			}
		}
		if outOfTime(p) {
			break // this depth is not finished, so the depth before has the best move
		}
		best = move
		p.Info(Info{Depth: depth, Score: float64(value), PV: []string{best}})
		if value >= Win || value <= -Win {
			break // the rest of the game is known
		}
	}
	return best
}

// child gives the value of the position after a move.
func child(p *Position, move string, depth, alpha, beta int) int {
	if depth == 1 {
		p.PlayLeaf(move)
	} else {
		p.Play(move)
	}
	value := search(p, depth-1, alpha, beta)
	p.Undo()
	return value
}

// search gives the value of the position for us, if it lies between alpha and beta.
func search(p *Position, depth, alpha, beta int) int {
	if p.Over() {
		return p.Value() * (Win + depth) // a win is better sooner, a loss later
	}
	if depth == 0 {
		return p.Evaluate()
	}
	for _, move := range p.Legal() {
		value := child(p, move, depth, alpha, beta)
		if p.Ours() && value > alpha {
			alpha = value
		} else if !p.Ours() && value < beta {
			beta = value
		}
		if alpha >= beta || outOfTime(p) {
			break
		}
	}
	if p.Ours() {
		return alpha
	}
	return beta
}

func outOfTime(p *Position) bool { return p.Nodes >= nodes || p.TimeLeft() <= 0 }

func main() { Play(choose) }
