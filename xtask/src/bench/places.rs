//! Where the programs and the models are.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::peers::tools;

/// What a bench needs. What is missing is missed only when it is asked for.
pub struct Places {
    /// The repository.
    pub root: PathBuf,
    /// The program that is measured.
    pub lurcher: PathBuf,
    /// This program, which also walks by hand.
    pub this: PathBuf,
    /// Walks by Stateright.
    pub stateright: Option<PathBuf>,
    spin: Result<(PathBuf, String), String>,
    gcc: Option<PathBuf>,
}

impl Places {
    /// Looks for everything: in `binaries`, beside this program, on the path. Under Cargo, lurcher and the walks by
    /// Stateright are built.
    pub fn find(binaries: Option<&Path>, root: Option<&Path>) -> Result<Places, String> {
        let this = std::env::current_exe().map_err(|e| e.to_string())?;
        let root = root.map_or_else(repository, |r| Ok(r.to_owned()))?;
        let root = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
        let find = |name: &str| {
            let folders = binaries.map(Path::to_owned).into_iter().chain(this.parent().map(Path::to_owned));
            let found = folders.map(|f| f.join(name)).find(|p| p.is_file()).or_else(|| tools::on_path(name));
            found.and_then(|p| p.canonicalize().ok())
        };
        let cargo = std::env::var_os("CARGO").filter(|_| binaries.is_none());
        let lurcher = match &cargo {
            Some(_) => tools::build_lurcher()?,
            None => find("lurcher").ok_or("`lurcher` lies neither in --binaries, nor beside this, nor on the path")?,
        };
        let stateright = match &cargo {
            Some(cargo) => build_stateright(Path::new(cargo), &root),
            None => find("stateright-walks"),
        };
        let spin = find("spin").ok_or_else(|| "`spin` is not installed: apt-get install spin".to_owned());
        let spin = spin.and_then(|path| tools::reference_version(&path).map(|version| (path, version)));
        Ok(Places { lurcher, stateright, spin, gcc: find("gcc"), this, root })
    }

    /// The real Spin.
    pub fn spin(&self) -> Result<&Path, String> {
        self.spin.as_ref().map(|(path, _)| path.as_path()).map_err(Clone::clone)
    }

    /// The compiler of what Spin generates.
    pub fn gcc(&self) -> Result<&Path, String> {
        self.gcc.as_deref().ok_or_else(|| "`gcc` is not installed: apt-get install gcc libc6-dev".to_owned())
    }

    /// What Spin and the compiler call themselves.
    pub fn spin_version(&self) -> Option<String> {
        let (_, spin) = self.spin.as_ref().ok()?;
        let gcc = Command::new(self.gcc.as_ref()?).arg("--version").output().ok()?;
        let gcc = String::from_utf8_lossy(&gcc.stdout).lines().next()?.to_owned();
        Some(format!("{spin}; {gcc}"))
    }
}

/// Where this was built, or else here.
fn repository() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|e| e.to_string())?;
    let both = [tools::repository().to_owned(), here];
    both.into_iter().find(|r| r.join("bench/speed").is_dir()).ok_or("the repository is not here: say --root".to_owned())
}

/// Builds the walks by Stateright; where that fails, they are not measured.
fn build_stateright(cargo: &Path, root: &Path) -> Option<PathBuf> {
    let target = tools::target_folder().join("stateright");
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--quiet", "--manifest-path"]).arg(root.join("bench/stateright/Cargo.toml"));
    let built = build.arg("--target-dir").arg(&target).status();
    built.ok().filter(|s| s.success()).map(|_| target.join("release/stateright-walks"))
}
