//! Finding a coordinator and calling it.

use crate::exit::{Exit, Failure, OrExit};
use crate::target::nearest;
use anyhow::Context;
use cascade_coordinator::ADDRESS_FILE;
use cascade_games::InstanceName;
use cascade_proto::v1::admin_service_client::AdminServiceClient;
use cascade_proto::v1::query_service_client::QueryServiceClient;
use cascade_proto::v1::{
    GetInstanceRequest, GetInstanceResponse, InstanceInfo, ListInstancesRequest, StatusRequest, StatusResponse,
};
use cascade_proto::{AttachToken, Code, Token, endpoint, limits};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code as GrpcCode, Response, Status};

/// Where a coordinator listens unless told otherwise.
const USUAL_ADDRESS: &str = "127.0.0.1:7400";
/// The data directory of a local farm unless told otherwise.
pub(crate) const USUAL_DATA: &str = "cascade-data";
/// The environment variable that holds the token itself.
pub(crate) const TOKEN_VARIABLE: &str = "CASCADE_TOKEN";
/// How long a call may take to be answered.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// How every help text of a command that calls a coordinator says where it looks for one.
pub(crate) const CONNECTION_HELP: &str = "\
Without --coordinator, the `cascade local` or coordinator at work in the data directory is asked, else 127.0.0.1:7400. \
     A token is taken from --token-file or CASCADE_TOKEN.";

/// Options that tell which coordinator to ask.
#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ConnectionOptions {
    /// The coordinator: HOST:PORT or http://HOST:PORT
    #[arg(long, value_name = "URL", env = "CASCADE_COORDINATOR")]
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinator: Option<String>,
    /// Data directory of a coordinator on this machine [default: ./cascade-data]
    #[arg(long, value_name = "DIR", env = "CASCADE_DATA")]
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<PathBuf>,
    /// File that holds the token the coordinator wants
    #[arg(long, value_name = "FILE", env = "CASCADE_TOKEN_FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    token_file: Option<PathBuf>,
}

/// A coordinator to call.
pub(crate) struct Farm {
    /// Questions.
    pub(crate) query: QueryServiceClient<InterceptedService<Channel, AttachToken>>,
    /// Changes.
    pub(crate) admin: AdminServiceClient<InterceptedService<Channel, AttachToken>>,
    address: Address,
}

/// The address of a coordinator, and how it was found.
#[derive(Clone, Debug)]
struct Address {
    text: String,
    found: Found,
}

#[derive(Clone, Debug)]
enum Found {
    Given,
    InFile(PathBuf),
    Usual(PathBuf),
}

impl Address {
    fn find(options: &ConnectionOptions) -> Self {
        if let Some(given) = &options.coordinator {
            return Self { text: given.clone(), found: Found::Given };
        }
        let data = options.data.as_deref().unwrap_or(Path::new(USUAL_DATA));
        let file = data.join(ADDRESS_FILE);
        match std::fs::read_to_string(&file) {
            Ok(text) if !text.trim().is_empty() => {
                let text = text.trim().parse().map_or_else(|_| text.trim().to_owned(), |at| reachable(at).to_string());
                Self { text, found: Found::InFile(file) }
            }
            _ => Self { text: USUAL_ADDRESS.to_owned(), found: Found::Usual(file) },
        }
    }

    /// What to do when nobody answers.
    fn advice(&self) -> String {
        match &self.found {
            Found::Given => "is the coordinator running, and is this its address?".to_owned(),
            Found::InFile(file) => {
                format!("{} names it, but it is gone; start it again with `cascade local`", file.display())
            }
            Found::Usual(file) => format!(
                "--coordinator is not given and there is no {}; start a farm with `cascade local` here, or name the coordinator",
                file.display()
            ),
        }
    }
}

/// Runs `task` with a connection to the coordinator that `options` tell.
pub(crate) fn with_farm<T>(
    options: &ConnectionOptions,
    task: impl AsyncFnOnce(Farm) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")
        .or_exit(Exit::Internal)?;
    runtime.block_on(async { task(Farm::connect(options).await?).await })
}

impl Farm {
    /// Connects to the coordinator that `options` tell.
    pub(crate) async fn connect(options: &ConnectionOptions) -> Result<Self, Failure> {
        let address = Address::find(options);
        let token = token(options.token_file.as_deref())?;
        Self::open(address, token.as_ref()).await
    }

    /// Connects to the coordinator that listens on `address` in this process.
    pub(crate) async fn connect_to(address: String, token: Option<&Token>) -> Result<Self, Failure> {
        Self::open(Address { text: address, found: Found::Given }, token).await
    }

    /// Connects anew, to where `options` tell now: a local farm that was started again has another address. One that was
    /// found in a data directory is looked for nowhere else.
    pub(crate) async fn again(&self, options: &ConnectionOptions) -> Result<Self, Failure> {
        let address = Address::find(options);
        if let (Found::InFile(file), Found::Usual(_)) = (&self.address.found, &address.found) {
            let message = format!("no coordinator is at work: there is no {}", file.display());
            return Err(Failure::say(Exit::Unreachable, message));
        }
        let token = token(options.token_file.as_deref())?;
        Self::open(address, token.as_ref()).await
    }

    async fn open(address: Address, token: Option<&Token>) -> Result<Self, Failure> {
        let endpoint = endpoint::endpoint(&address.text).or_exit(Exit::Usage)?.timeout(CALL_TIMEOUT);
        let channel = endpoint.connect().await.map_err(|error| {
            let cause = innermost(&error);
            let message = format!("no coordinator at {}: {cause}; {}", address.text, address.advice());
            Failure::say(Exit::Unreachable, message)
        })?;
        let attach = AttachToken::new(token);
        let query = QueryServiceClient::with_interceptor(channel.clone(), attach.clone())
            .max_decoding_message_size(limits::MESSAGE_BYTES);
        let admin =
            AdminServiceClient::with_interceptor(channel, attach).max_encoding_message_size(limits::MESSAGE_BYTES);
        Ok(Self { query, admin, address })
    }

    /// The failure that an answer which is none amounts to.
    pub(crate) fn failure(&self, status: &Status) -> Failure {
        let exit = exit_of(status);
        let address = &self.address.text;
        let words = if status.message().is_empty() { status.code().description() } else { status.message() };
        let message = match exit {
            Exit::Unreachable => format!("the coordinator at {address} does not answer as it should: {words}"),
            Exit::Credentials => format!(
                "the coordinator at {address} does not accept the token: {words}; give it by --token-file or {TOKEN_VARIABLE}"
            ),
            Exit::Versions => format!(
                "the coordinator at {address} does not fit this command, {}: {words}",
                concat!("cascade ", env!("CARGO_PKG_VERSION"))
            ),
            _ => words.to_owned(),
        };
        Failure::say(exit, message)
    }

    /// As [`Farm::failure`], for a call about the instance called `name`.
    async fn failure_about(&mut self, name: &str, status: &Status) -> Failure {
        if Code::of(status) != Some(Code::UnknownInstance) {
            return self.failure(status);
        }
        let known = self.instances().await.unwrap_or_default();
        let names = known.into_iter().filter_map(|info| info.instance).map(|instance| instance.name);
        let near = nearest(name, names);
        let hint = if near.is_empty() { String::new() } else { format!("; near names: {}", near.join(", ")) };
        Failure::say(Exit::BadInput, format!("{}{hint}", status.message()))
    }

    /// What was answered, or the failure that there is no answer.
    pub(crate) fn answered<T>(&self, answer: Result<Response<T>, Status>) -> Result<T, Failure> {
        answer.map(Response::into_inner).map_err(|status| self.failure(&status))
    }

    /// As [`Farm::answered`], of a call about the instance called `name`: near names are told where it is unknown.
    pub(crate) async fn answered_about<T>(
        &mut self,
        name: &str,
        answer: Result<Response<T>, Status>,
    ) -> Result<T, Failure> {
        match answer {
            Ok(answer) => Ok(answer.into_inner()),
            Err(status) => Err(self.failure_about(name, &status).await),
        }
    }

    /// The farm in figures.
    pub(crate) async fn status(&mut self) -> Result<StatusResponse, Failure> {
        let answer = self.query.status(StatusRequest {}).await;
        self.answered(answer)
    }

    /// Every instance, in the coordinator's order.
    pub(crate) async fn instances(&mut self) -> Result<Vec<InstanceInfo>, Failure> {
        let answer = self.query.list_instances(ListInstancesRequest {}).await;
        Ok(self.answered(answer)?.instances)
    }

    /// What the instance called `name` holds.
    pub(crate) async fn content(&mut self, name: &str) -> Result<GetInstanceResponse, Failure> {
        let answer = self.query.get_instance(GetInstanceRequest { instance: name.to_owned() }).await;
        self.answered_about(name, answer).await
    }
}

/// An address at which this machine reaches what listens on `address`.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The full name that `text` stands for.
pub(crate) fn full_name(text: &str) -> Result<String, Failure> {
    text.parse::<InstanceName>().map(|name| name.to_string()).or_exit(Exit::BadInput)
}

/// The token from `file`, else from the environment.
pub(crate) fn token(file: Option<&Path>) -> Result<Option<Token>, Failure> {
    if let Some(path) = file {
        return Token::read(path).map(Some).or_exit(Exit::BadInput);
    }
    match std::env::var(TOKEN_VARIABLE) {
        Ok(text) if !text.is_empty() => Token::new(&text, TOKEN_VARIABLE).map(Some).or_exit(Exit::BadInput),
        _ => Ok(None),
    }
}

fn exit_of(status: &Status) -> Exit {
    match Code::of(status) {
        Some(Code::Unauthenticated) => Exit::Credentials,
        Some(Code::VersionMismatch) => Exit::Versions,
        Some(Code::UnknownInstance | Code::UnknownWorker | Code::BadInput) => Exit::BadInput,
        Some(Code::StoreUnavailable | Code::Overloaded | Code::ShuttingDown) => Exit::Unreachable,
        Some(Code::SessionUnknown | Code::SessionFenced | Code::WrongEpoch | Code::SetAside | Code::Internal) => {
            Exit::Internal
        }
        None => match status.code() {
            GrpcCode::Unauthenticated | GrpcCode::PermissionDenied => Exit::Credentials,
            GrpcCode::Unimplemented => Exit::Versions,
            GrpcCode::InvalidArgument | GrpcCode::NotFound | GrpcCode::OutOfRange => Exit::BadInput,
            GrpcCode::Internal | GrpcCode::DataLoss => Exit::Internal,
            _ => Exit::Unreachable,
        },
    }
}

/// The cause at the bottom of `error`: the transport's own words say only that there is one.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_leads_to_its_exit() {
        for (code, exit) in [
            (Code::Unauthenticated, Exit::Credentials),
            (Code::VersionMismatch, Exit::Versions),
            (Code::UnknownInstance, Exit::BadInput),
            (Code::StoreUnavailable, Exit::Unreachable),
            (Code::Internal, Exit::Internal),
        ] {
            assert_eq!(exit_of(&code.status("words")), exit);
        }
        assert_eq!(exit_of(&Status::unimplemented("no such call")), Exit::Versions);
        assert_eq!(exit_of(&Status::unavailable("connection lost")), Exit::Unreachable);
    }

    #[test]
    fn the_address_file_of_the_data_directory_is_used_unless_an_address_is_given() {
        let data = tempfile::tempdir().expect("a directory");
        let mut options = ConnectionOptions { data: Some(data.path().to_owned()), ..ConnectionOptions::default() };
        assert_eq!(Address::find(&options).text, USUAL_ADDRESS);
        std::fs::write(data.path().join(ADDRESS_FILE), "127.0.0.1:4321\n").expect("written");
        assert_eq!(Address::find(&options).text, "127.0.0.1:4321");
        std::fs::write(data.path().join(ADDRESS_FILE), "0.0.0.0:4321\n").expect("written");
        assert_eq!(Address::find(&options).text, "127.0.0.1:4321");
        options.coordinator = Some("farm:1".into());
        assert_eq!(Address::find(&options).text, "farm:1");
    }
}
