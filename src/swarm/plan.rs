//! What the instances of a swarm are, as data: the program, the question, and a formula that says what instance N is.

use crate::check::{CheckOptions, EngineChoice, Externals};
use crate::il::DataModel;
use crate::isolate::Normalized;
use crate::limit::BoundingOptions;
use crate::property::{ErrorKind, MemoryModel, Property};
use crate::restriction::{Cubes, Restriction, random_tiles};
use crate::sequentialize::{Schema, backend};
use crate::solve::sat::{Effort, Preset};
use crate::verdict::Bounds;
use crate::witness::trace::{data_model_name, fingerprint};
use crate::{ReadError, budget::Budget};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: &str = "unthread-swarm";
/// Changes whenever plans or results do.
const VERSION: u32 = 3;

const PLAN: &str = "plan.json";
const PROGRAM: &str = "program.i";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    format: String,
    version: u32,
    /// Of unthread: another one may number the steps in another way.
    unthread: String,
    /// The user's file, the preprocessed text of which lies beside the plan.
    pub file: String,
    fingerprint: String,
    data_model: String,
    kinds: Vec<ErrorKind>,
    pub bounds: Bounds,
    unwind_loops: Vec<(u32, u32)>,
    threads: u32,
    order: Vec<usize>,
    externals_are_pure: bool,
    memory_model: MemoryModel,
    /// Who decides: a verifier and its command; none is the embedded engine.
    verifier: Option<(String, String)>,
    pub scheme: Scheme,
    /// Taken in turn by the instances.
    presets: Vec<Preset>,
    pub conflicts: u32,
    /// All instances are done, whether some fail or not.
    pub keep_going: bool,
    /// Of all the rest: with other numbers the instances might not be all interleavings any more.
    checksum: String,
}

/// How the interleavings are split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Scheme {
    /// A partition: together the instances are all interleavings.
    Cubes(Cubes),
    /// Some tiles for each thread, at random.
    Tiles { steps: Vec<u32>, size: u32, selections: u32, instances: u64, seed: u64 },
}

/// One instance: which of the plan, which part of it, and how hard it is tried.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    pub index: u64,
    /// A letter for each time that it was divided.
    pub path: String,
    pub conflicts: u32,
}

/// What a plan is made of beside the options of a search.
pub struct Shape {
    pub scheme: Scheme,
    pub presets: Vec<Preset>,
    pub conflicts: u32,
    pub keep_going: bool,
}

/// What is not finished is divided so often, and its parts may make so many more conflicts.
const DIVIDED: &[&str] = &["00", "01", "10", "11"];
const MORE_CONFLICTS: u32 = 2;

impl Plan {
    pub fn new(program: &Normalized, options: &CheckOptions, bounds: Bounds, shape: Shape) -> Plan {
        let plan = Plan {
            format: FORMAT.to_owned(),
            version: VERSION,
            unthread: env!("CARGO_PKG_VERSION").to_owned(),
            file: program.source.name.clone(),
            fingerprint: fingerprint(program),
            data_model: data_model_name(program.types.model).to_owned(),
            kinds: options.property.kinds().to_vec(),
            bounds,
            unwind_loops: options.bounding.unwind_loops.clone(),
            threads: options.bounding.threads,
            order: options.order.clone(),
            externals_are_pure: options.externals == Externals::Pure,
            memory_model: options.memory_model,
            verifier: match &options.engine {
                EngineChoice::Verifier { backend, command, .. } => Some((backend.name.to_owned(), command.clone())),
                EngineChoice::Embedded | EngineChoice::Sequential(_) => None,
            },
            scheme: shape.scheme,
            presets: shape.presets,
            conflicts: shape.conflicts,
            keep_going: shape.keep_going,
            checksum: String::new(),
        };
        Plan { checksum: plan.name(), ..plan }
    }

    /// Writes the plan to a folder that has none.
    pub fn write(&self, folder: &Path, program: &Normalized) -> Result<(), String> {
        let fault = |error: std::io::Error| format!("cannot write the plan to {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(fault)?;
        if folder.join(PLAN).exists() {
            return Err(format!("{} has a plan already; --resume goes on with it", folder.display()));
        }
        std::fs::write(folder.join(PROGRAM), &program.source.text).map_err(fault)?;
        let text = serde_json::to_string_pretty(self).expect("a plan is plain data");
        super::results::put(folder, PLAN, &text).map_err(fault)
    }

    pub fn read(folder: &Path) -> Result<Plan, String> {
        let file = folder.join(PLAN);
        let text = std::fs::read_to_string(&file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("{} has no plan of `unthread swarm`", folder.display()),
            _ => format!("{} cannot be read: {error}", file.display()),
        })?;
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
            version: Option<u32>,
            unthread: Option<String>,
        }
        let damaged = |error| format!("{} is damaged ({error})", file.display());
        let head: Head = serde_json::from_str(&text).map_err(damaged)?;
        let ours = (Some(FORMAT), Some(VERSION), Some(env!("CARGO_PKG_VERSION")));
        if (head.format.as_deref(), head.version, head.unthread.as_deref()) != ours {
            let made = head.unthread.unwrap_or_else(|| "something else".to_owned());
            return Err(format!(
                "{} was made by another version of unthread ({made}); this is {}",
                file.display(),
                env!("CARGO_PKG_VERSION")
            ));
        }
        let plan: Plan = serde_json::from_str(&text).map_err(damaged)?;
        if plan.checksum != plan.name() {
            return Err(format!("{} was changed; make another plan with `unthread swarm --plan`", file.display()));
        }
        Ok(plan)
    }

    /// Reads the program that lies beside the plan.
    pub fn program(&self, folder: &Path) -> Result<Normalized, String> {
        let file = folder.join(PROGRAM);
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        let read = crate::read(&self.file, text, self.data_model()).map_err(|error| {
            let ReadError { diagnostic, source } = *error;
            format!("{} is damaged: {}", file.display(), diagnostic.render(Some(&source)))
        })?;
        let program = crate::normalize(read.program).under(self.memory_model);
        if fingerprint(&program) != self.fingerprint {
            return Err(format!("{} is not the program of the plan", file.display()));
        }
        Ok(program)
    }

    pub fn data_model(&self) -> DataModel {
        let models = [DataModel::Ilp32, DataModel::Lp64];
        models.into_iter().find(|model| data_model_name(*model) == self.data_model).unwrap_or(DataModel::Lp64)
    }

    /// The same plan has the same name everywhere.
    pub fn name(&self) -> String {
        let rest = Plan { checksum: String::new(), ..self.clone() };
        format!("{:016x}", super::results::checksum(&serde_json::to_string(&rest).expect("a plan is plain data")))
    }

    /// The question that all instances are parts of.
    pub fn options(&self, compiler: &str, budget: Budget) -> CheckOptions {
        let engine = self.verifier.as_ref().and_then(|(name, command)| {
            let backend = backend::find(name)?;
            Some(EngineChoice::Verifier { schema: Schema::Lazy, backend, command: command.clone() })
        });
        CheckOptions {
            engine: engine.unwrap_or(EngineChoice::Embedded),
            property: Property::new(self.kinds.iter().copied()),
            unwind: Some(self.bounds.unwind),
            unwind_max: Some(self.bounds.unwind_max),
            rounds: Some(self.bounds.rounds),
            order: self.order.clone(),
            dimacs: None,
            compiler: compiler.to_owned(),
            bounding: BoundingOptions {
                unwind_loops: self.unwind_loops.clone(),
                threads: self.threads,
                ..BoundingOptions::default()
            },
            externals: if self.externals_are_pure { Externals::Pure } else { Externals::Unknown },
            memory_model: self.memory_model,
            keep_going: false,
            jobs: 1,
            proving: false,
            budget,
        }
    }

    pub fn steps(&self) -> &[u32] {
        match &self.scheme {
            Scheme::Cubes(cubes) => &cubes.steps,
            Scheme::Tiles { steps, .. } => steps,
        }
    }

    /// How many instances there are at first.
    pub fn count(&self) -> u64 {
        match &self.scheme {
            Scheme::Cubes(cubes) => cubes.count(),
            Scheme::Tiles { instances, .. } => *instances,
        }
    }

    pub fn covers_all(&self) -> bool {
        matches!(self.scheme, Scheme::Cubes(_))
    }

    pub fn restriction(&self, instance: &Instance) -> Option<Restriction> {
        match &self.scheme {
            Scheme::Cubes(cubes) => cubes.restriction(instance.index, &instance.path),
            Scheme::Tiles { steps, size, selections, seed, .. } => {
                Some(random_tiles(steps, *size, *selections, *seed, instance.index))
            }
        }
    }

    pub fn effort(&self, instance: &Instance) -> Effort {
        let turn = instance.index % self.presets.len().max(1) as u64;
        let preset = self.presets.get(turn as usize).copied().unwrap_or_default();
        Effort { preset, seed: 0, conflicts: Some(instance.conflicts) }
    }

    /// The part of all interleavings that an instance is, by the numbers of the plan.
    pub fn share(&self, instance: &Instance) -> f64 {
        0.5f64.powi(instance.path.len() as i32) / self.count() as f64
    }

    /// An instance that was not finished becomes these; none if it cannot be divided, and tiles are not.
    pub fn divided(&self, instance: &Instance) -> Vec<Instance> {
        if !self.covers_all() {
            return Vec::new();
        }
        let conflicts = instance.conflicts.saturating_mul(MORE_CONFLICTS);
        let part =
            |letters: &str| Instance { index: instance.index, path: format!("{}{letters}", instance.path), conflicts };
        let parts: Vec<Instance> = DIVIDED.iter().map(|letters| part(letters)).collect();
        if parts.iter().all(|part| self.restriction(part).is_some()) {
            return parts;
        }
        // What cannot be divided gets more.
        vec![Instance { conflicts: conflicts.saturating_mul(MORE_CONFLICTS), ..instance.clone() }]
    }
}

/// The instances of one wave: at first all of the plan, then the parts of what was not finished.
pub enum Wave {
    First { count: u64, conflicts: u32 },
    Parts(Vec<Instance>),
}

impl Wave {
    pub fn read(folder: &Path, plan: &Plan, number: u32) -> Result<Wave, String> {
        if number == 0 {
            return Ok(Wave::First { count: plan.count(), conflicts: plan.conflicts });
        }
        let file = folder.join(wave_file(number));
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        let parts = super::results::unsealed(&text).and_then(|text| serde_json::from_str(text).ok());
        let parts =
            parts.ok_or_else(|| format!("{} is damaged; without it that wave is made again", file.display()))?;
        Ok(Wave::Parts(parts))
    }

    pub fn exists(folder: &Path, number: u32) -> bool {
        number == 0 || folder.join(wave_file(number)).exists()
    }

    /// Of two controllers, the first decides what the wave is.
    pub fn write(folder: &Path, number: u32, parts: &[Instance]) -> std::io::Result<()> {
        let text = serde_json::to_string(parts).expect("instances are plain data");
        super::results::put(folder, &wave_file(number), &super::results::sealed(&text))
    }

    pub fn count(&self) -> u64 {
        match self {
            Wave::First { count, .. } => *count,
            Wave::Parts(parts) => parts.len() as u64,
        }
    }

    pub fn instance(&self, number: u64) -> Option<Instance> {
        match self {
            Wave::First { count, conflicts } if number < *count => {
                Some(Instance { index: number, path: String::new(), conflicts: *conflicts })
            }
            Wave::First { .. } => None,
            Wave::Parts(parts) => parts.get(usize::try_from(number).ok()?).cloned(),
        }
    }
}

fn wave_file(number: u32) -> String {
    format!("wave-{number}")
}
