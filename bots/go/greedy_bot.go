// Looks one ply ahead, and chooses the best position. Plays every game without hidden cards.

package main

func choose(p *Position) string {
	best, bestValue := "", -2*Win
	for _, move := range p.Legal() {
		p.PlayLeaf(move)
		value := p.Evaluate()
		p.Undo()
		if value > bestValue {
			best, bestValue = move, value
		}
	}
	return best
}

func main() { Play(choose) }
