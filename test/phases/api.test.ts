import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createModelActor } from '../../src/actors/model/model-actor.ts';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { Json } from '../../src/core/model/json.ts';
import { FilesBench } from '../workspaces/bench.ts';
import { definitionOf, document } from './phases-bench.ts';

const call = (name: string, given: Json): Json => ({ name, arguments: given });
const hands = (name: string, content: string): Json => call('submit_output', { name, content });
const writes = (path: string, content: string): Json => call('write_file', { path, content });
const TASKS = JSON.stringify([{ id: 1, description: 'Say hello', files: ['src/hello.ts'], risk: 'low' }]);

const checks = (failed: number): Json => [
  {
    tools: [hands('walkthrough', '# Seen\n'), hands('report', JSON.stringify({ tests_failed: failed, failures: [] }))],
  },
  'Seen.',
];

const RULES: Json = [
  { when: { agent: 'planning' }, steps: [{ tools: [hands('plan', '# Hello\n'), hands('tasks', TASKS)] }, 'Planned.'] },
  {
    when: { agent: 'execution' },
    steps: [{ tools: [writes('src/hello.ts', 'helo\n'), writes('outputs/execution_report.json', '{}')] }, 'Built.'],
  },
  { when: { agent: 'verification', contains: 'helo\n' }, steps: checks(1) },
  { when: { agent: 'verification' }, steps: checks(0) },
  { when: { agent: 'fix' }, steps: [{ tools: [writes('src/hello.ts', 'hello\n')] }, 'Mended.'] },
];

test("[U4] [PH1] [PH6] the document's two-phase feature with a model behind an API: red once, fixed, green", async () => {
  const parsed = parseScenario({ rules: RULES });
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  onTestFinished(() => server.close());
  const actor = createModelActor({
    name: 'base',
    provider: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
    model: 'scripted',
    price: { input: 1, output: 2 },
  });
  const bench = new FilesBench({
    files: { 'readme.txt': 'a sample\n' },
    answer: () => {
      throw new Error('The server answers.');
    },
  });
  const { host, world } = bench.host({ actorFor: () => Promise.resolve(actor) });
  const definition = await definitionOf(document('two_phase_feature'));
  const input = { user_request: 'Say hello', feature_name: 'hello' };
  const run = await host.start({ definition, input, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', output: { phases: { fix: { outcome: 'ok' } } } });
  const folder = world.workspaces.folderOf(run, 'main');
  expect(readFileSync(join(folder, 'src/hello.ts'), 'utf8')).toBe('hello\n');
  expect(readFileSync(join(folder, 'specs/hello_plan.md'), 'utf8')).toBe('# Hello\n');
  const agents = server.requests.map(({ headers }) => String(headers['x-troupe-agent']));
  expect([...new Set(agents)]).toEqual(['planning', 'execution', 'verification', 'fix']);
  expect(agents.slice(-2)).toEqual(['verification', 'verification']);
});
