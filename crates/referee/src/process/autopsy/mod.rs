//! Why did a bot fail? Looked up for the verdict, and kept for the person who has to mend the bot.
//!
//! `death` judges a process that has ended, and `diagnosis` a process that has not answered.
//! `evidence` and `stderr_tail` keep the end of what was said.

pub(crate) mod death;
pub(crate) mod diagnosis;
pub(crate) mod evidence;
pub(crate) mod refusal;
pub(crate) mod stderr_tail;
