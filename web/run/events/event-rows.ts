import type { Fact } from '../../../src/core/record/fact.ts';
import { jsonText } from '../../../src/core/model/json.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import type { RunTree } from '../../model/run-tree.ts';
import { treeLines } from '../../model/tree-lines.ts';
import { shortLine, toolTarget } from '../../../src/protocol/tool-words.ts';

export interface EventFilter {
  /** A kind, or the beginning of some: `call.`; empty for all. */
  readonly kind: string;
  /** One run; empty for all. */
  readonly run: string;
  readonly text: string;
}

/** The records of a tree in the order in which they happened, as far as they fit. */
export function eventRows(tree: RunTree, { kind, run, text }: EventFilter): readonly PageRecord[] {
  const alone = tree.runs.get(run);
  const lines = alone === undefined ? treeLines(tree).lines : alone.lines.slice(0, alone.count);
  const needle = text.toLowerCase();
  const fits = ({ record: { fact } }: PageRecord): boolean =>
    kind === '' || (kind.endsWith('.') ? fact.kind.startsWith(kind) : fact.kind === kind);
  return lines.filter((line) => fits(line) && (needle === '' || textOf(line).includes(needle)));
}

/** Made once for each record that anybody looks for a text in. */
function textOf(line: PageRecord): string {
  const known = TEXTS.get(line) ?? JSON.stringify(line.record.fact).toLowerCase();
  TEXTS.set(line, known);
  return known;
}

const TEXTS = new WeakMap<PageRecord, string>();

/** Kinds that there are, with the families they belong to, and how many. */
export function eventKinds(tree: RunTree): readonly { readonly value: string; readonly label: string }[] {
  const counts = new Map<string, number>();
  for (const { lines, count } of tree.runs.values())
    for (const { record } of lines.slice(0, count))
      counts.set(record.fact.kind, (counts.get(record.fact.kind) ?? 0) + 1);
  const families = Map.groupBy(
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([kind]) => kind.slice(0, kind.indexOf('.') + 1),
  );
  return [...families].flatMap(([family, kinds]) => {
    const all = kinds.reduce((sum, [, count]) => sum + count, 0);
    const own = kinds.map(([value, count]) => ({ value, label: `${value} (${count})` }));
    return kinds.length === 1 ? own : [{ value: family, label: `${family}* (${all})` }, ...own];
  });
}

/** A record in one line. */
export function factLine(fact: Fact): string {
  const teller = TELLERS[fact.kind] as ((fact: Fact) => string) | undefined;
  if (teller !== undefined) return shortLine(teller(fact));
  const { kind: _, ...rest } = fact;
  return shortLine(JSON.stringify(rest));
}

const TELLERS: { readonly [Kind in Fact['kind']]?: (fact: Extract<Fact, { readonly kind: Kind }>) => string } = {
  'run.started': ({ workflow, input }) => `${workflow} ${JSON.stringify(input)}`,
  'run.settled': ({ outcome, failure }) =>
    `${outcome}${failure === null ? '' : ` ${failure.code}: ${failure.message}`}`,
  'state.entered': ({ state, visit, from }) =>
    `${from === null ? '' : `${from.state} (${from.outcome}) → `}${state}${visit > 1 ? ` #${visit}` : ''}`,
  'task.started': ({ task, work, unit }) =>
    `${task} ${work.kind} ${'agent' in work && work.agent !== null ? work.agent : ''} ${unit ?? ''} ${'program' in work ? work.program : ''}`,
  'task.ended': ({ task, outcome, failure, output }) =>
    `${task} ${outcome} ${failure === null ? jsonText(output) : `${failure.code}: ${failure.message}`}`,
  'call.answered': ({ task, model, message, ms }) =>
    `${task} ${model} ${ms} ms: ${message.content} ${(message.toolCalls ?? []).map(({ name, arguments: given }) => `${name}(${toolTarget(given)})`).join(' ')}`,
  'call.failed': ({ task, failure, retryAt }) =>
    `${task} ${failure.code}: ${failure.message}${retryAt === null ? '' : ' (will be tried again)'}`,
  'tool.finished': ({ task, isError, refused, content }) =>
    `${task} ${refused ?? (isError ? 'failed' : 'ok')}: ${content}`,
  'files.changed': ({ workspace, version, why }) => `${workspace} version ${version}, ${why}`,
  'message.added': ({ context, message }) => `${context} ${message.author}: ${message.content}`,
  'question.asked': ({ question, refused }) =>
    refused === undefined
      ? question
      : `${question}: ${refused.by} answered ${jsonText(refused.answer)}, for files that changed since`,
  'question.answered': ({ question, answer, by }) => `${by} answered ${question}: ${jsonText(answer)}`,
  'units.added': ({ task, units }) => `${task}: ${units.map(({ id }) => id).join(', ')}`,
  'artifact.recorded': ({ artifact }) => `${artifact.path} by ${artifact.producer}`,
  'script.evaluated': ({ key, result }) => `${key} → ${result.kind}`,
};
