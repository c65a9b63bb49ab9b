import { Fault } from '../../core/fault.ts';
import type { RequestLine } from '../../protocol/request-trace.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRunOrChild } from '../files/with-run.ts';
import { countOption, flag, textOption, word } from '../invocation.ts';
import { paintFor } from '../terminal/colour.ts';
import { requestLines } from '../../app/trace/known-lines.ts';
import { diffText, linesText, viewText } from '../trace/trace-text.ts';
import { tracedCalls, type TracedCall } from '../../app/trace/traced-calls.ts';
import { differenceOf } from '../../app/trace/view-request.ts';
import { WholeRequests } from '../../app/trace/whole-requests.ts';

/** `troupe prompt trace RUN`: every request as it left, from the journal. */
export async function promptTrace(invocation: Invocation): Promise<number> {
  const named = { ...invocation, words: [word(invocation, 1) ?? 'last'] };
  return await withRunOrChild(named, async ({ store, world, actors }, { run }) => {
    const place = { world, actors, journal: store.journal };
    const all = await requestLines(store, run, place);
    const calls = (): Promise<readonly TracedCall[]> => tracedCalls(store.journal, run);
    const agent = textOption(invocation, 'agent');
    const lines = ofAgent(all, agent, run);
    await print(invocation, { all, lines, agent }, new WholeRequests(all, calls, place));
    return EXIT.ok;
  });
}

function ofAgent(all: readonly RequestLine[], agent: string | undefined, run: string): readonly RequestLine[] {
  if (agent === undefined) return all;
  const own = all.filter((line) => line.agent === agent);
  if (own.length > 0) return own;
  const names = [...new Set(all.map((line) => line.agent))];
  throw new Fault('AGENT_UNKNOWN', `No agent named "${agent}" made a request in run ${run}.`, {
    hint: names.length === 0 ? 'The run made no requests.' : `Those that did: ${names.join(', ')}.`,
    facts: { agents: names },
  });
}

interface Listed {
  readonly all: readonly RequestLine[];
  /** Those of the agent that was named, or all. */
  readonly lines: readonly RequestLine[];
  readonly agent: string | undefined;
}

async function print(invocation: Invocation, listed: Listed, whole: WholeRequests): Promise<void> {
  const { lines } = listed;
  const call = countOption(invocation, 'call');
  const diff = textOption(invocation, 'diff');
  if (diff !== undefined) return await printDiff(invocation, pickTwo(listed, diff), whole);
  if (call !== undefined) return await printRequest(invocation, pick(listed, call), whole);
  if (flag(invocation, 'raw')) throw new Fault('USAGE', '--raw prints one request.', { hint: 'Say which: --call 1' });
  const { stdout } = invocation.terminal;
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(lines)}\n`);
  else if (lines.length === 0) stdout.write('The run made no requests.\n');
  else stdout.write(`${linesText(lines, stdout.columns || 140)}\n`);
}

async function printRequest(invocation: Invocation, line: RequestLine, whole: WholeRequests): Promise<void> {
  const { stdout, environment } = invocation.terminal;
  if (flag(invocation, 'raw')) {
    const { built } = await whole.of(line);
    stdout.write(`${built.text}\n`);
    return;
  }
  const view = await whole.view(line);
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(view)}\n`);
  else stdout.write(`${viewText(view, paintFor(stdout, environment))}\n`);
}

type Two = readonly [RequestLine, RequestLine];

function pickTwo(listed: Listed, given: string): Two {
  const numbers = /^(\d+)[,.]+(\d+)$/.exec(given);
  if (numbers !== null) return [pick(listed, Number(numbers[1])), pick(listed, Number(numbers[2]))];
  throw new Fault('USAGE', `--diff takes the numbers of two requests; it is "${given}".`, {
    hint: 'For example: --diff 3,4',
  });
}

async function printDiff(invocation: Invocation, [one, other]: Two, whole: WholeRequests): Promise<void> {
  const difference = differenceOf(await whole.of(one), await whole.of(other));
  const { stdout } = invocation.terminal;
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(difference)}\n`);
  else stdout.write(`${diffText(await whole.view(one), await whole.view(other), difference)}\n`);
}

/** By the number that the list prints, whichever agent is named. */
function pick({ all, lines, agent }: Listed, call: number): RequestLine {
  const found = all[call - 1];
  if (found === undefined) {
    const range = all.length === 0 ? 'There are none.' : `They are numbered from 1 to ${all.length}.`;
    throw new Fault('USAGE', `There is no request ${call}.`, { hint: `${range} Leave --call out to see them.` });
  }
  if (agent === undefined || found.agent === agent) return found;
  throw new Fault('USAGE', `Request ${call} is one of ${found.agent}, not of ${agent}.`, {
    hint: `Those of ${agent}: ${lines.map(({ number }) => number).join(', ')}.`,
  });
}
