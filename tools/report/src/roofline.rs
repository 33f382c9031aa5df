//! Estimates the time of kernels on devices that were not measured, from counts of what the kernels did.
//!
//! A kernel takes at least as long as its memory traffic takes at the bandwidth of the device, and at least as long as its
//! operations take at its peak rate; the larger of the two is the estimate (a "roofline"). The lower bound moves 4 bytes per
//! word, and all lanes always work. The upper bound moves a sector of 32 bytes per word, as if no two words were close and
//! no cache existed, and 32 lanes wait for the slowest of them.

use crate::device_model::KernelWork;

/// The bytes of a word, and of the sector that is read for it if its neighbours are not used.
const WORD_BYTES: f64 = 4.0;
const SECTOR_BYTES: f64 = 32.0;

/// A device as the estimate sees it. These are not products.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceModel {
    pub(crate) name: &'static str,
    /// The bandwidth of the memory. [Units: bytes per second]
    pub(crate) bandwidth: f64,
    /// The peak rate of scalar operations of all lanes. [Units: operations per second]
    pub(crate) rate: f64,
}

pub(crate) const DEVICE_MODELS: [DeviceModel; 3] = [
    DeviceModel {
        name: "integrated",
        bandwidth: 100e9,
        rate: 1e12,
    },
    DeviceModel {
        name: "mid-range",
        bandwidth: 450e9,
        rate: 7e12,
    },
    DeviceModel {
        name: "high-end",
        bandwidth: 1000e9,
        rate: 20e12,
    },
];

/// Returns the lower and the upper bound of the time of kernels that run one after another, for a number of agents of which
/// `counted` were counted. [Units: ms]
pub(crate) fn bounds_ms(
    kernels: &[KernelWork],
    counted: usize,
    agents: usize,
    device: &DeviceModel,
) -> [f64; 2] {
    let scale = agents as f64 / counted.max(1) as f64 * 1e3;
    let time = |word_bytes: f64, operations: fn(&KernelWork) -> u64| {
        let seconds = kernels.iter().map(|kernel| {
            let bytes = word_bytes * kernel.words() as f64;
            (bytes / device.bandwidth).max(operations(kernel) as f64 / device.rate)
        });
        scale * seconds.sum::<f64>()
    };
    [
        time(WORD_BYTES, |kernel| kernel.operations),
        time(SECTOR_BYTES, |kernel| kernel.lockstep_operations),
    ]
}

impl KernelWork {
    /// Returns the number of words that were read and written.
    pub(crate) fn words(&self) -> u64 {
        self.index_words + self.own_words + self.written_words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(words: u64, operations: u64) -> KernelWork {
        KernelWork {
            kernel: "astar_search".to_owned(),
            index_words: words / 2,
            own_words: words / 4,
            written_words: words / 4,
            operations,
            lockstep_operations: 3 * operations,
        }
    }

    #[test]
    fn the_slower_of_memory_and_operations_counts() {
        let device = DeviceModel {
            name: "test",
            bandwidth: 4e9,
            rate: 1e9,
        };
        // 1000 words per agent: 1 µs at 4 bytes, 8 µs at 32 bytes.
        let by_memory = [kernel(8000, 800)];
        let [low, high] = bounds_ms(&by_memory, 8, 1000, &device);
        assert!((low - 1.0).abs() < 1e-9 && (high - 8.0).abs() < 1e-9);
        // 20 000 operations per agent: 20 µs, and 60 µs in lockstep.
        let by_operations = [kernel(8000, 160_000)];
        let [low, high] = bounds_ms(&by_operations, 8, 1000, &device);
        assert!((low - 20.0).abs() < 1e-9 && (high - 60.0).abs() < 1e-9);
        // Kernels run one after another.
        let both = [kernel(8000, 800), kernel(8000, 160_000)];
        assert!((bounds_ms(&both, 8, 1000, &device)[0] - 21.0).abs() < 1e-9);
    }
}
