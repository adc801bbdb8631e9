//! What the machine knows of processes, and what it gives them: `/proc`, process trees, cores, and
//! what is lacking. `calls` are those that other systems do not have.

#[cfg_attr(plain, path = "elsewhere.rs")]
#[cfg_attr(not(plain), path = "linux.rs")]
pub(crate) mod calls;
pub(crate) mod cores;
pub(crate) mod host;
pub(crate) mod pressure;
pub(crate) mod proc_files;
pub(crate) mod tree;
