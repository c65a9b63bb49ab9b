import { expect, test } from 'vitest';
import { questText } from '../../src/formats/quest/app/quest-text.ts';
import { foldQuest } from '../../src/formats/quest/views/fold-quest.ts';
import { QuestBench } from './quest-bench.ts';

const viewOf = async ({ bench, run }: QuestBench) => {
  const view = foldQuest(run, new Map([[run, await bench.journal.read(run)]]));
  if (view === null) throw new Error('no quest');
  return view;
};

test.for([
  ['a program that is not there', 'no-such-program --all'],
  ['a script whose own program is not there', 'sh -c "no-such-program"'],
  ['a file that cannot be run', './readme.txt'],
  ['a target that make does not have', 'echo "make: *** No rule to make target \'lint\'.  Stop."; exit 2'],
  ['a script that npm does not have', 'echo \'npm error Missing script: "lint"\'; exit 1'],
] as const)(
  '[Q6] with %s as Ward the quest ends before anybody is paid, and says who names it',
  async ([, command]) => {
    const bench = new QuestBench(() => undefined);
    const rest = await bench.start({ ward: ['true', command, 'false'], ward_from: ['a', 'package.json', 'b'] });
    expect(rest).toMatchObject({
      outcome: 'failed',
      failure: { code: 'WARD_UNUSABLE', hint: expect.stringContaining('setup: npm ci') },
    });
    expect(rest.failure?.message).toContain(`\`${command}\` (from package.json)`);
    expect(rest.failure?.message).not.toContain('`false`');
    expect(bench.calls).toEqual([]);
  },
);

test('[Q6] Ward that is red on the untouched project is a notice, in the quest file and for PathSeeker', async () => {
  const bench = new QuestBench(() => undefined);
  const rest = await bench.start({ ward: ['echo two left; test -e new.txt || exit 3', 'test -e readme.txt'] });
  expect(rest.failure?.code).not.toBe('WARD_UNUSABLE');
  const [first] = bench.turnsOf('pathseeker');
  expect(first?.prompt).toContain('Before the quest began:\n- Ward is red on the untouched project:');
  const view = await viewOf(bench);
  expect(view.notices).toEqual([
    expect.stringMatching(/^Ward is red on the untouched project: .*exit code 3\.\ntwo left$/s),
  ]);
  expect(view.checks.slice(0, 2)).toMatchObject([
    { outcome: 'failed', exitCode: 3 },
    { outcome: 'ok', command: 'test -e readme.txt' },
  ]);
  expect(view.history.map(({ text }) => text)).toContainEqual(expect.stringContaining('red on the untouched project'));
  expect(questText(view)).toContain('## Notices\n\n- Ward is red on the untouched project:');
});

test('[Q6] Ward that is green is tried once before the quest, and nothing is said of it', async () => {
  const bench = new QuestBench(() => undefined);
  expect(await bench.start({ ward: ['test -e readme.txt'] })).toMatchObject({ outcome: 'ok' });
  const view = await viewOf(bench);
  expect(view.notices).toEqual([]);
  expect(view.checks.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  expect(bench.turnsOf('pathseeker')[0]?.prompt).not.toContain('Before the quest began');
});
