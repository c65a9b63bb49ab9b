import type { RunId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { resultState } from '../../../core/look/result-state.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import type { StoredRecord } from '../../../core/record/stored-record.ts';
import { questionsIn } from '../../../protocol/question-view.ts';
import { runStatus } from '../../../protocol/run-view.ts';
import { roleOf, type BegunUnit } from './quest-notes.ts';
import { entry } from '../../../protocol/metrics/counters.ts';
import { inTreeOrder } from '../../../protocol/history/tree-order.ts';
import { keptQuest, QuestPage, unitKey } from './quest-page.ts';
import { sessionsOf, spentBy, stepsOf, textsIn, type Pages } from './quest-steps.ts';
import type { HistoryLine, QuestSlot, QuestStep, QuestView } from './quest-view.ts';

/** A quest from the journals of its run and of those below it (Q7). */
export function foldQuest(root: RunId, journals: ReadonlyMap<RunId, readonly StoredRecord[]>): QuestView | null {
  const pages = new Map<string, QuestPage>();
  const records = [...journals].flatMap(([run, own]) => own.map((record) => ({ run, record })));
  for (const placed of inTreeOrder(records)) entry(pages, placed.run, () => new QuestPage()).take(placed);
  return questView(root, pages);
}

/** The same from what was folded already. Null without the quest's own journal. */
export function questView(root: string, pages: Pages): QuestView | null {
  const page = pages.get(root);
  if (page === undefined) return null;
  const { snapshot } = page;
  const { data, input, result } = snapshot;
  const questions = snapshot.status === 'settled' ? [] : questionsIn(snapshot, (run) => pages.get(run)?.snapshot);
  const kept = keptQuest(data);
  const steps = stepsOf(page, pages);
  const request = typeof input['request'] === 'string' ? input['request'] : JSON.stringify(input);
  return {
    kind: 'quest',
    format: 1,
    run: root,
    title: titleOf(request),
    request,
    project: snapshot.project,
    status: runStatus(snapshot, questions),
    phase: snapshot.current.state,
    outcome: result?.outcome ?? null,
    result: resultState(snapshot),
    failure: result?.failure ?? null,
    ...pausedOf(snapshot),
    requirements: textsIn(kept['requirements']),
    contexts: textsIn(kept['contexts']),
    observables: textsIn(kept['observables']),
    ward: textsIn(data['ward']),
    notices: textsIn(kept['notices']),
    steps,
    slots: slotsOf(page, pages),
    sessions: sessionsOf(page),
    signals: page.notes('signal'),
    checks: page.notes('check'),
    questions,
    history: historyOf(root, pages, steps),
    ...spentBy(page, pages),
    startedAt: snapshot.startedAt,
    updatedAt: Math.max(...[...pages.values()].map((one) => one.snapshot.at)),
    ...(snapshot.clock.endedAt === null ? {} : { endedAt: snapshot.clock.endedAt }),
    records: Object.fromEntries([...pages].map(([run, one]): [string, number] => [run, one.snapshot.seq]).sort(byName)),
  };
}

function pausedOf({ status, held }: Snapshot): Pick<QuestView, 'paused'> {
  if (held === null || status === 'settled') return {};
  const { by, reason, failure } = held;
  return { paused: { by, reason, ...(failure === undefined ? {} : { failure }) } };
}

const MOST_TITLE = 100;

function titleOf(request: string): string {
  const [first = ''] = request.trim().split('\n');
  return first.length <= MOST_TITLE ? first : `${first.slice(0, MOST_TITLE - 1).trimEnd()}…`;
}

const byName = ([one]: readonly [string, number], [other]: readonly [string, number]): number => (one < other ? -1 : 1);

function slotsOf(page: QuestPage, pages: Pages): readonly QuestSlot[] {
  if (page.snapshot.status === 'settled') return [];
  const begun = page.notes('begun');
  return Object.entries(page.slots)
    .flatMap(([key, slot]) => {
      const unit = begun.findLast(({ pool, unit: name }) => unitKey(pool, name) === key);
      return unit === undefined ? [] : [{ slot, ...slotView(unit, pages.get(unit.run)) }];
    })
    .sort((one, other) => one.slot - other.slot);
}

function slotView({ run, unit: step, at }: BegunUnit, page: QuestPage | undefined): Omit<QuestSlot, 'slot'> {
  if (page === undefined) return { step, run, state: 'start', role: null, session: null, since: at };
  const { snapshot } = page;
  const { state } = snapshot.current;
  const turn = Object.values(snapshot.tasks).find(({ work }) => work.kind === 'turn');
  if (turn === undefined) return { step, run, state, role: null, session: null, since: at };
  const context = page.turns().findLast(({ task }) => task === turn.id)?.session ?? null;
  const session = page.notes('session').findLast(({ task }) => task === turn.id)?.session ?? context;
  return { step, run, state, role: roleOf(turn), session, since: turn.startedAt };
}

/** The history of all runs, in order. */
function historyOf(root: string, pages: Pages, steps: readonly QuestStep[]): readonly HistoryLine[] {
  const names = new Map(steps.flatMap(({ id, run }) => (run === null ? [] : [[run, id] as const])));
  const lines = inTreeOrder([...pages.values()].flatMap(({ history }) => history));
  return lines.map(({ run, record: { at, seq }, text }) => {
    const step = run === root ? null : (stepNamed(run, names) ?? idIn(pages.get(run)?.snapshot.input['step']));
    return { at, run, seq, text, step };
  });
}

/** A sub-agent's run is below that of its step. */
function stepNamed(run: string, names: ReadonlyMap<string, string>): string | null {
  for (let at = run; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
    const name = names.get(at);
    if (name !== undefined) return name;
  }
  return null;
}

const idIn = (step: Json | undefined): string | null =>
  isJsonObject(step) && typeof step['id'] === 'string' ? step['id'] : null;
