//! Chromium without a window, driven over WebDriver.

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use url::Url;

/// How often something is looked at until it is so.
const TRIES: u32 = 600;
const PAUSE: Duration = Duration::from_millis(100);

/// A browser with one page, and the driver that commands it.
pub(crate) struct Browser {
    pub(crate) page: Client,
    // Ended with the browser.
    _driver: Driver,
}

/// The program that commands the browser; ended when dropped.
struct Driver(Child);

/// A command of the driver beyond the standard.
#[derive(Debug)]
struct Vendor {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Vendor {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

impl Browser {
    /// Starts one; `None`, with a word of why, where there is no Chromium with its driver.
    pub(crate) async fn start() -> Option<Self> {
        let binary = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| is_there(name));
        let Some(binary) = binary.filter(|_| is_there("chromedriver")) else {
            eprintln!("skipped: this test needs chromium and chromedriver (Debian: chromium, chromium-driver)");
            return None;
        };
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let driver = Driver(command.spawn().expect("the driver starts"));
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
        ];
        let options = json!({ "binary": which(binary), "args": arguments });
        let capabilities: Capabilities =
            [("goog:chromeOptions".to_owned(), options), ("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }))]
                .into_iter()
                .collect();
        for _ in 0..TRIES {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            let connected =
                builder.capabilities(capabilities.clone()).connect(&format!("http://127.0.0.1:{port}")).await;
            if let Ok(page) = connected {
                return Some(Self { page, _driver: driver });
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("the browser does not start");
    }

    /// Opens `url` and waits until the farm is live there.
    pub(crate) async fn open(&self, url: &str) {
        self.page.goto(url).await.expect("the page opens");
        self.until("the page is live", "return document.getElementById('connection').className.includes('live')").await;
    }

    /// What a script says that ends in `return`.
    pub(crate) async fn ask(&self, script: &str) -> Value {
        self.page.execute(script, vec![]).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script says true.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        for _ in 0..TRIES {
            if self.ask(script).await == Value::Bool(true) {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("waited in vain until {what}: {}", self.ask("return document.body.innerText").await);
    }

    /// What the console has of warnings and errors since it was last read.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let log = self.vendor("se/log", json!({ "type": "browser" })).await;
        let entries = log.as_array().cloned().unwrap_or_default();
        entries
            .iter()
            .filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG")
            .map(Value::to_string)
            .collect()
    }

    /// Has every page run a script before its own ones.
    pub(crate) async fn run_first(&self, script: &str) {
        self.chromium("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    /// Shows pages as on a screen of `width` by `height`, `dark` or light.
    pub(crate) async fn look(&self, width: u32, height: u32, dark: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.chromium("Emulation.setDeviceMetricsOverride", metrics).await;
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.chromium("Emulation.setEmulatedMedia", media).await;
    }

    async fn chromium(&self, command: &str, parameters: Value) {
        self.vendor("goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await;
    }

    async fn vendor(&self, path: &'static str, body: Value) -> Value {
        self.page.issue_cmd(Vendor { path, body }).await.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Ends the browser.
    pub(crate) async fn close(self) {
        // The driver may have lost it already.
        let _ = self.page.close().await;
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_there(name: &str) -> bool {
    which(name).is_some()
}

/// The path of a program.
fn which(name: &str) -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())?;
    Some(found.to_string_lossy().into_owned())
}
