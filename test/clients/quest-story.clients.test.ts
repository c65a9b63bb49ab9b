import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { QuestView } from '../../src/formats/quest/views/quest-view.ts';
import { jsonLines, type Sandbox } from '../cli/sandbox.ts';
import { clientProject } from './client-project.ts';
import { isRunning, processesWith, until } from './client-rig.ts';
import { findClient } from './find-client.ts';

// A whole quest with a large program, on machines that may be busy with others.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

interface Step {
  readonly id: string;
  readonly after: readonly string[];
}

/** Four could begin at once. */
const STEPS: readonly Step[] = [
  { id: 'words', after: [] },
  { id: 'tones', after: [] },
  { id: 'names', after: [] },
  { id: 'colours', after: [] },
  { id: 'greeter', after: ['words', 'names'] },
  { id: 'program', after: ['greeter', 'tones', 'colours'] },
];

/** What Ward runs: no file may have a flaw, and each is made of those it comes after. */
const CHECK = [
  'if grep -rs flaw src; then echo "there is a flaw"; exit 1; fi',
  ...STEPS.flatMap(({ id, after }) =>
    [id, ...after].map((word) => `test ! -e src/${id}.txt || grep -q ${word} src/${id}.txt || exit 1`),
  ),
  '',
].join('\n');

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });
const signal = (stepId: string, given: object): object => tool('mcp__troupe__signal_back', { stepId, ...given });
const complete = (stepId: string): object => signal(stepId, { signal: 'complete', summary: `${stepId} is fine` });
const bash = (command: string): object => tool('Bash', { command, description: 'A command' });

function stepRules({ id, after }: Step): readonly object[] {
  const parts = after.map((one) => `src/${one}.txt`).join(' ');
  const weave = `mkdir -p src && sleep 3 && (echo ${id}; ${parts === '' ? 'true' : `cat ${parts}`}) > src/${id}.txt`;
  const flaw = id === 'tones' ? ' && echo flaw >> src/tones.txt' : '';
  const asks = { signal: 'needs-user-input', question: 'Whose names?', context: 'There are many.' };
  const woven = [bash(`${weave}${flaw}`), complete(id), 'Done.'];
  return [
    { when: { contains: `/The step to test is "${id}"/` }, steps: [complete(id), 'Done.'] },
    ...(id === 'names' ? [{ when: { contains: 'A person answered: of friends' }, steps: woven }] : []),
    {
      when: { contains: `/Your step is "${id}"/` },
      steps: id === 'names' ? [signal(id, asks), 'I wait.'] : woven,
    },
  ];
}

/** What the model says as each of the roles, all of them played by the client. */
const PLOT = [
  { when: { contains: 'The id of your step is "review"' }, steps: [complete('review'), 'Done.'] },
  {
    when: { contains: 'Ward fails on the step "tones"' },
    steps: [bash('echo tones > src/tones.txt'), complete('tones'), 'Done.'],
  },
  ...STEPS.flatMap(stepRules),
  {
    when: { contains: 'Map it to the files' },
    steps: [
      tool('mcp__troupe__plan_steps', {
        steps: STEPS.map(({ id, after }) => ({
          id,
          title: `Write ${id}`,
          files: [`src/${id}.txt`],
          after,
          acceptance: [`src/${id}.txt is there`],
        })),
      }),
      'Done.',
    ],
  },
  {
    when: { contains: '# The request' },
    steps: [
      tool('mcp__troupe__set_requirements', { requirements: ['It greets.'], contexts: [], observables: ['A text.'] }),
      'Done.',
    ],
  },
];

const client = findClient('claude');

describe.skipIf(client.isMissing)(`the story of a quest with the real client ${client.title}`, () => {
  test('[Q1] [Q3] [Q5] [Q6] [Q7] [Q9] [L6] never more than three at once, fixed, asked, killed twice, merged, tested and reported', async () => {
    const files = { 'check.sh': CHECK, '.troupe/config.yaml': "ward: ['sh check.sh']\n" };
    const { sandbox, server, troupe, start } = await clientProject(client, files, PLOT);
    const begun = start(['run', 'quest', 'A greeter', '--actor', 'claude-code', '--json', '--no-input']);
    const events = new StepEvents(begun.lines);
    const session = await events.weaverAtWork();
    process.kill(await agentOf(session), 'SIGKILL');
    await events.of('"CLIENT_CRASHED"');
    // The same one again, in its conversation.
    expect(await events.weaverAtWork(session)).toBe(session);
    begun.child.kill('SIGKILL');
    const first = await begun.ended;

    const run = String(jsonLines(whole(first.stdout))[0]?.['run']);
    const rested = await troupe(['resume', run, '--json', '--no-input']);
    expect(rested).toMatchObject({ code: 3, stderr: expect.stringContaining('Whose names?') });
    const answered = await troupe(['answer', run, 'of friends', '--json', '--no-input']);
    expect(jsonLines(answered.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: { ward: 'green' } });

    const all = [first, rested, answered].flatMap(({ stdout }) => jsonLines(whole(stdout)));
    expect(mostAtOnce(all)).toBe(3);
    const asked = JSON.stringify(server.requests.map(({ body }) => body));
    expect(asked).toContain('Your last attempt ended early: ');
    expect(asked).toContain('The engine stopped while you were at work.');
    expect(asked).toContain('there is a flaw');

    expectTested(sandbox, run);
    await expectStory(sandbox, run);
  });
});

/** Of the branch, as it would be checked out. */
function expectTested({ project: folder, home }: Sandbox, run: string): void {
  const merged = join(home, 'merged');
  execFileSync('git', ['clone', '-q', '--branch', `troupe/${run}`, folder, merged]);
  expect(spawnSync('sh', ['check.sh'], { cwd: merged }).status).toBe(0);
  expect(new Set(readFileSync(join(merged, 'src/program.txt'), 'utf8').trim().split('\n'))).toEqual(
    new Set(STEPS.map(({ id }) => id)),
  );
}

async function expectStory(sandbox: Sandbox, run: string): Promise<void> {
  const view = JSON.parse((await sandbox.troupe(['quest', 'show', run, '--json'])).stdout) as QuestView;
  expect(view.steps.map(({ id, status }) => [id, status])).toEqual(STEPS.map(({ id }) => [id, 'merged']));
  const tones = view.steps.find(({ id }) => id === 'tones');
  expect(tones?.checks.map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
  // An agent killed before its client saved the conversation begins a new one.
  const roles = new Set(tones?.sessions.map(({ role }) => role));
  expect([...roles]).toEqual(['codeweaver', 'spiritmender', 'siegemaster']);
  // The reviewer has written none of it.
  const reviewers = view.sessions.filter(({ role }) => role === 'lawbringer').map(({ session }) => session);
  expect(reviewers).toHaveLength(1);
  const authors = view.steps.flatMap((step) => step.sessions.map(({ session }) => session));
  expect(authors).not.toContain(reviewers[0]);
  const text = readFileSync(join(sandbox.home, 'runs', run, 'quest.md'), 'utf8');
  for (const line of ['A greeter', 'It greets.', 'Whose names?', 'of friends', ...STEPS.map(({ id }) => `Write ${id}`)])
    expect(text).toContain(line);
}

/** What a run tells line by line. */
class StepEvents {
  readonly #lines: AsyncIterator<string>;
  readonly #sessions = new Map<string, string>();

  constructor(lines: AsyncIterator<string>) {
    this.#lines = lines;
  }

  /** The session of the next Codeweaver, or of this one, that is at its command. */
  async weaverAtWork(wanted?: string): Promise<string> {
    for (;;) {
      const line = await this.of('sleep 3');
      const session = this.#sessions.get(line.run);
      const isRunning = line.kind === 'activity.noted' && line.text.includes('"status":"running"');
      if (isRunning && session !== undefined && (wanted ?? session) === session) return session;
    }
  }

  /** The next line in which these words stand. */
  async of(words: string): Promise<{ readonly kind: string; readonly run: string; readonly text: string }> {
    for (;;) {
      const { value: text, done } = await this.#lines.next();
      if (done === true) throw new Error(`It ended without a word of ${words}.`);
      const { kind, run, agent, session } = JSON.parse(text) as Readonly<Record<string, string>>;
      if (kind === 'session.noted' && agent === 'codeweaver') this.#sessions.set(run ?? '', session ?? '');
      if (text.includes(words)) return { kind: kind ?? '', run: run ?? '', text };
    }
  }
}

async function agentOf(session: string): Promise<number> {
  const running = () => processesWith(session).filter((pid) => isRunning(client.program, pid));
  await until(() => running().length > 0);
  return running()[0] ?? 0;
}

/** A process that was killed may have written half a line. */
const whole = (stdout: string): string => stdout.slice(0, stdout.lastIndexOf('\n') + 1);

/** How many steps had a slot at the same time, by the events. */
function mostAtOnce(lines: readonly Readonly<Record<string, unknown>>[]): number {
  const busy = new Set<string>();
  const names = new Map<unknown, string>();
  let most = 0;
  for (const { kind, run, unit, to, input } of lines) {
    const { step } = (input ?? {}) as { readonly step?: { readonly id: string } };
    if (kind === 'run.started' && step !== undefined) names.set(run, step.id);
    const name = names.get(run) ?? '';
    if (kind === 'run.started' && name !== '') busy.add(name);
    if (kind === 'run.settled') busy.delete(name);
    if (kind === 'unit.moved' && to === 'running') busy.add(String(unit));
    if (kind === 'unit.moved' && to !== 'running') busy.delete(String(unit));
    most = Math.max(most, busy.size);
  }
  return most;
}
