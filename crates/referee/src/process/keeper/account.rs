//! Another user's account, under which a bot can do less.

use nix::unistd::{Uid, User};

/// Who a bot runs as, if not as the arena does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
}

impl Account {
    /// Finds an account by its name. Only root can start a process under another account.
    pub fn find(name: &str) -> Result<Account, String> {
        let user = User::from_name(name).map_err(|error| error.to_string())?;
        let user = user.ok_or_else(|| format!("there is no user `{name}`; `useradd {name}` makes one"))?;
        if user.uid.is_root() {
            return Err("root may do everything: name a user who may not".to_owned());
        }
        if !Uid::effective().is_root() {
            return Err("only root can start a bot as somebody else".to_owned());
        }
        Ok(Account { name: name.to_owned(), uid: user.uid.as_raw(), gid: user.gid.as_raw() })
    }
}
