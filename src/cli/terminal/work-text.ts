import type { ResolvedWork, TaskEnded } from '../../core/record/task-fact.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { programNote } from '../../core/record/program-note.ts';
import { counted } from '../../protocol/amounts.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import type { Style } from './colour.ts';
import type { ToolCall } from '../../core/model/message.ts';

/** The result of work that no agent did; null for a step of the engine that says nothing to people. */
export interface WorkText {
  readonly text: string;
  readonly style: Style | null;
}

/** Programs of the engine, commands, merges and called workflows, once they have ended. */
export function workLineText(work: ResolvedWork, ended: TaskEnded): WorkText | null {
  const output = isJsonObject(ended.output) ? ended.output : {};
  if (work.kind === 'compute') return computedText(output, ended);
  if (ended.failure !== null) return failed(ended);
  switch (work.kind) {
    case 'command':
      return work.builtin === undefined ? testText(work.command, output) : null;
    case 'merge':
      return mergedText(output, work);
    case 'call':
      return calledText(ended);
    // Its units have said how they ended.
    case 'pool':
      return null;
    default:
      return ended.outcome === 'ok' ? null : failed(ended);
  }
}

const failed = ({ outcome, failure }: TaskEnded): WorkText => ({
  text: oneLine(outcomeText(outcome, failure), 400),
  style: 'yellow',
});

function computedText(output: JsonObject, ended: TaskEnded): WorkText | null {
  const note = programNote(output);
  if (note !== null) return { text: oneLine(note, 400), style: 'yellow' };
  if (ended.failure !== null || ended.outcome !== 'ok') return failed(ended);
  const { command, decision, reason } = output;
  if (typeof command === 'string') return testText(command, output);
  if (typeof decision !== 'string' || typeof reason !== 'string') return null;
  return { text: oneLine(`decision: ${decision}. ${reason}`, 400), style: 'bold' };
}

/** A command of the user's that the engine ran, mostly tests. */
function testText(command: string, output: JsonObject): WorkText {
  const isGreen = output['exitCode'] === 0;
  const counts = (['passed', 'failed'] as const).flatMap((name) => {
    const count = output[name];
    return typeof count === 'number' ? [`${count} ${name}`] : [];
  });
  const why = isGreen || counts.length > 0 ? counts : [exitText(output), lastLine(output['output'])];
  const said = why.filter((part) => part !== '').join(', ');
  const text = `${isGreen ? '✓' : '✗'} ${shownCommand(command)}${said === '' ? '' : `: ${said}`}`;
  return { text: oneLine(text, 300), style: isGreen ? 'green' : 'yellow' };
}

const exitText = ({ exitCode }: JsonObject): string => (typeof exitCode === 'number' ? `exit code ${exitCode}` : '');

const lastLine = (printed: Json | undefined): string =>
  typeof printed === 'string' ? oneLine(plainText(printed).trimEnd().split('\n').at(-1) ?? '', 120) : '';

/** Without the shell around it. */
export const shownCommand = (command: string): string =>
  oneLine(/^\/bin\/sh -c '(.*)'$/s.exec(command)?.[1] ?? command);

type MergeWork = Extract<ResolvedWork, { readonly kind: 'merge' }>;

const MOST_FILES = 4;

function mergedText({ merged, files }: JsonObject, { unit, agent }: MergeWork): WorkText {
  const from = unit ?? agent;
  const names = Array.isArray(files) ? (files as readonly Json[]).map(String) : [];
  const whose = from === null ? '' : ` of ${from}`;
  if (merged !== true || names.length === 0) return { text: `✓ nothing to merge${whose}`, style: 'dim' };
  const more = names.length > MOST_FILES ? ', …' : '';
  const text = `✓ merged ${counted(names.length, 'file')}${whose}: ${names.slice(0, MOST_FILES).join(', ')}${more}`;
  return { text: oneLine(text, 300), style: 'green' };
}

function calledText(ended: TaskEnded): WorkText {
  if (ended.outcome === 'ok') return { text: 'done', style: 'green' };
  return ended.outcome === 'skipped' ? { text: 'skipped', style: 'dim' } : failed(ended);
}

/** A structured reply, such as a verdict: `hand_in_review: REVISE_BEST · 2 findings`. */
export function replyText({ name, arguments: given }: ToolCall): string {
  const parts = Object.entries(isJsonObject(given) ? given : {}).flatMap(([key, value]) => partText(key, value) ?? []);
  return oneLine([name, parts.join(' · ')].filter((part) => part !== '').join(': '), 240);
}

const MOST_NAMES = 4;
const LONGEST_NAME = 40;

function partText(key: string, value: Json): string | null {
  const name = key.replaceAll(/[_-]/g, ' ');
  if (typeof value === 'string') return value === '' ? null : oneLine(value, 160);
  if (typeof value === 'boolean') return `${name}: ${value ? 'yes' : 'no'}`;
  if (typeof value === 'number') return `${name}: ${value}`;
  return Array.isArray(value) ? listText(name, value as readonly Json[]) : null;
}

function listText(name: string, items: readonly Json[]): string | null {
  if (items.length === 0) return null;
  const names = items.filter((item) => typeof item === 'string').filter((item) => item.length <= LONGEST_NAME);
  if (names.length === items.length && items.length <= MOST_NAMES) return `${name}: ${names.join(', ')}`;
  return counted(items.length, name.replace(/s$/, ''));
}
