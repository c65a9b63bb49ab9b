import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { openQuestions } from '../../core/look/open-questions.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { agentViews } from '../agent-view.ts';
import { foldHistory } from '../history/history-fold.ts';
import { withTurnsBelow } from '../history/turns-below.ts';
import { liveRuns } from '../../core/fold/live-runs.ts';
import { foldArtifacts } from '../artifacts/fold-artifacts.ts';
import { agentStates, type AgentSources } from './agent-states.ts';
import { foldPhases } from './fold-phases.ts';
import { statusChanges } from './status-changes.ts';
import { withRounds } from './with-rounds.ts';
import { isoTime, journalsOf, type RunRecord } from '../history/run-record.ts';
import type { PhaseState, ShownAgent, WorkflowState, WorkflowStatus } from './workflow-state.ts';

export interface RunState {
  readonly workflow_state: WorkflowState;
  readonly agents: readonly ShownAgent[];
}

/** Folds the records of a run and its child runs into the document's fields (PH5), for every format. */
export function foldWorkflowState(
  root: RunId,
  records: readonly RunRecord[],
  definitions: ReadonlyMap<string, Definition>,
): RunState | null {
  const journals = journalsOf(records);
  const snapshots = new Map([...journals].map(([run, journal]) => [run, foldRecords(journal)]));
  const [own, snapshot] = [journals.get(root), snapshots.get(root)];
  if (own === undefined || snapshot === undefined) return null;
  const live = new Set(liveRuns(snapshot, (run) => snapshots.get(run)).map(({ run }) => run));
  const agentsIn = withTurnsBelow(
    new Map(
      [...journals].map(([run, journal]) => {
        return [run, { agents: foldHistory(run, journal).agents, isApart: snapshots.get(run)?.apart != null }];
      }),
    ),
  );
  const sources: AgentSources = { root, agentsIn, snapshots, definitions, live };
  const agents = agentStates(sources).map(({ state, run }): ShownAgent => {
    const client = agentViews(agentsIn.get(run) ?? []).find(({ agent }) => agent === state.agent);
    return { ...client, ...state };
  });
  const artifacts = foldArtifacts(records);
  const changes = statusChanges(own);
  const last = changes.at(-1) ?? { status: 'pending', at: snapshot.startedAt };
  const phases = withRounds(foldPhases(root, own, artifacts), records);
  const current = isOver(last.status) ? [] : currentPhases(phases, snapshot);
  const workflow_state: WorkflowState = {
    workflow_id: root,
    status: last.status,
    current_phase: current[0] ?? null,
    current_phases: current,
    phases_completed: phases
      .filter(({ outcome }) => outcome === 'ok')
      .toSorted(byEnd)
      .map(({ phase }) => phase),
    artifacts_created: [...new Set(artifacts.filter(({ undone }) => undone === undefined).map(({ id }) => id))],
    agents_spawned: agents.filter(({ started_at }) => started_at !== null).map(({ agent_id }) => agent_id),
    started_at: isoTime(snapshot.startedAt),
    completed_at: isOver(last.status) ? isoTime(last.at) : null,
    metadata: metadataOf(snapshot),
    phases,
    history: changes.map(({ status, at }) => ({ status, at: isoTime(at) })),
  };
  return { workflow_state, agents };
}

const OVER: ReadonlySet<WorkflowStatus> = new Set(['success', 'failed', 'failed_final']);
const isOver = (status: WorkflowStatus): boolean => OVER.has(status);

const byEnd = (one: PhaseState, other: PhaseState): number =>
  (one.completed_at ?? '') < (other.completed_at ?? '') ? -1 : Number(one.completed_at !== other.completed_at);

/** The active phases, or the current state if no agent is working. */
function currentPhases(phases: readonly PhaseState[], { current }: Snapshot): readonly string[] {
  const running = phases.filter(({ status }) => status === 'running').map(({ phase }) => phase);
  return running.length > 0 ? running : [current.state];
}

function metadataOf(snapshot: Snapshot): JsonObject {
  const { workflow, project, result, forkedFrom, rewinds } = snapshot;
  const { code, message } = result?.failure ?? {};
  return {
    workflow,
    project,
    outcome: result?.outcome ?? null,
    ...(code === undefined || message === undefined ? {} : { error: { code, message } }),
    ...waitsFor(snapshot),
    ...(forkedFrom === null ? {} : { forked_from: { run: forkedFrom.run, record: forkedFrom.seq } }),
    ...(rewinds === 0 ? {} : { rollbacks: rewinds }),
  };
}

function waitsFor(snapshot: Snapshot): JsonObject {
  const { held, paused } = snapshot;
  const questions = openQuestions(snapshot).length;
  const why = held?.reason ?? (paused === null ? null : `the limit of ${paused.limit} is reached`);
  return { ...(questions === 0 ? {} : { open_questions: questions }), ...(why === null ? {} : { paused: why }) };
}
