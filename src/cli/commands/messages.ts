import { whole } from '../../protocol/whole-list.ts';
import { type BusLine, BusLines, type HandoffLine } from '../../protocol/bus/bus-line.ts';
import { followRun, readTree } from '../../app/runs/tree-reader.ts';
import { flag, type Invocation, word } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { isGoingOn } from '../../app/workers/queued-run.ts';
import { type OpenStore, withStore } from '../../app/world/store.ts';
import { printNote, printAnswer, terminalTextOptions } from '../terminal/terminal.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { TextOptions } from '../terminal/terminal.ts';
import { untilInterrupted } from './carry-out.ts';

const INDENT = '          ';

/** One handoff or message: when, what and from whom to whom; what it says; what it belongs to. */
export function busText(line: BusLine, { width, paint }: TextOptions): string {
  const time = new Date(line.timestamp).toTimeString().slice(0, 8);
  const [what, from, to] =
    line.kind === 'handoff' ? ['handoff', line.from_agent, line.to_agent] : [line.type, line.sender, line.receiver];
  const head = `${paint('dim', time)}  ${paint('cyan', oneLine(what, 20).padEnd(8))} ${oneLine(`${from} → ${to}`, 100)}`;
  const fields = line.kind === 'handoff' ? handoffFields(line) : payloadFields(line.payload);
  const body = fields.map(([name, text]) => fieldText(name, text, width));
  return [head, ...body, `${INDENT}${paint('dim', `for ${oneLine(line.correlation_id, 200)}`)}`].join('\n');
}

type Field = readonly [name: string, text: string];

function handoffFields(line: HandoffLine): readonly Field[] {
  const { artifacts, context, instructions, success_criteria } = line;
  return [
    ...(artifacts.length === 0 ? [] : [['artifacts', artifacts.join(', ')] as const]),
    ...Object.entries(context).map(([name, value]): Field => [name, wordsOf(value)]),
    ...(instructions === '' ? [] : [['instructions', instructions] as const]),
    ...success_criteria.map((criterion): Field => ['success', criterion]),
  ];
}

/** A criterion is shown with its result. */
function payloadFields(payload: Json): readonly Field[] {
  if (!isJsonObject(payload)) return payload === null ? [] : [['says', wordsOf(payload)]];
  return Object.entries(payload).flatMap(([name, value]): readonly Field[] => {
    if (name === 'criteria' && Array.isArray(value)) return (value as readonly Json[]).map(criterionField);
    if (isJsonObject(value)) return Object.entries(value).map(([key, one]): Field => [`${name}.${key}`, wordsOf(one)]);
    return [[name, wordsOf(value)]];
  });
}

function criterionField(one: Json): Field {
  if (!isJsonObject(one)) return ['criterion', wordsOf(one)];
  const { text, checked, held } = one;
  const became = checked !== true ? 'not checked' : held === true ? 'held' : 'did not hold';
  return ['criterion', `${wordsOf(text ?? '')}: ${became}`];
}

function wordsOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  return JSON.stringify(value);
}

/** A text can be as long as a file. */
const MOST_CHARS = 400;

function fieldText(name: string, text: string, width: number): string {
  const inner = `${INDENT}  `;
  const line = oneLine(`${name}: ${text}`, MOST_CHARS);
  const wrapped = wrapWords(line, { width: Math.max(20, width - inner.length) });
  return wrapped
    .split('\n')
    .map((one, index) => `${index === 0 ? INDENT : inner}${one}`)
    .join('\n');
}

/** `troupe messages RUN`: what agents handed over and what was said on the bus, in order; `--follow` continues while it runs. */
export async function messagesCommand(invocation: Invocation): Promise<number> {
  return await withStore(invocation.terminal, (store) => untilInterrupted(printMessages(invocation, store)));
}

async function printMessages(invocation: Invocation, store: OpenStore): Promise<number> {
  const { journal } = store;
  const { terminal } = invocation;
  const { run } = await findRun(journal, word(invocation, 0) ?? 'last', terminal.folder);
  const lines = new BusLines();
  const isFollowed = flag(invocation, 'follow');
  if (flag(invocation, 'json') && !isFollowed) {
    const items = (await readTree(journal, run)).map((record) => lines.lineOf(record)).filter((line) => line !== null);
    terminal.stdout.write(`${JSON.stringify({ kind: 'messages', run, ...whole(items) })}\n`);
    return EXIT.ok;
  }
  const options = terminalTextOptions(terminal);
  let count = 0;
  const show = (line: BusLine | null): void => {
    if (line === null) return;
    count += 1;
    printAnswer(terminal, line, () => busText(line, options));
  };
  for (const record of await readTree(journal, run)) show(lines.lineOf(record));
  if (isFollowed) {
    const isOver = async (): Promise<boolean> => !(await isGoingOn(store, run));
    for await (const record of followRun(journal, run, { isOver })) show(lines.lineOf(record));
  }
  if (count === 0) printNote(terminal, `Run ${run} has no messages.`);
  return EXIT.ok;
}
