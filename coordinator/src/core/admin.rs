//! What operators change. Nothing takes effect, nor is answered, before it is durable.

use super::Core;
use super::change::{Change, InstanceRecord, SettingsRecord};
use super::commit::Then;
use super::effect::{Refusal, Reply};
use super::id::ReplyId;
use super::instance::Entry;
use super::journal::Line;
use cascade_games::{Digest, Instance, InstanceName};
use std::collections::BTreeSet;

/// The highest priority.
const HIGHEST_PRIORITY: u32 = 10_000;

impl Core {
    pub(super) fn add_instances(&mut self, reply: ReplyId, instances: Vec<Instance>) {
        let mut taken: Vec<(&InstanceName, Digest)> = Vec::new();
        for instance in &instances {
            let name = &instance.name;
            let digest = instance.puzzle().digest();
            let on_their_way = self.being_added.iter().map(|(name, &digest)| (name, digest));
            let mut coming = on_their_way.chain(taken.iter().copied());
            let same_content = self.by_digest.get(&digest).map(|&at| self.instances[at].name());
            let refusal = match self.by_name.get(name).map(|&at| &self.instances[at]) {
                Some(known) if known.digest == digest => Some(format!("{name} is there already, with this content")),
                Some(_) => Some(format!("{name} is there already, with other content: choose another name")),
                None => coming.find(|&(other, content)| other == name || content == digest).map_or_else(
                    || same_content.map(|other| format!("{name} has the content of {other}, which is there already")),
                    |(other, _)| Some(format!("{name} is given twice, or has the content of {other}")),
                ),
            };
            if let Some(refusal) = refusal {
                return self.answer(reply, Err(Refusal::BadInput(refusal)));
            }
            taken.push((name, digest));
        }
        if instances.is_empty() {
            let refusal = Refusal::BadInput("there is no instance in it".to_owned());
            return self.answer(reply, Err(refusal));
        }
        for instance in &instances {
            let puzzle = instance.puzzle();
            self.being_added.insert(instance.name.clone(), puzzle.digest());
            self.commits.stage(Change::InstanceAdded(InstanceRecord {
                name: instance.name.clone(),
                digest: puzzle.digest(),
                content: puzzle.content().to_owned(),
                origin: instance.origin.clone(),
            }));
        }
        self.commits.then(Then::Add(instances.clone()));
        self.commits.answer_after(reply, Reply::Added(instances), BTreeSet::new());
    }

    pub(super) fn apply_added(&mut self, instances: Vec<Instance>) {
        for instance in instances {
            self.being_added.remove(&instance.name);
            let name = instance.name.clone();
            self.insert_instance(instance);
            self.log(Line::info("instance-added", "an operator added it").of(&name));
        }
    }

    /// Adds an instance that has no history. Instances keep their index for as long as the core lives.
    pub(super) fn insert_instance(&mut self, instance: Instance) -> usize {
        let at = self.instances.len();
        let game = instance.game.id();
        let place = self.instances.iter().filter(|entry| entry.instance.game.id() == game).count();
        let entry = Entry::new(instance, place, self.config.states_per_instance);
        self.by_name.insert(entry.name().clone(), at);
        self.by_digest.insert(entry.digest, at);
        self.instances.push(entry);
        self.tell_bound(at);
        at
    }

    pub(super) fn set_priority(&mut self, reply: ReplyId, name: &InstanceName, priority: u32) {
        let at = match self.find(name) {
            Ok(at) => at,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        if priority > HIGHEST_PRIORITY {
            let refusal = format!("found priority {priority}, expected 0 (never) to {HIGHEST_PRIORITY}; 100 is usual");
            return self.answer(reply, Err(Refusal::BadInput(refusal)));
        }
        let wanted = SettingsRecord { priority, ..self.instances[at].wanted.clone() };
        self.stage_settings(reply, at, wanted);
    }

    pub(super) fn set_paused(&mut self, reply: ReplyId, name: Option<&InstanceName>, paused: bool) {
        let Some(name) = name else {
            self.commits.stage(Change::FarmPaused(paused));
            self.commits.then(Then::FarmPaused(paused));
            return self.commits.answer_after(reply, Reply::Done, BTreeSet::new());
        };
        match self.find(name) {
            Ok(at) => {
                let wanted = SettingsRecord { paused, ..self.instances[at].wanted.clone() };
                self.stage_settings(reply, at, wanted);
            }
            Err(refusal) => self.answer(reply, Err(refusal)),
        }
    }

    fn stage_settings(&mut self, reply: ReplyId, at: usize, wanted: SettingsRecord) {
        self.instances[at].wanted = wanted.clone();
        self.commits.stage(Change::Settings(wanted.clone()));
        self.commits.then(Then::Settings(at, wanted));
        self.commits.answer_after(reply, Reply::Done, BTreeSet::new());
    }

    pub(super) fn apply_settings(&mut self, at: usize, settings: SettingsRecord) {
        let entry = &mut self.instances[at];
        let before = std::mem::replace(&mut entry.settings, settings);
        let name = entry.name().clone();
        let now = entry.settings.clone();
        if before.priority != now.priority {
            let detail = format!("an operator set it to {}, {} before", now.priority, before.priority);
            self.log(Line::info("priority", detail).of(&name));
        }
        if before.paused != now.paused {
            let (kind, detail) = match now.paused {
                true => ("paused", "an operator paused it"),
                false => ("resumed", "an operator resumed it"),
            };
            self.log(Line::info(kind, detail).of(&name));
        }
    }

    pub(super) fn apply_farm_paused(&mut self, paused: bool) {
        self.farm_paused = paused;
        let (kind, detail) = match paused {
            true => ("farm-paused", "an operator paused the whole farm"),
            false => ("farm-resumed", "an operator resumed the whole farm"),
        };
        self.log(Line::info(kind, detail));
    }

    pub(super) fn drain(&mut self, reply: ReplyId, name: String) {
        let Some(worker) = self.workers.get_mut(&name) else {
            return self.answer(reply, Err(Refusal::UnknownWorker(name)));
        };
        worker.drain_wanted = true;
        self.dirty_workers.insert(name.clone());
        self.commits.then(Then::Drain(name));
        self.commits.answer_after(reply, Reply::Done, BTreeSet::new());
    }

    pub(super) fn apply_drain(&mut self, name: &str) {
        if let Some(worker) = self.workers.get_mut(name) {
            worker.record.draining = true;
            worker.drain_wanted = false;
            self.dirty_workers.insert(name.to_owned());
            self.log(Line::info("drain", "an operator asks it to finish what it holds and stop").by(name));
        }
    }
}
