//! The paths of the programs and the models.

use std::path::{Path, PathBuf};

use lurcher_lab::peers::find_program;
use lurcher_lab::peers::spin::SpinTools;

use crate::repository;

/// The programs that are measured.
pub struct Places {
    /// The repository.
    pub root: PathBuf,
    pub lurcher: PathBuf,
    /// This program, which also makes the hand-written walks.
    pub this: PathBuf,
    /// Walks by Stateright.
    pub stateright: Option<PathBuf>,
    /// Spin, or why it cannot be used.
    pub spin: Result<SpinTools, String>,
}

impl Places {
    /// Looks for programs in `binaries`, beside this program and on the path. Under Cargo, lurcher and the walks by
    /// Stateright are built.
    pub fn find(binaries: Option<&Path>, root: Option<&Path>) -> Result<Places, String> {
        let this = std::env::current_exe().map_err(|e| e.to_string())?;
        let root = root.map_or_else(repository, |r| Ok(r.to_owned()))?;
        let root = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
        let folders: Vec<PathBuf> = binaries.into_iter().chain(this.parent()).map(Path::to_owned).collect();
        let (lurcher, stateright) = if binaries.is_none() && std::env::var_os("CARGO").is_some() {
            (repository::build_lurcher()?, build_stateright(&root))
        } else {
            let lurcher = find_program("lurcher", &folders);
            let lurcher = lurcher.ok_or("`lurcher` lies neither in --binaries, nor beside this, nor on the path")?;
            (lurcher, find_program("stateright-walks", &folders))
        };
        let spin = SpinTools::find(&folders).and_then(SpinTools::reference);
        Ok(Places { lurcher, stateright, spin, this, root })
    }
}

/// The repository that this program was built in, or the current directory.
fn repository() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|e| e.to_string())?;
    let both = [repository::root().to_owned(), here];
    both.into_iter().find(|r| r.join("bench/speed").is_dir()).ok_or("the repository is not here: say --root".to_owned())
}

/// Builds the walks by Stateright; where that fails, they are not measured.
fn build_stateright(root: &Path) -> Option<PathBuf> {
    let target = repository::target_folder().join("stateright");
    let mut build = repository::cargo();
    build.args(["build", "--release", "--quiet", "--manifest-path"]).arg(root.join("bench/stateright/Cargo.toml"));
    let built = build.arg("--target-dir").arg(&target).status();
    built.ok().filter(|s| s.success()).map(|_| target.join("release/stateright-walks"))
}
