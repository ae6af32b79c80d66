//! The real program as a process, and clients to talk to it.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this")]

use cascade_proto::endpoint::endpoint;
use cascade_proto::v1::admin_service_client::AdminServiceClient;
use cascade_proto::v1::query_service_client::QueryServiceClient;
use cascade_proto::v1::worker_service_client::WorkerServiceClient;
use cascade_proto::{AttachToken, Token, v1};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;

pub type Authorised = InterceptedService<Channel, AttachToken>;

/// A running `cascade-coordinator`; killed when dropped.
pub struct Coordinator {
    child: Child,
    pub address: String,
    /// Where the page is served.
    pub page: String,
}

/// The program with a clean environment of its own.
pub fn command(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cascade-coordinator"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CASCADE_")) {
        command.env_remove(name);
    }
    command.arg("--data").arg(data);
    command
}

/// Runs the program to its end: exit code, standard output, standard error.
pub fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// What a worker called `name` says first.
pub fn hello(name: &str) -> v1::HelloRequest {
    v1::HelloRequest {
        worker: name.to_owned(),
        versions: Some(v1::Versions::of("test worker")),
        threads: 1,
        held: vec![],
        speed: [("tetris".to_owned(), 1e6), ("tritown".to_owned(), 1e6)].into(),
    }
}

impl Coordinator {
    /// Starts on a free port and waits for the line that says where.
    pub fn start(data: &Path) -> Self {
        Self::spawn(command(data).args(["--listen", "127.0.0.1:0", "--log-level", "warn"]))
    }

    pub fn spawn(command: &mut Command) -> Self {
        Self::spawn_logging_to(command, Stdio::inherit())
    }

    pub fn spawn_logging_to(command: &mut Command, log: Stdio) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut told = |beginning: &str| {
            let mut line = String::new();
            stdout.read_line(&mut line).expect("a line");
            line.trim().strip_prefix(beginning).unwrap_or_else(|| panic!("not ready: {line:?}")).to_owned()
        };
        let (address, page) = (told("listening on "), told("page on "));
        child.stdout = Some(stdout.into_inner());
        Self { child, address, page }
    }

    /// The process' id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL: nothing is tidied up.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// SIGTERM; returns how it ended and what else it printed on standard output.
    pub fn terminate(mut self) -> (ExitStatus, String) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        let status = self.child.wait().expect("gone");
        let mut rest = String::new();
        self.child.stdout.take().expect("piped").read_to_string(&mut rest).expect("readable");
        (status, rest)
    }

    pub async fn channel(&self) -> Channel {
        endpoint(&self.address).expect("an address").connect().await.expect("it listens")
    }

    pub async fn worker(&self) -> WorkerServiceClient<Channel> {
        WorkerServiceClient::new(self.channel().await)
    }

    pub async fn query(&self) -> QueryServiceClient<Channel> {
        QueryServiceClient::new(self.channel().await)
    }

    pub async fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel().await)
    }

    pub async fn query_with(&self, token: Option<&str>) -> QueryServiceClient<Authorised> {
        let token = token.map(|text| Token::new(text, "the test").expect("usable"));
        QueryServiceClient::with_interceptor(self.channel().await, AttachToken::new(token.as_ref()))
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        // Gone already after kill and terminate.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
