//! Numbers and texts as bytes, and back. What does not fit together is [`Damage`].

use std::fmt;

/// Why bytes are no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage(pub &'static str);

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a certificate: {}", self.0)
    }
}

impl std::error::Error for Damage {}

pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend(text.as_bytes());
}

/// Bytes that are being read.
pub(crate) struct Input<'b>(&'b [u8]);

impl<'b> Input<'b> {
    pub fn new(bytes: &'b [u8]) -> Input<'b> {
        Input(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Input<'_> {
    pub fn byte(&mut self) -> Result<u8, Damage> {
        let (first, rest) = self.0.split_first().ok_or(Damage("it ends too early"))?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn number(&mut self) -> Result<u64, Damage> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 || byte == 0 && shift > 0 {
                return Err(Damage("a number has another form"));
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damage("a number is too long"))
    }

    pub fn small(&mut self) -> Result<u32, Damage> {
        u32::try_from(self.number()?).map_err(|_| Damage("a number is too large"))
    }

    pub fn signed(&mut self) -> Result<i64, Damage> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A number of things of a byte or more, which must all be there.
    pub fn count(&mut self) -> Result<usize, Damage> {
        let count = usize::try_from(self.number()?).map_err(|_| Damage("too many"))?;
        if count > self.0.len() { Err(Damage("it ends too early")) } else { Ok(count) }
    }

    pub fn eight(&mut self) -> Result<[u8; 8], Damage> {
        let (first, rest) = self.0.split_first_chunk::<8>().ok_or(Damage("it ends too early"))?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn text(&mut self) -> Result<String, Damage> {
        let length = self.count()?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| Damage("a text is none"))
    }
}
