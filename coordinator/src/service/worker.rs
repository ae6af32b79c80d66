//! What workers call.

use super::status::{bad_input, unanswered, unexpected};
use super::wire;
use crate::core::{
    Ending, Finish, Heartbeat, HeartbeatReply, Hello, Improvement, Outcome, Progress, Reply, Report, Request, Verdict,
    Wait, Welcome,
};
use crate::server::Services;
use crate::start::SOFTWARE;
use cascade_proto::convert::{ConvertError, from_wire_duration, required, to_wire_duration};
use cascade_proto::v1;
use cascade_proto::v1::worker_service_server::WorkerService;
use tonic::{Request as Call, Response, Status};

/// The longest name of a worker, in characters.
const LONGEST_NAME: usize = 100;

/// The workers' service.
pub(crate) struct WorkerApi(Services);

type Answer<T> = Result<Response<T>, Status>;

impl WorkerApi {
    pub(crate) const fn new(services: Services) -> Self {
        Self(services)
    }

    async fn ask(&self, request: Result<Request, ConvertError>) -> Result<Reply, Status> {
        let request = request.map_err(|error| bad_input(&error))?;
        self.0.core.ask(request).await.map_err(|error| unanswered(&error))
    }
}

#[tonic::async_trait]
impl WorkerService for WorkerApi {
    async fn hello(&self, call: Call<v1::HelloRequest>) -> Answer<v1::HelloResponse> {
        match self.ask(hello(call.into_inner()).map(Request::Hello)).await? {
            Reply::Welcome(welcome) => Ok(Response::new(welcome_of(welcome))),
            other => Err(unexpected(&other)),
        }
    }

    async fn lease(&self, call: Call<v1::LeaseRequest>) -> Answer<v1::LeaseResponse> {
        let call = call.into_inner();
        let outcome = match self.ask(Ok(Request::Lease(wire::session(call.session, call.epoch)))).await? {
            Reply::Granted(grant) => v1::lease_response::Outcome::Lease(wire::grant(*grant)),
            Reply::Wait(Wait { retry_after, reason, drain }) => v1::lease_response::Outcome::Wait(v1::Wait {
                retry_after: Some(to_wire_duration(retry_after)),
                reason,
                drain,
            }),
            other => return Err(unexpected(&other)),
        };
        Ok(Response::new(v1::LeaseResponse { outcome: Some(outcome) }))
    }

    async fn heartbeat(&self, call: Call<v1::HeartbeatRequest>) -> Answer<v1::HeartbeatResponse> {
        match self.ask(heartbeat(call.into_inner()).map(Request::Heartbeat)).await? {
            Reply::Heartbeat(HeartbeatReply { drop, drain, bests }) => Ok(Response::new(v1::HeartbeatResponse {
                drop: drop.into_iter().map(wire::lease_id).collect(),
                drain,
                bests: bests
                    .into_iter()
                    .map(|(lease, score)| v1::BestScore { lease: Some(wire::lease_id(lease)), score })
                    .collect(),
            })),
            other => Err(unexpected(&other)),
        }
    }

    async fn report(&self, call: Call<v1::ReportRequest>) -> Answer<v1::ReportResponse> {
        match self.ask(report(call.into_inner()).map(Request::Report)).await? {
            Reply::Verdicts(verdicts) => {
                Ok(Response::new(v1::ReportResponse { verdicts: verdicts.into_iter().map(verdict).collect() }))
            }
            other => Err(unexpected(&other)),
        }
    }

    async fn finish(&self, call: Call<v1::FinishRequest>) -> Answer<v1::FinishResponse> {
        let call = call.into_inner();
        let session = wire::session(call.session, call.epoch);
        match self.ask(finish(call).map(|finish| Request::Finish(session, finish))).await? {
            Reply::Finished { counted } => Ok(Response::new(v1::FinishResponse { counted })),
            other => Err(unexpected(&other)),
        }
    }

    async fn goodbye(&self, call: Call<v1::GoodbyeRequest>) -> Answer<v1::GoodbyeResponse> {
        let call = call.into_inner();
        let session = wire::session(call.session, call.epoch);
        let unfinished: Result<Vec<Finish>, ConvertError> = call.unfinished.into_iter().map(finish).collect();
        match self.ask(unfinished.map(|unfinished| Request::Goodbye(session, unfinished))).await? {
            Reply::Done => Ok(Response::new(v1::GoodbyeResponse {})),
            other => Err(unexpected(&other)),
        }
    }
}

fn hello(call: v1::HelloRequest) -> Result<Hello, ConvertError> {
    let length = call.worker.chars().count();
    if length == 0 || length > LONGEST_NAME || call.worker.chars().any(char::is_control) {
        let reason = format!(
            "found {length} characters ({}), expected a name of 1 to {LONGEST_NAME} printable ones",
            call.worker.chars().take(20).flat_map(char::escape_debug).collect::<String>()
        );
        return Err(ConvertError::Invalid { field: "worker", reason });
    }
    Ok(Hello {
        worker: call.worker,
        versions: wire::versions_of(required(call.versions, "versions")?),
        threads: call.threads,
        held: call.held.into_iter().map(wire::lease_of).collect(),
        speed: wire::speed_of(call.speed)?,
    })
}

fn welcome_of(welcome: Welcome) -> v1::HelloResponse {
    v1::HelloResponse {
        epoch: welcome.epoch.0,
        session: welcome.session.0,
        protocol: welcome.protocol,
        heartbeat_interval: Some(to_wire_duration(welcome.heartbeat_interval)),
        silence_limit: Some(to_wire_duration(welcome.silence_limit)),
        held: welcome
            .held
            .into_iter()
            .map(|(lease, keep)| v1::HeldVerdict { lease: Some(wire::lease_id(lease)), keep })
            .collect(),
        coordinator_software: SOFTWARE.to_owned(),
    }
}

fn heartbeat(call: v1::HeartbeatRequest) -> Result<Heartbeat, ConvertError> {
    let progress = |held: v1::LeaseProgress| {
        let lease = wire::lease_of(required(held.lease, "leases.lease")?);
        Ok(Progress { lease, expansions: held.expansions })
    };
    let leases = call.leases.into_iter().map(progress).collect::<Result<_, _>>()?;
    Ok(Heartbeat { session: wire::session(call.session, call.epoch), leases })
}

fn report(call: v1::ReportRequest) -> Result<Report, ConvertError> {
    let improvements = call.improvements.into_iter().map(improvement).collect::<Result<_, _>>()?;
    Ok(Report { session: wire::session(call.session, call.epoch), improvements })
}

fn improvement(sent: v1::Improvement) -> Result<Improvement, ConvertError> {
    let (instance, digest) = required(sent.instance, "improvements.instance")?.parse()?;
    Ok(Improvement {
        report_id: sent.report_id,
        instance,
        digest,
        lease: sent.lease.map(wire::lease_of),
        plan: wire::plan_of(required(sent.plan, "improvements.plan")?)?,
        moves: wire::moves(sent.sequence, "improvements.sequence")?,
        score: sent.score,
    })
}

fn verdict(verdict: Verdict) -> v1::ReportVerdict {
    use v1::report_verdict::Outcome as Wire;
    let outcome = match verdict.outcome {
        Outcome::NewBest => Wire::NewBest,
        Outcome::NotBetter => Wire::NotBetter,
        Outcome::Refused => Wire::Refused,
        Outcome::UnknownInstance => Wire::UnknownInstance,
    };
    v1::ReportVerdict {
        report_id: verdict.report_id,
        outcome: outcome.into(),
        reason: verdict.reason,
        best_score: verdict.best_score,
    }
}

fn finish(call: v1::FinishRequest) -> Result<Finish, ConvertError> {
    use v1::finish_request::Ending as Wire;
    let ending = match call.ending() {
        Wire::Done => Ending::Done,
        Wire::Returned => Ending::Returned,
        Wire::Failed => Ending::Failed(call.failure),
        Wire::Unspecified => return Err(ConvertError::Missing("ending")),
    };
    Ok(Finish {
        lease: wire::lease_of(required(call.lease, "lease")?),
        ending,
        expansions: call.expansions,
        elapsed: from_wire_duration(&call.elapsed.unwrap_or_default(), "elapsed")?,
        best_found: call.best_found,
        exhausted: call.exhausted,
        proved_bound: call.proved_bound,
        dearest_run: call.dearest_run,
        promising: call.promising.into_iter().map(|sequence| sequence.moves).collect(),
        trace: call.trace,
    })
}
