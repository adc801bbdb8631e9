fn main() {
    for game in rules::GAMES {
        let t = std::time::Instant::now();
        let mut n = 0;
        let mut plies = 0;
        while t.elapsed().as_millis() < 700 {
            let p = game.playouts(&serde_json::Value::Null, 2000, 2000).unwrap();
            n += p.games;
            plies += p.plies;
        }
        let s = t.elapsed().as_secs_f64();
        println!("{:24} {:12.0} games/s {:12.0} plies/s", game.about.id, n as f64 / s, plies as f64 / s);
    }
}
