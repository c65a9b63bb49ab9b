import { expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { promptFor } from '../../src/actors/model/prompt.ts';
import { createRunStory } from '../../src/cli/terminal/run-story.ts';
import { logText } from '../../src/cli/terminal/log-text.ts';
import { NO_RESULT } from '../../src/core/look/result-state.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { RunLogLines } from '../../src/protocol/log-lines/run-log-lines.ts';
import { Metrics } from '../../src/protocol/metrics/metrics.ts';
import { TraceFold } from '../../src/telemetry/run-spans.ts';
import { historyOf } from '../../web/model/run-history.ts';
import { emptyTree, takeLines } from '../../web/model/run-tree.ts';
import { FilesBench, uses } from './bench.ts';

const COMMANDS = ['true', 'echo red; exit 1', 'kill -9 $$'] as const;

/** An agent runs the commands one after the other, and is done. */
async function ranBy(commands: readonly string[]) {
  const requests: CallRequest[] = [];
  const bench = new FilesBench({
    files: { a: 'a\n' },
    answer: (request) => {
      requests.push(request);
      const command = commands[request.call - 1];
      return command === undefined ? says('done') : uses('execute_terminal', { command }, `c${request.call}`);
    },
  });
  const { host } = bench.host();
  const definition = build({
    roles: { coder: {} },
    states: [work('start', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  const run = await host.start({ definition, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  return { run, records: await bench.journal.read(run), requests };
}

const lastResult = (request: CallRequest | undefined) =>
  request === undefined ? null : promptFor(request, { provider: 'p', model: 'm' }).messages.at(-1);

test('[L3] a command that fails is a failure in the journal, for the model and in every view, and runs once', async () => {
  const { run, records, requests } = await ranBy(COMMANDS);
  const facts = records.map(({ fact }) => fact).filter((fact) => fact.kind === 'tool.finished');
  expect(facts.map(({ toolCall, isError }) => [toolCall, isError])).toEqual([
    ['c1', false],
    ['c2', true],
    ['c3', true],
  ]);
  expect(facts[1]?.content).toBe('Exit code 1\nred\n');
  expect(facts.every(({ tries }) => tries === undefined)).toBe(true);
  expect(lastResult(requests[1])).toMatchObject({ content: [{ output: { type: 'text' } }] });
  expect(lastResult(requests[2])).toMatchObject({ content: [{ output: { type: 'error-text' } }] });

  const teller = new RunLogLines(run);
  const calls = records.flatMap((record) => teller.linesOf(record)).filter(({ event }) => event === 'tool_call');
  expect(calls.map(({ status }) => status)).toEqual(['success', 'failed', 'failed']);
  expect(marksOf(run, records)).toEqual(['✓', '✗', '✗']);

  const metrics = new Metrics(0);
  const counted = records.map((record) => ({ run, record, isInherited: false }));
  metrics.add({ run, title: '', project: '', status: 'settled', driven: false, result: NO_RESULT, records: counted });
  expect(metrics.view().tools).toMatchObject([{ tool: 'execute_terminal', ok: 1, failed: 2 }]);

  const trace = new TraceFold({ traceId: 'f'.repeat(32), parentSpanId: null, hasContent: false });
  const spans = records
    .flatMap((record) => trace.take(run, record))
    .filter(({ name }) => name.startsWith('execute_tool'));
  expect(spans.map(({ error }) => error?.code ?? null)).toEqual([null, 'tool_error', 'tool_error']);
});

test('[U2] a command that fails is marked as failed on the page and stands among the problems', async () => {
  const { run, records } = await ranBy(COMMANDS);
  const lines = records.map((record) => ({ run, record }));
  const state = takeLines(emptyTree(run), lines).tree.runs.get(run);
  if (state === undefined) throw new Error('The run is missing.');
  const uses = historyOf(state).transcript.entries.flatMap((entry) => (entry.kind === 'said' ? entry.uses : []));
  expect(uses.map(({ status }) => status)).toEqual(['ok', 'failed', 'failed']);
  expect(historyOf(state).problems).toMatchObject([
    { kind: 'tool', code: 'TOOL_FAILED', text: 'execute_terminal echo red; exit 1', detail: 'Exit code 1\nred\n' },
    { kind: 'tool', code: 'TOOL_FAILED', text: 'execute_terminal kill -9 $$' },
  ]);
});

/** The marks of the tool lines, which `logs` and `watch` have in common. */
function marksOf(run: string, records: readonly JournalRecord[]): readonly string[] {
  const story = createRunStory({ root: null });
  const watched = records.flatMap((record) => story.lines(run, record)).map(({ text }) => text);
  const logged = records.flatMap((record) => logText(record) ?? []);
  const marks = (texts: readonly string[]) => texts.flatMap((text) => /[✓✗](?= (?:exec|Exit|Ended))/u.exec(text) ?? []);
  expect(marks(logged)).toEqual(marks(watched));
  return marks(watched);
}
