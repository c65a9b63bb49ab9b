import { describe, expect, test, vi } from 'vitest';
import type { ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { QuestView } from '../../src/formats/quest/views/quest-view.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { clientProject } from './client-project.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });
const signal = (signalled: object): object => tool('mcp__troupe__signal_back', { stepId: 'one', ...signalled });
const bash = (command: string): object => tool('Bash', { command, description: 'A command' });

const COMPLETE = { signal: 'complete', summary: 'It is written.' };
const FOLLOWUP = {
  signal: 'needs-role-followup',
  targetRole: 'spiritmender',
  reason: 'a rope is loose',
  context: 'In the cellar.',
  resume: true,
};

/** What the client's model says. In one conversation all is heard, so what is said last is looked for first. */
const SPOKEN = [
  // Asked again: it lies, is not believed, does it and says so; it would then say something else.
  {
    when: { contains: 'Call `signal_back` now' },
    steps: [
      signal(COMPLETE),
      bash('echo second >> one.txt'),
      signal(COMPLETE),
      signal({ ...COMPLETE, summary: 'No, otherwise.' }),
      'Done.',
    ],
  },
  { when: { contains: 'spiritmender is done: The rope is tied.' }, reply: 'I think I am done.' },
  { when: { contains: 'Go on here: the second line' }, steps: [signal(FOLLOWUP), 'I wait.'] },
  {
    when: { contains: 'You are called in for the step "one"' },
    steps: [bash('echo tied > rope.txt'), signal({ signal: 'complete', summary: 'The rope is tied.' }), 'Done.'],
  },
  {
    when: { contains: 'Your step is "one"' },
    steps: [
      { say: 'Words of the first session.', ...bash('echo first > half.txt') },
      signal({ signal: 'partially-complete', progress: 'One line.', continuationPoint: 'the second line' }),
      'I have no room left.',
    ],
  },
];

/** What the configured model says as everybody else. */
const OTHERS = {
  rules: [
    {
      when: { role: 'chaoswhisperer' },
      reply: tool('set_requirements', { requirements: ['Two lines.'], contexts: [], observables: [] }),
    },
    {
      when: { role: 'pathseeker' },
      reply: tool('plan_steps', {
        steps: [{ id: 'one', title: 'Write one', files: ['one.txt'], after: [], acceptance: ['it is there'] }],
      }),
    },
    ...['siegemaster', 'lawbringer'].map((role) => ({
      when: { role },
      reply: tool('signal_back', { ...COMPLETE, stepId: role === 'lawbringer' ? 'review' : 'one' }),
    })),
  ],
};

const client = findClient('claude');

describe.skipIf(client.isMissing)(`signals of the real client ${client.title}`, () => {
  test('[Q2] [Q3] [L4] a fresh session, a followup, a nudge and a refusal later its word is taken, once', async () => {
    const files = {
      '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.json }\n',
      'answers.json': JSON.stringify(OTHERS),
    };
    const { server, troupe } = await clientProject(client, files, SPOKEN);
    const cast = ['--actor', 'codeweaver=claude-code', '--actor', 'spiritmender=claude-code'];
    const ran = await troupe(['run', 'quest', 'Two lines', ...cast, '--json']);
    const lines = jsonLines(ran.stdout);
    expect(lines.at(-1)).toMatchObject({ outcome: 'ok' });

    const noted = lines.filter(({ kind, agent }) => kind === 'session.noted' && agent === 'codeweaver');
    const [first, second, third] = noted.map(({ session }) => session);
    expect(noted.map(({ how }) => how)).toEqual(['new', 'new', 'resumed']);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    expect(lines.filter(({ kind }) => kind === 'turn.nudged')).toHaveLength(1);

    const said = (words: string): string => saidAfter(server, words);
    // A fresh session knows the place and what is there, and nothing of the words of the one before.
    expect(said('Go on here: the second line')).toContain('+first');
    expect(said('Go on here: the second line')).not.toContain('Words of the first session.');
    // Nudged in its own conversation, with what is missing.
    expect(said('Call `signal_back` now')).toContain('Go on here: the second line');
    const last = said('Not accepted. This is missing:');
    expect(last).toContain('one.txt does not exist.');
    // For the followup before. After the last one its model is not asked again.
    expect(last.match(/Received\. Your turn is over/g)).toHaveLength(1);
    expect(said('No, otherwise.')).toBe('');

    const run = String(lines.at(-1)?.['run']);
    const view = JSON.parse((await troupe(['quest', 'show', run, '--json'])).stdout) as QuestView;
    const signals = view.steps[0]?.signals.map((one) => `${one.role} ${one.signal} ${one.status}`);
    expect(signals).toEqual([
      'codeweaver partially-complete taken',
      'codeweaver needs-role-followup taken',
      'spiritmender complete taken',
      'codeweaver complete refused',
      'codeweaver complete taken',
      'siegemaster complete taken',
    ]);
    expect(view.steps[0]).toMatchObject({ status: 'merged', summary: 'It is written.' });
  });
});

/** The last that the model was asked in which these words stand. */
function saidAfter({ requests }: ScriptedServer, words: string): string {
  const bodies = requests.map(({ body }) => JSON.stringify(body).replaceAll(String.raw`\"`, '"'));
  return bodies.findLast((body) => body.includes(words)) ?? '';
}
