//! Standard output and error, with the care that pipes need.
//!
//! The streams of the process are locked for the length of one write and no longer: other threads
//! write to them as well (the line of progress), and whoever keeps a lock stops them for ever.

use std::io::{self, ErrorKind, Write};

/// One of the two streams. Text is collected and written in large pieces.
pub struct Stream {
    sink: Box<dyn Write>,
    buffer: String,
    /// Nobody reads on: further text is dropped, so that the exit code stays the true one.
    closed: bool,
    /// The system refused to write.
    failed: Option<io::Error>,
}

/// Text is written when so much has been collected.
const FLUSH_BYTES: usize = 64 << 10;

impl Stream {
    /// Standard output.
    pub fn output() -> Stream {
        Stream::new(Box::new(io::stdout()))
    }

    /// Standard error.
    pub fn error() -> Stream {
        Stream::new(Box::new(io::stderr()))
    }

    fn new(sink: Box<dyn Write>) -> Stream {
        Stream { sink, buffer: String::new(), closed: false, failed: None }
    }

    /// Writes text.
    pub fn write(&mut self, text: &str) {
        self.buffer.push_str(text);
        if self.buffer.len() >= FLUSH_BYTES {
            self.flush();
        }
    }

    /// Writes what has been collected.
    pub fn flush(&mut self) {
        let text = std::mem::take(&mut self.buffer);
        if self.closed || self.failed.is_some() {
            return;
        }
        match self.sink.write_all(text.as_bytes()).and_then(|()| self.sink.flush()) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(e) => self.failed = Some(e),
        }
    }

    /// Writes the rest; says what went wrong, if anything but a closed pipe did.
    pub fn finish(&mut self) -> Option<io::Error> {
        self.flush();
        self.failed.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Refuses(ErrorKind);

    impl Write for Refuses {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_no_failure_and_a_full_disk_is_one() {
        let mut stream = Stream::new(Box::new(Refuses(ErrorKind::BrokenPipe)));
        stream.write(&"x".repeat(FLUSH_BYTES));
        stream.write("more");
        assert!(stream.closed && stream.finish().is_none());
        let mut stream = Stream::new(Box::new(Refuses(ErrorKind::StorageFull)));
        stream.write("x");
        assert_eq!(stream.finish().map(|e| e.kind()), Some(ErrorKind::StorageFull));
    }
}
