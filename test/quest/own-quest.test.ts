import { expect, test } from 'vitest';
import { plan, QuestBench, signals, writes } from './quest-bench.ts';

/** The shipped file with another row for one signal of one role. */
function withRoute(file: string, [does, signal, route]: readonly [string, string, string]): string {
  const row = new RegExp(`(does: ${does}\\n[^]*?${signal}: )\\{[^}]*\\}`);
  expect(file).toMatch(row);
  return file.replace(row, `$1${route}`);
}

test('[Q6] a changed table is followed: another role answers the question, as often as the table says', async () => {
  const bench = new QuestBench(({ role, step }) =>
    role === 'codeweaver'
      ? signals('needs-user-input', { stepId: step, question: 'Which colour?', context: 'c' })
      : undefined,
  );
  const route = '{ to: spiritmender, tries: 1, failure: ASKED_TWICE }';
  bench.changed = (file) =>
    withRoute(file, ['implement', 'needs-user-input', route]).replace('name: quest', 'name: mine');
  expect(await bench.start()).toMatchObject({ outcome: 'failed', failure: { code: 'NOTHING_DONE' } });
  const facts = (await bench.steps()).get('one') ?? [];
  expect(facts[0]).toMatchObject({ workflow: 'mine_step' });
  expect(facts.at(-1)).toMatchObject({
    failure: {
      code: 'ASKED_TWICE',
      message: 'Step one: codeweaver asked one question and has another one: Which colour?',
    },
  });
  expect(bench.turnsOf('spiritmender')[0]?.prompt).toContain('# Why\n\nWhich colour?\n\n# What to know\n\nc');
  expect(bench.turnsOf('codeweaver')[1]?.prompt).toContain('spiritmender is done: spiritmender did one');
});

test('[Q1] [Q6] slots, commands and a step without a tester are the author’s to choose', async () => {
  let atOnce = 0;
  let most = 0;
  const bench = new QuestBench(({ role, step, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'a' }, { id: 'b' }]);
    if (role !== 'codeweaver') return undefined;
    atOnce += call === 1 ? 1 : -1;
    most = Math.max(most, atOnce);
    return call === 1 ? writes(`${step}.txt`, step) : undefined;
  });
  bench.changed = (file) =>
    `${file.replace('slots: 3', 'slots: 1').replace(/ {2}siegemaster:[^]*?(?= {2}spiritmender:)/, '')}ward: ['test -e readme.txt']\n`;
  expect(await bench.start()).toMatchObject({ outcome: 'ok', output: { ward: 'green' } });
  expect(most).toBe(1);
  expect(bench.turnsOf('siegemaster')).toEqual([]);
  expect(bench.read('b.txt')).toBe('b');
});
