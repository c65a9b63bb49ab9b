import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { clientProject } from './client-project.ts';
import { until } from './client-rig.ts';
import { nextLine } from './fake-claude.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000 });

const claude = findClient('claude');
const bash = (command: string) => ({ name: 'Bash', arguments: { command, description: 'A command' } });

const FLOW = `import { defineWorkflow } from 'troupe';
export const flow = defineWorkflow({
  name: 'flow', data: {}, agents: { coder: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'coder', input: "'Write the greeting'" }, transitions: ['done'] },
    done: { kind: 'end', output: 'this.last_agent_response' },
  },
});
`;

/** What is said last is looked for first. */
const RULES = [
  {
    when: { contains: 'Say it louder' },
    steps: [{ tools: [bash('echo HELLO >> greeting.txt')] }, 'It is louder now.'],
  },
  {
    when: { contains: 'Write the greeting' },
    steps: [{ tools: [bash('echo hello > greeting.txt; until test -e go; do sleep 0.05; done')] }, 'Written.'],
  },
];

describe.skipIf(claude.isMissing)(`the real client ${claude.title}`, () => {
  test('[U2] [Q4] what a person says while it works comes with one prompt more, in the same session', async () => {
    const { sandbox, troupe, start } = await clientProject(
      claude,
      {
        '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.json }\n',
        'answers.json': '{"rules":[]}',
        '.troupe/roles/roles.json': JSON.stringify({ coder: { level: 'base', systemMessage: 'You work.' } }),
        'flow.ts': FLOW,
      },
      RULES,
    );
    const running = start(['run', 'flow.ts', '--actor', 'claude-code', '--json']);
    const run = String((await nextLine(running, 'run.started'))['run']);
    const place = (JSON.parse((await troupe(['show', run, '--json'])).stdout) as RunView).folder ?? '';
    await until(() => existsSync(join(place, 'greeting.txt')));
    const sent = await troupe(['tell', run, 'coder', 'Say it louder', '--json']);
    expect(JSON.parse(sent.stdout)).toMatchObject({ kind: 'agent.told', isDriven: true });
    writeFileSync(join(place, 'go'), '');
    const lines = jsonLines((await running.ended).stdout);
    expect(lines.at(-1)).toMatchObject({ outcome: 'ok', output: 'It is louder now.' });
    expect(readFileSync(join(place, 'greeting.txt'), 'utf8')).toBe('hello\nHELLO\n');
    const sessions = new Set(lines.filter(({ kind }) => kind === 'session.noted').map(({ session }) => session));
    expect([sessions.size, sandbox.project === place]).toEqual([1, false]);
  });
});
