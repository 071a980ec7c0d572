//! Readers of included files.

use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Reads the files that `#include` names.
pub trait IncludeReader {
    /// The text of a file, bytes that are not UTF-8 replaced.
    ///
    /// # Errors
    /// On [`io::ErrorKind::NotFound`] the search continues in the next directory; other errors are reported.
    fn read(&self, path: &Path) -> io::Result<String>;
}

/// Reads from disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskReader;

impl DiskReader {
    /// The largest file.
    pub const MAX_BYTES: u64 = 64 << 20;
}

impl IncludeReader for DiskReader {
    fn read(&self, path: &Path) -> io::Result<String> {
        let meta = std::fs::metadata(path)?;
        if !meta.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        if meta.len() > Self::MAX_BYTES {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB"));
        }
        Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
    }
}

/// Reads from memory: path to text. An empty map refuses every `#include`.
impl IncludeReader for HashMap<String, String> {
    fn read(&self, path: &Path) -> io::Result<String> {
        path.to_str().and_then(|p| self.get(p)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
