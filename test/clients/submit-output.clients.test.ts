import { describe, expect, test, vi } from 'vitest';
import { jsonLines } from '../cli/sandbox.ts';
import { clientProject } from './client-project.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });
const hand = (name: string, content: unknown): object => tool('mcp__troupe__submit_output', { name, content });

const TASKS = [{ id: 1, description: 'Say hello', files: ['hello.ts'], risk: 'low' }];

const WORKFLOW = `name: plan only
phases:
  - id: planning
    agent_type: planning
    actor: claude-code
    input: { user_request: "\${user_request}" }
    output:
      plan: specs/plan.md
      tasks: specs/tasks.json
`;

/** What the client's model says: it tries to write, then hands in, once wrongly. */
const SPOKEN = [
  {
    when: { contains: 'Phase: planning' },
    steps: [
      tool('Write', { file_path: 'specs/plan.md', content: 'mine' }),
      tool('mcp__troupe__report_progress', { progress: 0.3, message: 'Looked around' }),
      hand('tasks', '[{"id": 1}]'),
      hand('tasks', JSON.stringify(TASKS)),
      hand('plan', '# Plan\n'),
      'All is handed in.',
    ],
  },
];

const client = findClient('claude');

describe.skipIf(client.isMissing)(`outputs of the real client ${client.title}`, () => {
  test('[PH3] [PH4] a planning agent that may only read delivers its plan at the desk', async () => {
    const files = {
      'plan.yml': WORKFLOW,
      // For sub-agents, which are not used here.
      '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.json }\n',
      'answers.json': '{ "rules": [] }',
    };
    const { troupe } = await clientProject(client, files, SPOKEN);
    const ran = await troupe(['run', 'plan.yml', '--input', 'user_request=Say hello', '--json']);
    const lines = jsonLines(ran.stdout);
    expect([lines.at(-1)?.['outcome'], ran.stderr]).toEqual(['ok', expect.anything()]);
    expect(lines.flatMap(({ kind, name }) => (kind === 'output.handed' ? [name] : []))).toEqual(['tasks', 'plan']);
    expect(lines.find(({ kind }) => kind === 'progress.noted')).toMatchObject({ agent: 'planning', progress: 0.3 });
    const artifacts = lines.filter(({ kind }) => kind === 'artifact.recorded');
    expect(artifacts).toMatchObject([
      { artifact: { name: 'plan', path: 'specs/plan.md', type: 'plan', bytes: 7 } },
      { artifact: { name: 'tasks', path: 'specs/tasks.json', type: 'plan' } },
    ]);
  });
});
