//! Is the machine too busy for a fair verdict on time?

use std::fs;
use std::time::Duration;

/// Above this share of the last ten seconds, in percent, somebody has waited for a core.
const BUSY: f64 = 20.0;

/// Has the machine had more to do than it could in the last seconds? Where the system does not say
/// how long processes wait for a core, the number of processes that want one tells.
pub(crate) fn is_busy() -> bool {
    let pressure = fs::read_to_string("/proc/pressure/cpu").ok();
    pressure.as_deref().and_then(waiting).map_or_else(has_queue, |share| share > BUSY)
}

/// `some avg10=12.34 …`
fn waiting(pressure: &str) -> Option<f64> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    some.split(' ').find_map(|part| part.strip_prefix("avg10=")).and_then(|share| share.parse().ok())
}

/// How long these cores have worked, for anybody, or were taken away by another machine on the same
/// hardware. In steps of 10 ms.
pub(crate) fn busy_time(cores: &[usize]) -> Option<Duration> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    cores.iter().map(|&core| busy_of(&stat, core)).sum()
}

/// `cpu0 USER NICE SYSTEM IDLE WAIT IRQ SOFTIRQ STEAL …`
fn busy_of(stat: &str, core: usize) -> Option<Duration> {
    let name = format!("cpu{core} ");
    let line = stat.lines().find_map(|line| line.strip_prefix(&name))?;
    let ticks: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let busy: u64 = [0, 1, 2, 5, 6, 7].iter().filter_map(|&at| ticks.get(at)).sum();
    Some(Duration::from_millis(10 * busy))
}

fn has_queue() -> bool {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0.0);
    load > std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64) + 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_is_read() {
        let text = "some avg10=96.70 avg60=80.00 avg300=1.00 total=5\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
        assert_eq!(waiting(text), Some(96.7));
        assert_eq!(waiting("nothing"), None);
    }

    #[test]
    fn the_work_of_a_core_is_read() {
        let stat = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu1 1 2 3 400 500 6 7 8 900 0\ncpu11 0 0 0 1\n";
        assert_eq!(busy_of(stat, 1), Some(Duration::from_millis(270)));
        assert_eq!(busy_of(stat, 11), Some(Duration::ZERO));
        assert_eq!(busy_of(stat, 2), None);
    }
}
