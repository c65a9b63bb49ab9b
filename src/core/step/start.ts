import { advance } from './advance.ts';
import { applyFact } from '../fold/apply.ts';
import type { OpenedContext, RunStarted } from '../record/fact.ts';
import type { ApartBeginning } from './apart-beginning.ts';
import type { ProjectFiles, ProjectOrigin } from '../record/files-fact.ts';
import type { BodyHash, RunId } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';
import { armDuration } from '../model/limits.ts';
import { StepProgress } from './progress.ts';
import type { ProjectBrief } from '../model/project-brief.ts';
import type { Definition } from '../model/definition.ts';
import type { RunTerms } from '../model/run-terms.ts';
import type { Step } from './step.ts';
import type { ContextSpec, Limits, Workflow } from '../model/workflow.ts';

export interface Beginning {
  readonly run: RunId;
  readonly parent: RunId | null;
  readonly engine: string;
  readonly definitionHash: BodyHash;
  readonly input: JsonObject;
  readonly limits: Partial<Limits>;
  readonly project: string;
  readonly at: number;
  readonly files?: ProjectFiles | undefined;
  readonly origin?: ProjectOrigin | undefined;
  readonly workspace?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly brief?: ProjectBrief | undefined;
  readonly terms?: RunTerms | undefined;
  readonly isOffered?: RunStarted['isOffered'] | undefined;
  readonly needs?: RunStarted['needs'] | undefined;
  readonly priority?: RunStarted['priority'] | undefined;
  readonly slot?: RunStarted['slot'] | undefined;
  readonly tools?: BodyHash | undefined;
  readonly unusable?: readonly string[] | undefined;
  readonly turn?: ApartBeginning | undefined;
}

/** The first step of a run: its beginning, then as far as it goes by itself. */
export function start(definition: Definition, beginning: Beginning): Step {
  const { workflow } = definition;
  const started = startedFact(workflow, beginning);
  const progress = new StepProgress(definition, applyFact(null, started, beginning.at), beginning.at);
  progress.facts.push(started);
  advance(progress);
  armDuration(progress);
  return { facts: progress.facts, snapshot: progress.snapshot, effects: progress.effects };
}

function startedFact(workflow: Workflow, beginning: Beginning): RunStarted {
  return {
    kind: 'run.started',
    format: 1,
    engine: beginning.engine,
    run: beginning.run,
    parent: beginning.parent,
    workflow: workflow.name,
    definition: beginning.definitionHash,
    input: beginning.input,
    data: { ...workflow.data, ...beginning.input },
    contexts: beginning.turn?.contexts ?? workflow.contexts.map(opened),
    limits: { ...workflow.limits, ...beginning.limits },
    project: beginning.project,
    ...given(beginning),
    ...(beginning.turn === undefined ? {} : { apart: beginning.turn.apart }),
  };
}

const opened = ({ name, startingMessages, maxLength }: ContextSpec): OpenedContext => ({
  name,
  messages: startingMessages,
  maxLength,
});

const OPTIONAL = [
  'files',
  'origin',
  'workspace',
  'sandbox',
  'brief',
  'terms',
  'isOffered',
  'needs',
  'priority',
  'slot',
  'tools',
  'unusable',
] as const satisfies readonly (keyof Beginning & keyof RunStarted)[];

/** Absent values stay out of the record. */
function given(beginning: Beginning): Pick<RunStarted, (typeof OPTIONAL)[number]> {
  const entries = OPTIONAL.map((name) => [name, beginning[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

type Queueing = Pick<Beginning, 'isOffered' | 'needs' | 'priority'>;

/** How workers find a run. */
export function queueing({
  isOffered,
  needs,
  priority,
}: Queueing): Pick<RunStarted, 'isOffered' | 'needs' | 'priority'> {
  return {
    ...(isOffered === undefined ? {} : { isOffered }),
    ...(needs === undefined ? {} : { needs }),
    ...(priority === undefined ? {} : { priority }),
  };
}
