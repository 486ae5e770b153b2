//! `agros serve`: a board in the browser.

use super::searching::EngineArgs;
use super::{Failure, Outcome, complain};
use crate::engine::Engine;
use crate::play::Thinker;
use crate::serve::{self, Settings};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Serve a board in the browser, to play, look and analyse
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,

    /// The address to listen on; anything but loopback lets others in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// A name under which browsers may come, beside localhost and addresses
    #[arg(long = "allow-host", value_name = "NAME")]
    names: Vec<String>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Searches that may run at once
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=64))]
    searches: u8,

    /// The longest that a search may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    longest: u32,

    #[command(flatten)]
    engine: EngineArgs,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let options = self.engine.options()?;
        let address = SocketAddr::new(self.host, self.port);
        let settings = Settings {
            address,
            hosts: self.names,
            searches: self.searches.into(),
            longest: Duration::from_secs(self.longest.into()),
            thinker: Box::new(move || Box::new(Engine::new(options.clone())) as Box<dyn Thinker>),
        };
        let open = self.open;
        serve::run(settings, |address| {
            let page = format!("http://{}/", name(address));
            let _ = writeln!(io::stdout(), "{page}");
            let _ = io::stdout().flush();
            if open && !open_in_browser(&page) {
                complain("no browser could be started; open the address above in one");
            }
        })
        .map_err(|e| Failure::Work(format!("{address}: {e}")))
    }
}

/// The address as a browser on this machine reaches it.
fn name(address: SocketAddr) -> String {
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    }
}

fn open_in_browser(page: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    Command::new(program)
        .args(before)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
