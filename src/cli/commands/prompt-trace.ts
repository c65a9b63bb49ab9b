import { Fault } from '../../core/fault.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withNamedRun } from '../files/with-run.ts';
import { countOption, flag, textOption, word } from '../invocation.ts';
import { paintFor } from '../terminal/colour.ts';
import { tracedCalls } from '../trace/traced-calls.ts';
import { differenceOf, traceRequests, viewOf, type TracedRequest } from '../trace/trace-requests.ts';
import { diffText, linesText, viewText } from '../trace/trace-text.ts';

/** `troupe prompt trace RUN`: every request as it left, built again from the journal by the code that sent it. */
export async function promptTrace(invocation: Invocation): Promise<number> {
  const named = { ...invocation, words: [word(invocation, 1) ?? 'last'] };
  return await withNamedRun(named, async ({ store, world, actors }, { run }) => {
    const all = await traceRequests(await tracedCalls(store.journal, run), { world, actors, journal: store.journal });
    const requests = ofAgent(all, textOption(invocation, 'agent'), run);
    print(invocation, requests);
    return EXIT.ok;
  });
}

function ofAgent(all: readonly TracedRequest[], agent: string | undefined, run: string): readonly TracedRequest[] {
  if (agent === undefined) return all;
  const own = all.filter(({ line }) => line.agent === agent);
  if (own.length > 0) return own;
  const names = [...new Set(all.map(({ line }) => line.agent))];
  throw new Fault('AGENT_UNKNOWN', `No agent named "${agent}" made a request in run ${run}.`, {
    hint: names.length === 0 ? 'The run made no requests.' : `Those that did: ${names.join(', ')}.`,
    facts: { agents: names },
  });
}

function print(invocation: Invocation, requests: readonly TracedRequest[]): void {
  const call = countOption(invocation, 'call');
  const diff = textOption(invocation, 'diff');
  if (diff !== undefined) return printDiff(invocation, requests, diff);
  if (call !== undefined) return printRequest(invocation, pick(requests, call));
  if (flag(invocation, 'raw')) throw new Fault('USAGE', '--raw prints one request.', { hint: 'Say which: --call 1' });
  const { stdout } = invocation.terminal;
  const lines = requests.map(({ line }) => line);
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(lines)}\n`);
  else if (lines.length === 0) stdout.write('The run made no requests.\n');
  else stdout.write(`${linesText(lines, stdout.columns || 140)}\n`);
}

function printRequest({ terminal, ...invocation }: Invocation, request: TracedRequest): void {
  const { stdout } = terminal;
  if (flag({ terminal, ...invocation }, 'raw')) stdout.write(`${JSON.stringify(request.built.body, null, 2)}\n`);
  else if (flag({ terminal, ...invocation }, 'json')) stdout.write(`${JSON.stringify(viewOf(request))}\n`);
  else stdout.write(`${viewText(viewOf(request), paintFor(stdout, terminal.environment))}\n`);
}

function printDiff(invocation: Invocation, requests: readonly TracedRequest[], given: string): void {
  const numbers = /^(\d+)[,.]+(\d+)$/.exec(given);
  if (numbers === null) {
    throw new Fault('USAGE', `--diff takes the numbers of two requests; it is "${given}".`, {
      hint: 'For example: --diff 3,4',
    });
  }
  const [one, other] = [pick(requests, Number(numbers[1])), pick(requests, Number(numbers[2]))];
  const difference = differenceOf(one, other);
  const { stdout } = invocation.terminal;
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(difference)}\n`);
  else stdout.write(`${diffText(viewOf(one), viewOf(other), difference)}\n`);
}

/** By its place in the list: of the run, or of the agent that was named. */
function pick(requests: readonly TracedRequest[], call: number): TracedRequest {
  const found = requests[call - 1];
  if (found !== undefined) return found;
  const range = requests.length === 0 ? 'There are none.' : `They are numbered from 1 to ${requests.length}.`;
  throw new Fault('USAGE', `There is no request ${call}.`, { hint: `${range} Leave --call out to see them.` });
}
