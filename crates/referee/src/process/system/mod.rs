//! What the machine knows of processes, and what it gives them: `/proc`, process trees, cores, and
//! what is lacking.

pub(crate) mod cores;
pub(crate) mod host;
pub(crate) mod pressure;
pub(crate) mod proc_files;
pub(crate) mod tree;
