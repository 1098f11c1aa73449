//! Runs work that may panic or never end.

use std::any::Any;
use std::panic;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How guarded work ended.
pub enum Outcome<T> {
    /// With a value.
    Done(T),
    /// It panicked; the message.
    Panicked(String),
    /// It did not end in time; its thread is left behind.
    TimedOut,
}

/// Runs work on a thread of its own.
pub fn run<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Outcome<T> {
    let (send, receive) = mpsc::channel();
    let thread = thread::spawn(move || {
        let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
        // The receiver is gone after a time-out; nobody wants the answer then.
        let _ = send.send(result.map_err(|payload| message(&*payload)));
    });
    match receive.recv_timeout(limit) {
        Ok(Ok(value)) => {
            let _ = thread.join();
            Outcome::Done(value)
        }
        Ok(Err(message)) => Outcome::Panicked(message),
        Err(RecvTimeoutError::Timeout) => Outcome::TimedOut,
        Err(RecvTimeoutError::Disconnected) => Outcome::Panicked("the thread died".to_owned()),
    }
}

/// The message of a panic.
pub fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}

/// Panics are reported by those who catch them.
pub fn silence_panics() {
    panic::set_hook(Box::new(|_| {}));
}
