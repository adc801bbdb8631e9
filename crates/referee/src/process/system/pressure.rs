//! Is the machine too busy for a fair verdict on time?

use std::fs;

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
}
