import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QuestBook } from '../../src/formats/quest/app/find-quest.ts';
import { questJson, questPlace } from '../../src/formats/quest/app/quest-writer.ts';
import { questText } from '../../src/formats/quest/app/quest-text.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { StoredRecord } from '../../src/core/record/stored-record.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { foldQuest } from '../../src/formats/quest/views/fold-quest.ts';
import type { QuestStep, QuestView } from '../../src/formats/quest/views/quest-view.ts';
import { createSandbox, jsonLines, type Sandbox } from './sandbox.ts';

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });

const signal = (stepId: string, more: object = { signal: 'complete', summary: `did ${stepId}` }): object =>
  tool('signal_back', { stepId, ...more });

const weaves = (step: string): object => ({
  when: { role: 'codeweaver', contains: `step is "${step}"` },
  steps: [tool('write_file', { path: `${step}.txt`, content: `${step}\n` }), signal(step)],
});

const SCENARIO = {
  rules: [
    {
      when: { role: 'chaoswhisperer' },
      reply: tool('set_requirements', {
        requirements: ['It greets people.'],
        contexts: ['A house.'],
        observables: ['A greeting is heard.'],
      }),
    },
    {
      when: { role: 'pathseeker' },
      reply: tool('plan_steps', {
        steps: [
          {
            id: 'words',
            title: 'Write the words of the greeting',
            files: ['words.txt'],
            after: [],
            acceptance: ['there'],
          },
          { id: 'door', title: 'Paint the door', files: [], after: [], acceptance: ['painted'] },
          { id: 'both', title: 'Put both together', files: ['both.txt'], after: ['words', 'door'], acceptance: [] },
        ],
      }),
    },
    {
      when: { role: 'codeweaver', contains: 'A person answered: blue' },
      steps: [tool('write_file', { path: 'door.txt', content: 'blue\n' }), signal('door')],
    },
    {
      when: { role: 'codeweaver', contains: 'step is "door"' },
      reply: signal('door', { signal: 'needs-user-input', question: 'Which colour?', context: 'It is grey now.' }),
    },
    weaves('words'),
    weaves('both'),
    ...['words', 'door', 'both'].map((step) => ({
      when: { role: 'siegemaster', contains: `step is "${step}"` },
      reply: signal(step),
    })),
    { when: { role: 'lawbringer' }, reply: signal('review') },
  ],
};

const questProject = (): Sandbox =>
  createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    'answers.yaml': JSON.stringify(SCENARIO),
    'readme.txt': 'a sample\n',
  });

const runOf = (stdout: string): string => String(jsonLines(stdout).at(-1)?.['run']);

const fileOf = ({ home }: Sandbox, run: string): QuestView =>
  JSON.parse(readFileSync(questPlace(home, run).json, 'utf8')) as QuestView;

/** What the journal says now, as the two files. */
async function folded({ home }: Sandbox, run: string): Promise<{ readonly json: string; readonly text: string }> {
  const journal = await openSqliteJournal({ home });
  const view = (await QuestBook.open(journal, runId(run)))?.view();
  await journal.close();
  if (view === undefined) throw new Error(`${run} is not a quest`);
  return { json: questJson(view), text: questText(view) };
}

const filesOf = ({ home }: Sandbox, run: string) => {
  const { json, text } = questPlace(home, run);
  return { json: readFileSync(json, 'utf8'), text: readFileSync(text, 'utf8') };
};

test('[Q7] a quest is begun, looked at, answered, and looked at again', async () => {
  const sandbox = questProject();
  const begun = await sandbox.troupe(['quest', 'new', 'Greet people at the door', '--json']);
  expect(begun).toMatchObject({ code: 3, stderr: expect.stringContaining('Which colour?') });
  const run = runOf(begun.stdout);
  expect(filesOf(sandbox, run)).toEqual(await folded(sandbox, run));

  const steps = await sandbox.troupe(['quest', 'steps']);
  expect(steps.stdout).toContain(`${run}: waiting; steps: 3 (1 merged, 1 resting, 1 waiting)\n`);
  expect(steps.stdout).toMatch(/^door +resting +codeweaver +weaving#1 +Paint the door$/m);
  expect(steps.stdout).toMatch(/^words +merged +siegemaster +siege#1 +Write the words/m);
  expect(steps.stdout).toMatch(/^asks t\d+\/q1: Step door, codeweaver asks: Which colour\? It is grey now\.$/m);
  for (const line of steps.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  const { items: listed } = JSON.parse((await sandbox.troupe(['quest', 'steps', run, '--json'])).stdout) as {
    readonly items: readonly QuestStep[];
  };
  expect(listed.map(({ id, status }) => `${id} ${status}`)).toEqual(['words merged', 'door resting', 'both waiting']);

  const shown = await sandbox.troupe(['quest', 'show', run.slice(0, 5)]);
  expect(shown.stdout).toContain('# Greet people at the door');
  expect(shown.stdout).toContain('- It greets people.');
  expect(shown.stdout).toContain('- signal: codeweaver needs-user-input: Which colour?');
  for (const line of shown.stdout.split('\n').filter((one) => !one.includes('quest.md')))
    expect(line.length).toBeLessThanOrEqual(80);
  expect((await sandbox.troupe(['show', run])).stdout).toContain(`written   ${questPlace(sandbox.home, run).json}`);

  const answered = await sandbox.troupe(['quest', 'answer', 'blue', '--json']);
  expect({ code: answered.code, stderr: answered.stderr }).toEqual({ code: 0, stderr: '' });
  expect(filesOf(sandbox, run)).toEqual(await folded(sandbox, run));
  const view = JSON.parse((await sandbox.troupe(['quest', 'show', '--json'])).stdout) as QuestView;
  expect(view).toEqual(fileOf(sandbox, run));
  expect(view).toMatchObject({
    outcome: 'ok',
    steps: [{ status: 'merged' }, { status: 'merged' }, { status: 'merged' }],
  });
}, 120_000);

test('[Q7] interrupted, it stands the same in list, show, metrics, quest steps and quest show', async () => {
  const sandbox = questProject();
  const [first, ...rules] = SCENARIO.rules;
  const hanging = { when: { role: 'codeweaver' }, reply: { hang: true } };
  sandbox.write('answers.yaml', JSON.stringify({ rules: [first, hanging, ...rules] }));
  const { child, lines, ended } = sandbox.start(['quest', 'new', 'Greet people', '--json']);
  let speaking = 0;
  while (speaking < 2) {
    const { value, done } = await lines.next();
    if (done === true) break;
    const line = JSON.parse(value) as { readonly kind: string; readonly state?: string };
    if (line.kind === 'state.entered' && line.state === 'codeweaver') speaking += 1;
  }
  const running = await sandbox.troupe(['quest', 'steps']);
  expect(running.stdout).toMatch(/^\w+: running; steps: 3 \(2 running, 1 waiting\)$/m);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  const printed = await Promise.all(
    [['list'], ['show', 'last'], ['quest', 'steps'], ['quest', 'show'], ['metrics', 'last']].map((words) =>
      sandbox.troupe(words),
    ),
  );
  const [list = '', show = '', steps = '', quest = '', metrics = ''] = printed.map(({ stdout }) => stdout);
  expect(list).toMatch(/^\w+ +stopped +quest /m);
  expect(show).toMatch(/^status +stopped \(can be resumed\)$/m);
  expect(metrics).toMatch(/^status +stopped$/m);
  expect(steps).toMatch(/^\w+: stopped; steps: 3 \(2 stopped, 1 waiting\)$/m);
  expect(steps).toMatch(/^words +stopped +codeweaver /m);
  expect(steps).toMatch(/^continue with: troupe resume \w+$/m);
  expect(quest).toContain('- status: stopped, in work');
  expect(quest).not.toMatch(/running|## Slots/);
  // How long ago it was may be another second by now.
  const ageless = (text: string) => text.replaceAll(/\b\d+ ?[smh]\b/g, 'AGE').replaceAll(/ +/g, ' ');
  expect(ageless((await sandbox.troupe(['list', '--status', 'stopped'])).stdout)).toBe(ageless(list));
});

test('[Q7] a step that asks makes its quest wait, in list too', async () => {
  const sandbox = questProject();
  await sandbox.troupe(['quest', 'new', 'Greet people', '--json']);
  for (const words of [['list'], ['list', '--status', 'waiting']])
    expect((await sandbox.troupe(words)).stdout).toMatch(/^\w+ +waiting +quest /m);
  expect((await sandbox.troupe(['show', 'last'])).stdout).toMatch(/^status +waiting$/m);
  expect((await sandbox.troupe(['list', '--status', 'stopped'])).stdout).toBe('');
});

test('[Q7] killed with -9 at any time, the file is the fold of what was written by then; gone on with, it is whole', async () => {
  const sandbox = questProject();
  for (const killAt of [12, 45, 90]) {
    const { child, lines, ended } = sandbox.start(['quest', 'new', 'Greet people', '--json']);
    let run = '';
    for (let line = 1; line <= killAt; line += 1) {
      const { value, done } = await lines.next();
      if (done === true) break;
      run = (JSON.parse(value) as { run: string }).run.split('/')[0] ?? '';
      // Killed no earlier than there is something to look at.
      if (line === killAt && !existsSync(questPlace(sandbox.home, run).json)) line -= 1;
    }
    child.kill('SIGKILL');
    await ended;
    await expectPrefix(sandbox, run);
    const resumed = await sandbox.troupe(['resume', run, '--json']);
    expect({ killAt, ...resumed }).toMatchObject({ killAt, code: 3, stderr: expect.stringContaining('Which colour?') });
    expect(filesOf(sandbox, run)).toEqual(await folded(sandbox, run));
  }
}, 240_000);

/** The file accounts for exactly the records it names. */
async function expectPrefix(sandbox: Sandbox, run: string): Promise<void> {
  const text = readFileSync(questPlace(sandbox.home, run).json, 'utf8');
  const { records } = JSON.parse(text) as QuestView;
  const journal = await openSqliteJournal({ home: sandbox.home });
  const journals = new Map<ReturnType<typeof runId>, readonly StoredRecord[]>();
  for (const [one, seq] of Object.entries(records))
    journals.set(runId(one), (await journal.read(runId(one))).slice(0, seq));
  await journal.close();
  const view = foldQuest(runId(run), journals);
  if (view === null) throw new Error(`${run} is not a quest`);
  expect(text).toBe(questJson(view));
}

test('[Q7] a quest that is put back is put back in its file', async () => {
  const sandbox = questProject();
  const run = runOf((await sandbox.troupe(['quest', 'new', 'Greet people', '--json'])).stdout);
  expect((await sandbox.troupe(['rollback', run, '--to', 'pathseeker', '--yes', '--json'])).code).toBe(0);
  expect(filesOf(sandbox, run)).toEqual(await folded(sandbox, run));
  expect(fileOf(sandbox, run)).toMatchObject({ steps: [], questions: [], requirements: ['It greets people.'] });
  expect(fileOf(sandbox, run).signals).toEqual([]);
  const again = await sandbox.troupe(['resume', run, '--json']);
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('Which colour?') });
  expect(filesOf(sandbox, run)).toEqual(await folded(sandbox, run));
  expect(fileOf(sandbox, run).steps).toHaveLength(3);
  const forked = await sandbox.troupe(['fork', run, '--at', 'work', '--no-run', '--json']);
  const fork = runOf(forked.stdout);
  expect(fork).not.toBe(run);
  expect(filesOf(sandbox, fork)).toEqual(await folded(sandbox, fork));
}, 120_000);

test.each([
  [['quest', 'shwo'], 'There are: new, show, steps, answer.'],
  [['quest', 'new'], 'troupe quest new "…"'],
  [['quest', 'steps'], 'This project has no quest yet.'],
  [['quest', 'show', 'nothing'], 'There is no run "nothing".'],
  [['quest', 'show', 'one', 'two'], '"two" is too much'],
  [['quest', 'answer', 'blue'], 'This project has no quest yet.'],
])('[L3] %j is refused with what to do', async (words, hint) => {
  const printed = await questProject().troupe(words);
  expect(printed.code).toBe(2);
  expect(`${printed.stdout}${printed.stderr}`).toContain(hint);
});
