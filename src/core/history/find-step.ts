import type { JournalRecord } from '../record/fact.ts';

/**
 * The record that a person means by a step: its number, `start`, `end`, or a state, meaning its last entry; `state#2` is the
 * second one. The step is the record at which the state was entered and nothing of it has happened yet. A unit of a pool,
 * such as a phase, is named like a state and means the record at which it started. `NAME:end` is where it ended.
 */
export function findStep(records: readonly JournalRecord[], text: string): FoundStep {
  const last = records.at(-1)?.seq ?? 0;
  if (text === 'start') return { ok: true, seq: Math.min(1, last) };
  if (text === 'end' || text === 'last') return { ok: true, seq: last };
  if (/^\d+$/.test(text)) return byNumber(Number(text), last);
  return byState(records, text);
}

export type FoundStep =
  | { readonly ok: true; readonly seq: number }
  | { readonly ok: false; readonly message: string; readonly hint: string };

function byNumber(seq: number, last: number): FoundStep {
  if (seq >= 1 && seq <= last) return { ok: true, seq };
  return { ok: false, message: `There is no record ${seq}: the run has records 1 to ${last}.`, hint: HINT };
}

const HINT =
  'Name a record (see `troupe show`, `troupe logs --json`), a state, stage or phase, with its visit such as coder#2 or its end such as coder:end, start or end.';

function byState(records: readonly JournalRecord[], text: string): FoundStep {
  // A state may have such a name itself.
  const found = named(records, { name: text, visit: null, isEnd: false }) ?? named(records, parseStepName(text));
  if (found !== undefined) return { ok: true, seq: found.seq };
  const states = records.flatMap(({ fact }) => (fact.kind === 'state.entered' ? [fact.state] : []));
  const names = new Set([...startsOf(records).map(({ unit }) => unit), ...states]);
  const known = [...names].slice(0, 12).join(', ');
  return { ok: false, message: `The run never was at "${text}".`, hint: `It was at: ${known}. ${HINT}` };
}

interface StepName {
  readonly name: string;
  readonly visit: number | null;
  readonly isEnd: boolean;
}

function parseStepName(text: string): StepName {
  const isEnd = text.endsWith(':end');
  const rest = isEnd ? text.slice(0, -':end'.length) : text;
  const cut = rest.lastIndexOf('#');
  const hasVisit = cut > 0 && /^\d+$/.test(rest.slice(cut + 1));
  return { name: hasVisit ? rest.slice(0, cut) : rest, visit: hasVisit ? Number(rest.slice(cut + 1)) : null, isEnd };
}

function named(records: readonly JournalRecord[], step: StepName): JournalRecord | undefined {
  if (step.isEnd) return ending(records, step);
  return (
    entry(records, step) ??
    pick(
      startsOf(records).filter(({ unit }) => unit === step.name),
      step,
    )?.record
  );
}

function entry(records: readonly JournalRecord[], { name, visit }: StepName): JournalRecord | undefined {
  return records.findLast(
    ({ fact }) => fact.kind === 'state.entered' && fact.state === name && (visit === null || fact.visit === visit),
  );
}

interface Start {
  readonly unit: string;
  readonly task: string;
  readonly record: JournalRecord;
}

/** The records at which units of pools started. */
function startsOf(records: readonly JournalRecord[]): readonly Start[] {
  return records.flatMap((record) =>
    record.fact.kind === 'task.started' && record.fact.unit !== null
      ? [{ unit: record.fact.unit, task: record.fact.task, record }]
      : [],
  );
}

function pick<T>(list: readonly T[], { visit }: StepName): T | undefined {
  return visit === null ? list.at(-1) : list[visit - 1];
}

function ending(records: readonly JournalRecord[], step: StepName): JournalRecord | undefined {
  const tasks = new Set(
    records.flatMap(({ fact }) =>
      fact.kind === 'task.started' && (fact.unit ?? fact.state) === step.name ? [fact.task] : [],
    ),
  );
  return pick(
    records.filter(({ fact }) => fact.kind === 'task.ended' && tasks.has(fact.task)),
    step,
  );
}
