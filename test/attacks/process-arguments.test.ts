import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gitProject } from '../cli/file-projects.ts';
import { ASKING } from '../cli/projects.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { openMcp } from '../mcp/mcp-client.ts';
import { path, serve, type Served } from '../web/server/served.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Loaded by every Node process: writes down what it was started with, and by whom. */
const RECORDER = `
const { appendFileSync } = require('node:fs');
appendFileSync(process.env.ARGUMENTS_LOG, JSON.stringify({ starter: process.ppid, words: process.argv.slice(2) }) + '\\n');
`;

interface Started {
  readonly starter: number;
  readonly words: readonly string[];
}

/** A project whose processes are all recorded, and a text that occurs nowhere by accident. */
function watchedProject() {
  const text = `canary-${randomUUID()}`;
  const sandbox = gitProject({ 'asking.ts': ASKING.replace("choices: ['red', 'blue']", 'choices: []') });
  const log = join(sandbox.home, 'arguments.log');
  const environment = {
    NODE_OPTIONS: `--require=${sandbox.write('.troupe/recorder.cjs', RECORDER)}`,
    ARGUMENTS_LOG: log,
  };
  const started = (): readonly Started[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Started);
  return { text, sandbox, environment, started };
}

/** Which processes of the machine ever had the text in their arguments while the test ran. */
function seenInProcesses(text: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const words = argumentsOf(pid);
      if (words.includes(text)) seen.add(words);
    }
  };
  const timer = existsSync('/proc/self/cmdline') ? setInterval(look, 5) : undefined;
  onTestFinished(() => clearInterval(timer));
  return seen;
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** With what processes that drive runs were started, and which of all processes had the text in their arguments. */
function requests(all: readonly Started[], text: string) {
  const sent = all.filter(({ starter }) => starter !== process.pid);
  return {
    driving: sent.map(({ words }) => words).filter(([verb]) => verb === 'drive'),
    withText: sent.filter(({ words }) => words.some((word) => word.includes(text))),
  };
}

/** The verb alone: everything else comes over standard input. */
const drives = (count: number) => Array.from({ length: count }, () => ['drive']);

async function begin(page: Served, workflow: string, input = {}): Promise<string> {
  const { status, body } = await page.post('/api/runs', { workflow, input });
  expect([status, body.error]).toEqual([200, undefined]);
  return String(body['run']);
}

async function untilStatus(page: Served, run: string, status: string): Promise<void> {
  await expect.poll(async () => (await page.get(path(run))).body['status'], { timeout: 60_000 }).toBe(status);
}

test('[R2] [F62] no text that is given on the page stands in the arguments of a process', async () => {
  const { text, sandbox, environment, started } = watchedProject();
  const page = await serve(sandbox, [], { environment });
  const seen = seenInProcesses(text);
  const act = async (run: string, verb: string, body: object): Promise<void> => {
    const { status, body: answer } = await page.post(path(run, verb), body);
    expect([verb, status, answer.error]).toEqual([verb, 200, undefined]);
  };
  const writing = await begin(page, 'two_steps', { task: text });
  const [asking, other] = [await begin(page, 'asking.ts'), await begin(page, 'asking.ts')];
  await untilStatus(page, asking, 'waiting');
  await act(asking, '/answer', { question: 'q1', text });
  await untilStatus(page, other, 'waiting');
  await act(other, '/cancel', { reason: text });
  await untilStatus(page, writing, 'settled');
  await act(writing, '/fork', { at: 'again', title: text, input: { task: text }, tell: [{ agent: 'worker', text }] });
  // The shell that runs the command has to show it; the programs that pass it on have not.
  const verify = `true # ${randomUUID()}`;
  await act(writing, '/deliver', { to: { kind: 'branch', name: 'result' }, verify });
  expect([...seen]).toEqual([]);
  // Three starts and a fork; an answer that ends its run, a cancel and a delivery are done by the server itself.
  expect(requests(started(), text)).toEqual({ driving: drives(4), withText: [] });
  expect(requests(started(), verify).withText).toEqual([]);
  expect((await page.get(path(writing))).body['input']).toEqual({ task: text });
});

test('[R2] [F62] no text that is given over MCP stands in the arguments of a process', async () => {
  const { text, sandbox, environment, started } = watchedProject();
  await sandbox.troupe(['trust', '--yes']);
  const { call } = await openMcp(sandbox, { environment });
  const seen = seenInProcesses(text);
  const does = async (tool: string, given: object): Promise<string> => {
    const report = await call(tool, { ...given });
    expect([tool, report.error]).toEqual([tool, undefined]);
    return String(report['run']);
  };
  const run = await does('start_run', { workflow: 'two_steps', input: { task: text } });
  const [asking, other] = [
    await does('start_run', { workflow: 'asking.ts' }),
    await does('start_run', { workflow: 'asking.ts' }),
  ];
  await does('wait_run', { run: asking });
  await does('answer_question', { run: asking, question: 'q1', text });
  await does('wait_run', { run: other });
  await does('cancel_run', { run: other, reason: text });
  await does('wait_run', { run });
  await does('fork_run', { run, at: 'again', title: text });
  expect([...seen]).toEqual([]);
  expect(requests(started(), text)).toEqual({ driving: drives(4), withText: [] });
});

test('[R2] [F62] a command that goes on in the background does not repeat in its arguments what its user typed', async () => {
  const { text, sandbox, environment, started } = watchedProject();
  const typed = async (words: readonly string[]): Promise<string> => {
    // As a process: its environment makes every process below it note its arguments.
    const { code, stdout, stderr } = await sandbox.start([...words, '--detach', '--json'], { environment }).ended;
    expect([words[0], code, stderr]).toEqual([words[0], 0, '']);
    return String(jsonLines(stdout)[0]?.['run']);
  };
  const run = await typed(['run', 'two_steps', text]);
  const asking = await typed(['run', 'asking.ts']);
  await Promise.all([run, asking].map((each) => sandbox.troupe(['watch', each])));
  await typed(['fork', run, '--at', 'again', '--title', text, '--tell', `worker=${text}`]);
  await typed(['answer', asking, 'q1', text]);
  expect(requests(started(), text)).toEqual({ driving: drives(3), withText: [] });
});
