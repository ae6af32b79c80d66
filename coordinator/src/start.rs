//! How a coordinator starts and stops.

use crate::access::{Access, AccessError};
use crate::best_files::BestFiles;
use crate::bests::Bests;
use crate::config::Config;
use crate::core::{Core, CoreConfig, Import, Reply, Request, Versions};
use crate::data_dir::{DataDir, DataDirError};
use crate::hook;
use crate::instances::{self, InstancesError};
use crate::metrics::Metrics;
use crate::records::RECORDS;
use crate::server::{Server, Services};
use crate::shell::{self, CoreHandle, Shell};
use crate::store::sqlite::SqliteStore;
use crate::store::writer::Writer;
use crate::store::{Store, StoreError};
use crate::web;
use cascade_proto::version::{PROTOCOL_MAX, PROTOCOL_MIN, RULES};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// What this program calls itself.
pub(crate) const SOFTWARE: &str = concat!("cascade-coordinator ", env!("CARGO_PKG_VERSION"));

/// How long open calls may take to end after the stop began.
const CALLS_DEADLINE: Duration = Duration::from_secs(3);
/// How long answers to viewers may take after that.
const PAGE_DEADLINE: Duration = Duration::from_millis(200);
/// How long the last commits may take after that.
const COMMITS_DEADLINE: Duration = Duration::from_secs(2);

/// A coordinator that serves.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    page: Option<SocketAddr>,
    shutdown: CancellationToken,
    server: JoinHandle<Result<(), tonic::transport::Error>>,
    web: Option<JoinHandle<io::Result<()>>>,
    core: JoinHandle<()>,
    stop_core: CancellationToken,
    // Locked until everything else has ended.
    data: DataDir,
}

/// A coordinator cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings would let everyone in, or the token cannot be used.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The data directory cannot be used.
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    /// A file of instances is not as it should be.
    #[error(transparent)]
    Instances(#[from] InstancesError),
    /// The store cannot be opened or read.
    #[error("the store in {path} cannot be used: {source}")]
    Store {
        /// The data directory.
        path: std::path::PathBuf,
        /// Why.
        source: StoreError,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// A setting names no origin.
    #[error(transparent)]
    Origin(#[from] web::OriginError),
    /// The page cannot be served there.
    #[error("cannot serve the page on {address}: {source}; give another address by --web, or --no-web")]
    Web {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The system gives no threads.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The services cannot be put together.
    #[error("cannot put the services together: {0}")]
    Services(#[from] tonic_reflection::server::Error),
}

impl StartError {
    /// Whether other settings would do, rather than other files.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Access(_)
                | Self::Origin(_)
                | Self::Listen { .. }
                | Self::Web { .. }
                | Self::DataDir(DataDirError::InUse { .. })
        )
    }
}

/// A coordinator ended that should not have.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The server failed.
    #[error("the server ended: {0}")]
    Server(String),
    /// The core's task failed.
    #[error("the core ended by a fault of the program; everything that was acknowledged is in the store")]
    Core,
}

/// Starts a coordinator: locks the data directory, loads instances and store, and serves until `shutdown` is cancelled.
///
/// # Errors
/// When the settings, the files or the system do not allow it.
pub async fn start(config: Config, shutdown: CancellationToken) -> Result<Running, StartError> {
    let access = Access::new(&config)?;
    let origins = web::origins(&config.web_origins)?;
    let mut data = DataDir::open(&config.data)?;
    let catalog = instances::load(&config.instances)?;
    let in_store = |source| StartError::Store { path: config.data.clone(), source };
    let mut store = SqliteStore::open(&data.store_file()).map_err(in_store)?;
    let archive = store.archive().map_err(in_store)?;
    let served = instances::distinct(&catalog);
    let epoch = store.begin_epoch(&served).map_err(in_store)?;
    let restored = store.load(epoch, served).map_err(in_store)?;
    tracing::info!(
        %epoch,
        instances = restored.instances.len(),
        bests = restored.bests.len(),
        partial_states = restored.states.len(),
        "{}",
        if epoch.0 == 1 { "starting on an empty store" } else { "going on from the store" },
    );
    let import_records = restored.bests.is_empty() && !config.no_records;

    let bests = Arc::new(Bests::new());
    restored.instances.iter().for_each(|instance| bests.add_instance(instance));
    let started = Instant::now();
    let core_config = CoreConfig::new(versions());
    let tick_interval = core_config.tick_interval;
    let (core, effects) = Core::restore(restored, core_config, shell::now(started));
    let (outcome_sender, outcomes) = mpsc::unbounded_channel();
    let writer = Writer::start(Box::new(store), outcome_sender).map_err(StartError::Thread)?;
    let files = BestFiles::start(data.best_dir()).map_err(StartError::Thread)?;
    let metrics = Arc::new(Metrics::new());
    let shell = Shell::new(core, effects, started, writer, bests.clone(), files, metrics.clone());
    let (handle, queue) = CoreHandle::new();
    let stop_core = CancellationToken::new();
    let core = tokio::spawn(shell.run(queue, outcomes, tick_interval, stop_core.clone()));
    if import_records {
        import(&handle).await;
    }

    let address = config.listen;
    let listen_error = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(listen_error)?;
    let address = listener.local_addr().map_err(listen_error)?;
    if !config.on_best.is_empty() {
        let hook = hook::run_for_each(config.on_best.clone(), bests.clone());
        tokio::spawn(shutdown.clone().run_until_cancelled_owned(hook));
    }
    let web_listener = match config.web_address() {
        None => None,
        Some(address) => {
            let web_error = |source| StartError::Web { address, source };
            let listener = TcpListener::bind(address).await.map_err(web_error)?;
            let address = listener.local_addr().map_err(web_error)?;
            Some((listener, address))
        }
    };
    let page = web_listener.as_ref().map(|(_, address)| *address);
    let services = Services {
        core: handle,
        bests,
        archive: Arc::new(archive),
        catalog: Arc::new(catalog),
        page: page.map(|address| format!("http://{address}").into()),
        shutdown: shutdown.clone(),
    };
    let server = Server::new(services.clone(), access.clone())?;
    let server = tokio::spawn(server.serve(listener, shutdown.clone()));
    let web = web_listener.map(|(listener, _)| {
        let router = web::router(services, access, metrics, origins);
        tokio::spawn(web::serve(router, listener, shutdown.clone()))
    });
    data.write_address(address)?;
    tracing::info!(%address, page = page.map(tracing::field::display), "serving");
    Ok(Running { address, page, shutdown, server, web, core, stop_core, data })
}

/// What this build speaks.
fn versions() -> Versions {
    Versions { protocol_min: PROTOCOL_MIN, protocol_max: PROTOCOL_MAX, rules: RULES, software: SOFTWARE.to_owned() }
}

/// Gives an empty store the sequences that ship with the program. Each is judged; one that fails is only missed.
async fn import(core: &CoreHandle) {
    let mut imported = 0;
    for (name, text) in RECORDS {
        let Ok(instance) = name.parse() else {
            tracing::warn!("the shipped record {name} names no instance");
            continue;
        };
        let import = Import { instance, text: (*text).to_owned(), source: "record".to_owned() };
        match core.ask(Request::Import(import)).await {
            Ok(Reply::Imported(_)) => imported += 1,
            Ok(_) => {}
            Err(error) => tracing::warn!("the shipped record of {name} is left out: {error}"),
        }
    }
    if imported > 0 {
        tracing::info!("{imported} shipped record sequences are judged and kept; --no-records leaves them out");
    }
}

impl Running {
    /// Where this coordinator listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where the page is served, if it is.
    #[must_use]
    pub const fn page(&self) -> Option<SocketAddr> {
        self.page
    }

    /// Serves until the shutdown is asked for, then lets open calls and commits end, five seconds at most.
    ///
    /// # Errors
    /// When the coordinator ended by itself.
    pub async fn wait(mut self) -> Result<(), RunError> {
        let result = tokio::select! {
            biased; // the server ends by the shutdown, too
            () = self.shutdown.cancelled() => Ok(()),
            ended = &mut self.server => Err(RunError::Server(match ended {
                Ok(Ok(())) => "without being asked".to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(error) => error.to_string(),
            })),
            _ = &mut self.core => Err(RunError::Core),
        };
        self.shutdown.cancel();
        let page = self.web.take();
        if !self.server.is_finished() && timeout(CALLS_DEADLINE, &mut self.server).await.is_err() {
            tracing::warn!("calls are still open after {CALLS_DEADLINE:?}: closing them");
            self.server.abort();
        }
        if let Some(mut page) = page
            && timeout(PAGE_DEADLINE, &mut page).await.is_err()
        {
            page.abort();
        }
        self.stop_core.cancel();
        if !self.core.is_finished() && timeout(COMMITS_DEADLINE, &mut self.core).await.is_err() {
            tracing::warn!("commits are still under way after {COMMITS_DEADLINE:?}; none of them was acknowledged");
            self.core.abort();
        }
        drop(self.data);
        result
    }
}
