import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { RequestLine } from '../../protocol/request-trace.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRunOrChild } from './with-run.ts';
import { countOption, flag, textOption, word } from '../invocation.ts';
import { paintFor } from '../terminal/colour.ts';
import { diffText, linesText, viewText } from '../trace/trace-text.ts';
import { differenceOf } from '../../app/trace/view-request.ts';
import type { WholeRequests } from '../../app/trace/whole-requests.ts';
import { requestList, requestNumbered, runRequests } from '../../app/views/requests-of.ts';

/** `troupe prompt trace RUN`: every request as it left, from the journal. */
export async function promptTrace(invocation: Invocation): Promise<number> {
  const named = { ...invocation, words: [word(invocation, 1) ?? 'last'] };
  return await withRunOrChild(named, async (driving, { run }) => {
    const { all, whole } = await runRequests(driving, run);
    const agent = textOption(invocation, 'agent');
    await print(invocation, { all, lines: ofAgent(all, agent, run), agent, run }, whole);
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
  readonly run: RunId;
}

async function print(invocation: Invocation, listed: Listed, whole: WholeRequests): Promise<void> {
  const { lines } = listed;
  const call = countOption(invocation, 'call');
  const diff = textOption(invocation, 'diff');
  if (diff !== undefined) return await printDiff(invocation, pickTwo(listed, diff), whole);
  if (call !== undefined) return await printRequest(invocation, pick(listed, call), whole);
  if (flag(invocation, 'raw')) throw new Fault('USAGE', '--raw prints one request.', { hint: 'Say which: --call 1' });
  const { stdout } = invocation.terminal;
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(requestList(listed.run, lines))}\n`);
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
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify({ kind: 'request', ...view })}\n`);
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
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify({ kind: 'request.difference', ...difference })}\n`);
  else stdout.write(`${diffText(await whole.view(one), await whole.view(other), difference)}\n`);
}

/** By the number that the list prints, whichever agent is named. */
function pick({ all, lines, agent }: Listed, call: number): RequestLine {
  const found = requestNumbered(all, call);
  if (agent === undefined || found.agent === agent) return found;
  throw new Fault('USAGE', `Request ${call} is one of ${found.agent}, not of ${agent}.`, {
    hint: `Those of ${agent}: ${lines.map(({ number }) => number).join(', ')}.`,
  });
}
