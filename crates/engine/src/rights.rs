//! What each user of an engine may do, and no more.

use crate::login::inbox;
use crate::subjects::{
    BUCKET, BUCKET_STREAM, BUNDLES, RESULTS, WORK, all_presences, all_statuses, tournament_orders,
    worker_orders,
};
use std::fmt;
use std::str::FromStr;

/// What a user is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Plays tournaments, and may do everything.
    Coordinator,
    /// Sees how tournaments stand, and changes nothing.
    Watcher,
    /// Plays batches of one class.
    Worker { class: String },
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Coordinator => f.write_str("coordinator"),
            Role::Watcher => f.write_str("watcher"),
            Role::Worker { class } => write!(f, "worker:{class}"),
        }
    }
}

impl FromStr for Role {
    type Err = ();

    fn from_str(text: &str) -> Result<Role, ()> {
        match text {
            "coordinator" => Ok(Role::Coordinator),
            "watcher" => Ok(Role::Watcher),
            _ => {
                let class = text.strip_prefix("worker:").filter(|class| is_word(class)).ok_or(())?;
                Ok(Role::Worker { class: class.to_owned() })
            }
        }
    }
}

/// Can this stand between the dots of a subject, and in a config?
pub fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 40
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// Subjects that a user may use. Everything else is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rights {
    pub publish: Vec<String>,
    pub subscribe: Vec<String>,
}

impl Rights {
    /// The rights of a role for the user of this word (see [`crate::user_word`]).
    pub fn of(role: &Role, user: &str) -> Rights {
        // Nobody else may listen to the answers that a user gets.
        let answers = format!("{}.>", inbox(user));
        let read = |what: String| format!("$JS.API.DIRECT.GET.{BUCKET_STREAM}.{what}");
        match role {
            Role::Coordinator => Rights { publish: vec![">".to_owned()], subscribe: vec![">".to_owned()] },
            Role::Watcher => Rights {
                publish: vec![
                    format!("$JS.API.STREAM.INFO.{WORK}"),
                    format!("$JS.API.STREAM.INFO.{RESULTS}"),
                    format!("$JS.API.STREAM.INFO.{BUCKET_STREAM}"),
                    format!("$JS.API.CONSUMER.LIST.{WORK}"),
                    read(all_statuses()),
                    read(all_presences()),
                ],
                subscribe: vec![answers],
            },
            Role::Worker { class } => Rights {
                publish: vec![
                    format!("$JS.API.CONSUMER.MSG.NEXT.{WORK}.{class}"),
                    format!("$JS.API.CONSUMER.INFO.{WORK}.{class}"),
                    format!("$JS.ACK.{WORK}.{class}.>"),
                    format!("$JS.API.DIRECT.GET.{BUNDLES}.>"),
                    read(format!("$KV.{BUCKET}.t.>")),
                    format!("res.*.{user}.>"),
                    format!("$KV.{BUCKET}.w.{user}.>"),
                ],
                subscribe: vec![answers, tournament_orders("*"), worker_orders(&format!("{user}.>"))],
            },
        }
    }

    /// The rights as a part of the config of a server.
    pub fn to_config(&self) -> String {
        let list = |subjects: &[String]| {
            let quoted: Vec<String> = subjects.iter().map(|subject| format!("{subject:?}")).collect();
            quoted.join(", ")
        };
        format!(
            "{{ publish: {{ allow: [{}] }}, subscribe: {{ allow: [{}] }} }}",
            list(&self.publish),
            list(&self.subscribe)
        )
    }
}

/// What a user tries to find out what it may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Asks the server. Changes nothing, whether it is allowed or not.
    Ask(String),
    /// Publishes to a place that nobody reads.
    Publish(String),
    Subscribe(String),
}

impl Attempt {
    /// What a user with these rights can do, without harm.
    pub fn allowed(role: &Role, user: &str) -> Vec<Attempt> {
        let read =
            |what: &str| Attempt::Ask(format!("$JS.API.DIRECT.GET.{BUCKET_STREAM}.$KV.{BUCKET}.{what}"));
        let info = |stream: &str| Attempt::Ask(format!("$JS.API.STREAM.INFO.{stream}"));
        match role {
            Role::Coordinator => vec![
                info(WORK),
                info(RESULTS),
                info(BUNDLES),
                info(BUCKET_STREAM),
                read("lock.check"),
                Attempt::Subscribe("ctl.>".to_owned()),
            ],
            Role::Watcher => vec![
                info(WORK),
                info(RESULTS),
                info(BUCKET_STREAM),
                Attempt::Ask(format!("$JS.API.CONSUMER.LIST.{WORK}")),
                read("s.check"),
                read("w.check.1"),
            ],
            Role::Worker { class } => vec![
                Attempt::Ask(format!("$JS.API.CONSUMER.INFO.{WORK}.{class}")),
                Attempt::Ask(format!("$JS.API.DIRECT.GET.{BUNDLES}.bundle.check.0")),
                read("t.check"),
                Attempt::Publish(format!("$JS.ACK.{WORK}.{class}.check")),
                Attempt::Subscribe(tournament_orders("*")),
                Attempt::Subscribe(worker_orders(&format!("{user}.check"))),
                Attempt::Subscribe(format!("{}.check", inbox(user))),
            ],
        }
    }

    /// What nobody but a coordinator may do. Each would be harmless if a wrong config allowed it.
    pub fn denied(role: &Role) -> Vec<Attempt> {
        let subscribe = |subject: &str| Attempt::Subscribe(subject.to_owned());
        let read =
            |what: &str| Attempt::Ask(format!("$JS.API.DIRECT.GET.{BUCKET_STREAM}.$KV.{BUCKET}.{what}"));
        let common = [
            subscribe(">"),
            subscribe("work.>"),
            subscribe("res.>"),
            subscribe("$KV.>"),
            subscribe("$JS.>"),
            subscribe("_INBOX.>"),
            subscribe("_INBOX_somebody.>"),
            subscribe("$SYS.>"),
            // These streams, consumers and messages do not exist.
            Attempt::Ask("$JS.API.STREAM.DELETE.check".to_owned()),
            Attempt::Ask("$JS.API.STREAM.PURGE.check".to_owned()),
            Attempt::Ask("$JS.API.STREAM.MSG.DELETE.check".to_owned()),
            Attempt::Ask("$JS.API.STREAM.CREATE.check".to_owned()),
            Attempt::Ask("$JS.API.STREAM.UPDATE.check".to_owned()),
            Attempt::Ask("$JS.API.CONSUMER.CREATE.check".to_owned()),
            Attempt::Ask(format!("$JS.API.CONSUMER.DELETE.{WORK}.check")),
            Attempt::Ask(format!("$JS.API.CONSUMER.MSG.NEXT.{RESULTS}.check")),
            Attempt::Ask(format!("$JS.API.STREAM.MSG.GET.{RESULTS}")),
            Attempt::Ask(format!("$JS.API.STREAM.MSG.GET.{BUCKET_STREAM}")),
            Attempt::Ask(format!("$JS.API.DIRECT.GET.{RESULTS}.res.check")),
            read("lock.check"),
            // No stream keeps these.
            Attempt::Publish("workcheck".to_owned()),
            Attempt::Publish("ctl.t.check".to_owned()),
            Attempt::Publish("ctl.w.check.1".to_owned()),
            Attempt::Publish("_INBOX_somebody.check".to_owned()),
            Attempt::Publish("$JS.ACK.RES.check".to_owned()),
        ];
        let own = match role {
            Role::Coordinator => return Vec::new(),
            Role::Watcher => vec![
                read("t.check"),
                Attempt::Ask(format!("$JS.API.CONSUMER.MSG.NEXT.{WORK}.check")),
                Attempt::Ask(format!("$JS.API.DIRECT.GET.{BUNDLES}.bundle.check.0")),
                subscribe("ctl.>"),
            ],
            Role::Worker { .. } => vec![
                read("s.check"),
                read("w.check.1"),
                Attempt::Ask(format!("$JS.API.CONSUMER.MSG.NEXT.{WORK}.check")),
                Attempt::Ask(format!("$JS.API.STREAM.INFO.{BUCKET_STREAM}")),
                subscribe("ctl.>"),
                subscribe("ctl.w.somebody.1"),
            ],
        };
        common.into_iter().chain(own).collect()
    }

    pub fn subject(&self) -> &str {
        let (Attempt::Ask(subject) | Attempt::Publish(subject) | Attempt::Subscribe(subject)) = self;
        subject
    }
}
