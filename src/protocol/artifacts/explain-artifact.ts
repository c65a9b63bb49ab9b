import type { Evidence } from '../../core/record/agent-fact.ts';
import { chargeOf } from '../../core/record/charge.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { CallAnswered, CallFailed } from '../../core/record/call-fact.ts';
import type { UsageNoted } from '../../core/record/files-fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { journalsOf, type RunRecord } from '../history/run-record.ts';
import type { ArtifactView } from './artifact-view.ts';
import {
  textIn,
  type CallView,
  type WhyEvidence,
  type KnownElsewhere,
  type MadeView,
  type WhyView,
} from './why-view.ts';

/** Explains the origin of artifacts from the records alone: producer, calls, sources, and checks. */
export class ArtifactOrigins {
  readonly #journals: ReadonlyMap<RunId, readonly JournalRecord[]>;
  readonly #byId: ReadonlyMap<string, ArtifactView>;

  constructor(records: readonly RunRecord[], artifacts: readonly ArtifactView[]) {
    this.#journals = journalsOf(records);
    this.#byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  }

  why(artifact: ArtifactView): WhyView {
    return this.#explain(artifact, new Set());
  }

  /** Explains each artifact once in a tree: two plans may share an origin, and ids may form a cycle. */
  #explain(artifact: ArtifactView, explained: Set<string>): WhyView {
    explained.add(artifact.id);
    const from = artifact.dependencies.map((id): WhyView | KnownElsewhere => {
      const found = this.#byId.get(id);
      if (found === undefined) return { id, why: 'unknown' };
      if (!explained.has(id)) return this.#explain(found, explained);
      return { id, why: 'told', path: found.path, version: found.version };
    });
    const calls = this.#callsFor(artifact);
    return { artifact, made: madeOf(artifact, calls), evidence: this.#evidence(artifact, answersIn(calls)), from };
  }

  /** The calls of the turn that wrote it; where that is not known, all that its producer made in its run until then. */
  #callsFor(artifact: ArtifactView): readonly PaidCall[] {
    const { run, task } = makerOf(artifact);
    const records = this.#journals.get((run ?? artifact.run) as RunId) ?? [];
    const calls = records.flatMap(({ seq, fact }) => (isCall(fact) ? [{ seq, fact }] : []));
    if (run !== null && task !== null) return calls.filter(({ fact }) => fact.task === task);
    const turns = new Set(
      records.flatMap(({ seq, fact }) =>
        fact.kind === 'task.started' &&
        fact.work.kind === 'turn' &&
        fact.work.agent === artifact.producer &&
        seq < artifact.record
          ? [fact.task]
          : [],
      ),
    );
    return calls.filter(({ seq, fact }) => seq < artifact.record && turns.has(fact.task));
  }

  /** With the record of an artifact stands what its phase was measured by; signals carry what was seen for them. */
  #evidence({ run, task }: ArtifactView, answers: readonly Answer[]): readonly WhyEvidence[] {
    const records = this.#journals.get(run as RunId) ?? [];
    const result = records.findLast(
      ({ fact }) => fact.kind === 'bus.sent' && fact.task === task && fact.message.type === 'result',
    )?.fact;
    const criteria = result?.kind === 'bus.sent' ? criteriaIn(result.message.payload) : [];
    return [...criteria, ...answers.flatMap(({ fact }) => (fact.evidence ?? []).flatMap(seen))];
  }
}

interface Answer {
  readonly seq: number;
  readonly fact: CallAnswered;
}

/** Failed and lost calls were paid for, too. */
interface PaidCall {
  readonly seq: number;
  readonly fact: CallAnswered | CallFailed | UsageNoted;
}

const isCall = (fact: Fact): fact is PaidCall['fact'] =>
  fact.kind === 'call.answered' || fact.kind === 'call.failed' || (fact.kind === 'usage.noted' && !fact.isOfChild);

const answersIn = (calls: readonly PaidCall[]): readonly Answer[] =>
  calls.flatMap(({ seq, fact }) => (fact.kind === 'call.answered' ? [{ seq, fact }] : []));

interface Maker {
  readonly run: string | null;
  readonly task: string | null;
  readonly how: string | null;
  readonly toolCall: string | null;
}

function makerOf({ metadata }: ArtifactView): Maker {
  const made: JsonObject = isJsonObject(metadata['made']) ? metadata['made'] : {};
  const [run, task, how, toolCall] = ['run', 'task', 'how', 'toolCall'].map((name) => textIn(made[name]));
  return { run: run ?? null, task: task ?? null, how: how ?? null, toolCall: toolCall ?? null };
}

function madeOf(artifact: ArtifactView, calls: readonly PaidCall[]): MadeView {
  const answers = answersIn(calls);
  const { run, task, how, toolCall } = makerOf(artifact);
  return {
    agent: artifact.producer,
    agent_type: textIn(artifact.metadata['agentType']),
    phase: artifact.phase,
    run: run ?? artifact.run,
    task: task ?? answers.at(-1)?.fact.task ?? null,
    how,
    ...toolIn(answers, toolCall),
    tool_call: toolCall,
    calls: calls.map(callView),
  };
}

/** The call in which the tool was asked for that wrote it. */
function toolIn(answers: readonly Answer[], toolCall: string | null): Pick<MadeView, 'tool' | 'call'> {
  for (const { fact } of answers) {
    const used = fact.message.toolCalls?.find(({ id }) => id === toolCall);
    if (used !== undefined) return { tool: used.name, call: fact.call };
  }
  return { tool: null, call: null };
}

function callView({ seq, fact }: PaidCall): CallView {
  const { usage, costUsd, model } = chargeOf(fact) ?? { usage: NO_USAGE, costUsd: 0, model: null };
  const isAnswered = fact.kind === 'call.answered';
  return {
    task: fact.task,
    call: fact.kind === 'usage.noted' ? null : fact.call,
    record: seq,
    model,
    ...(isAnswered ? {} : { failed: true }),
    tools: isAnswered ? (fact.message.toolCalls ?? []).map(({ name }) => name) : [],
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: costUsd,
  };
}

function criteriaIn(payload: Json): readonly WhyEvidence[] {
  const list = isJsonObject(payload) ? payload['criteria'] : null;
  return Array.isArray(list) ? (list as readonly Json[]).flatMap(criterionIn) : [];
}

function criterionIn(one: Json): readonly WhyEvidence[] {
  if (!isJsonObject(one)) return [];
  const { text, checked, held, why } = one;
  if (typeof text !== 'string') return [];
  const isHeld = typeof held === 'boolean' ? held : null;
  return [{ text, checked: checked === true, held: isHeld, ...(typeof why === 'string' ? { why } : {}) }];
}

function seen(evidence: Evidence): readonly WhyEvidence[] {
  if (evidence.kind === 'file') return [{ text: `${evidence.path} exists`, checked: true, held: evidence.isThere }];
  if (evidence.kind === 'tree') return [];
  if (evidence.kind === 'changes') {
    const { isChanged, reason } = evidence;
    return [
      { text: 'files were changed', checked: true, held: isChanged, ...(reason === undefined ? {} : { why: reason }) },
    ];
  }
  const { command, exitCode } = evidence;
  return [{ text: `\`${command}\` succeeds`, checked: true, held: exitCode === 0 }];
}
