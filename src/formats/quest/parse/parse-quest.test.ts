import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Workflow } from '../../../core/model/workflow.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { readDocument } from '../../../source/read-document.ts';
import { findAssets } from '../../load-assets.ts';
import { parseQuest } from './parse-quest.ts';
import { drawnState } from './quest-works.ts';

const SHIPPED = readFileSync(join(findAssets(), 'workflows', 'quest.yaml'), 'utf8');

function parse(text: string) {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'q.yaml' }), 'INTERNAL');
  return parseQuest(document, { file: 'q.yaml', locate });
}

const workflowsOf = (text: string): readonly Workflow[] => valueOrFault(parse(text), 'INTERNAL');

/** Where each state leads, decisions and new sessions drawn as the state that they belong to. */
function drawn({ states }: Workflow): Readonly<Record<string, readonly string[]>> {
  const edges = Object.values(states).flatMap((state) =>
    state.kind === 'end'
      ? []
      : state.transitions.map(({ target }) => [state.name, target].map(drawnState) as [string, string]),
  );
  const ways = Map.groupBy(
    edges.filter(([from, to]) => from !== to),
    ([from]) => from,
  );
  return Object.fromEntries([...ways].map(([from, list]) => [from, [...new Set(list.map(([, to]) => to))].toSorted()]));
}

describe('[Q6] a quest file', () => {
  test('[Q9] says whether the roles of a step hear which of their files other steps have changed', () => {
    const home = (text: string) => workflowsOf(text)[1]?.states['home'];
    expect(home(`${SHIPPED}\nreport_overlap: true\n`)).toMatchObject({ work: { kind: 'merge', reportsOverlap: true } });
    expect(home(SHIPPED)).not.toHaveProperty('work.reportsOverlap');
  });

  test('makes a workflow and one for its steps, whose states are the roles and what the engine does', () => {
    const [quest, step] = workflowsOf(SHIPPED);
    if (quest === undefined || step === undefined) throw new Error('Two workflows were expected.');
    expect([quest.name, step.name]).toEqual(['quest', 'quest_step']);
    expect(drawn(quest)).toEqual({
      start: ['chaoswhisperer', 'try_ward'],
      try_ward: ['chaoswhisperer', 'gave_up'],
      chaoswhisperer: ['ask', 'gave_up', 'pathseeker'],
      pathseeker: ['ask', 'gave_up', 'work'],
      lawbringer: ['gave_up', 'partly_done', 'stop', 'work'],
      ask: ['chaoswhisperer', 'pathseeker'],
      work: ['gave_up', 'pathseeker', 'review', 'ward'],
      ward: ['partly_done', 'review', 'work'],
      review: ['review_diff'],
      review_diff: ['lawbringer', 'partly_done'],
    });
    expect(Object.keys(drawn(step))).toEqual([
      'start',
      'codeweaver',
      'siegemaster',
      'spiritmender',
      'pathseeker',
      'ask',
      'look',
      'ward',
      'home',
    ]);
    expect(drawn(step)['siegemaster']).not.toContain('ask');
    expect(quest.agents.map(({ name, context }) => `${name} in ${context}`)).toEqual([
      'chaoswhisperer in whispers',
      'pathseeker in paths',
      'lawbringer in laws',
    ]);
  });

  test('a place that the table does not have is no way out', () => {
    const [quest] = workflowsOf(SHIPPED.replaceAll(/^ *needs-user-input:.*\n/gm, ''));
    expect(quest?.states['ask']).toBeUndefined();
  });

  test('names its own role, other limits and other commands', () => {
    const text = `${SHIPPED.replace('name: quest', 'name: mine').replace('slots: 3', 'slots: 5')}
  scribe:
    does: help
    order: Write it down.
    routes: { complete: next }
ward: [make check]
`;
    const [quest, step] = workflowsOf(text);
    expect([quest?.name, step?.name]).toEqual(['mine', 'mine_step']);
    expect(quest?.states['work']).toMatchObject({ work: { slots: 5, units: { work: { workflow: 'mine_step' } } } });
    expect(quest?.data['ward']).toEqual(['make check']);
    // The file says which commands run, so there is no question about others.
    expect(quest?.inputs.map(({ name }) => name)).toEqual(['request']);
    expect(step?.agents.at(-1)).toMatchObject({ name: 'scribe', context: 'scribe' });
    expect(step?.states['after_codeweaver']).toMatchObject({
      transitions: expect.arrayContaining([expect.objectContaining({ target: 'scribe' })]),
    });
  });
});

test('[Q6] a role leads back to all that may wait for it, also to the caller of its caller', () => {
  const [head = '', steps = ''] = SHIPPED.split(/^step:\n/mu);
  const followup = /^ *needs-role-followup:.*\n/mu;
  const roles = steps.split(/(?=^ {2}\w+:\n)/mu).map((role) => {
    const to = { codeweaver: 'spiritmender', spiritmender: 'scribe' }[/\w+/u.exec(role)?.[0] ?? ''];
    return to === undefined ? role.replace(followup, '') : role.replace('to: followup', `to: ${to}`);
  });
  const scribe = '  scribe:\n    does: help\n    order: Write it down.\n    routes: { complete: next }\n';
  const [, step] = workflowsOf(`${head}step:\n${roles.join('')}${scribe}`);
  const after = step?.states['after_scribe'];
  const targets = after?.kind === 'work' ? after.transitions.map(({ target }) => target) : [];
  expect(targets).toEqual(expect.arrayContaining(['spiritmender', 'codeweaver']));
  expect(targets).not.toContain('siegemaster');
});

describe('bad quest files', () => {
  const cases: readonly (readonly [string, (text: string) => string, string, string])[] = [
    ['an unknown key', (text) => `${text}colour: red\n`, 'KEY_UNKNOWN', 'colour'],
    ['a duty without a role', (text) => text.replace('does: review', 'does: plan'), 'DUTY_MISSING', 'quest'],
    [
      'a duty that two have',
      (text) => text.replace('does: test', 'does: fix'),
      'DUTY_DUPLICATE',
      'step.spiritmender.does',
    ],
    [
      'a place that is none',
      (text) => text.replace('to: followup, tries: 5', 'to: spiritmnder, tries: 5'),
      'ROUTE_UNKNOWN',
      'step.codeweaver.routes.needs-role-followup',
    ],
    [
      'a signal that cannot lead there',
      (text) => text.replace('to: ask', 'to: continue'),
      'ROUTE_UNKNOWN',
      'quest.chaoswhisperer.routes.needs-user-input',
    ],
    [
      'tries without an end',
      (text) => text.replace(', failure: NEVER_DONE', ''),
      'ROUTE_TRIES',
      'quest.pathseeker.routes.partially-complete',
    ],
    [
      'a role that cannot complete',
      (text) => text.replace('complete: next\n      needs-user', 'needs-user'),
      'ROUTE_MISSING',
      'quest.chaoswhisperer.routes',
    ],
    ['a role called like a state', (text) => text.replace('  siegemaster:', '  ward:'), 'NAME_TAKEN', 'step.ward'],
    ['a number that is none', (text) => text.replace('slots: 3', 'slots: 0'), 'VALUE_INVALID', 'limits.slots'],
  ];
  test.each(cases)('[L3] %s is reported with its line', (_what, change, code, path) => {
    const changed = change(SHIPPED);
    expect(changed).not.toBe(SHIPPED);
    const result = parse(changed);
    const problems = result.ok ? [] : result.problems;
    expect(problems.map((one) => [one.code, one.path ?? ''])).toContainEqual([code, path]);
    for (const problem of problems) expect(problem).toMatchObject({ file: 'q.yaml', at: { line: expect.any(Number) } });
  });

  test('[L3] a misspelt role is guessed', () => {
    const result = parse(SHIPPED.replace('to: followup, tries: 5', 'to: spiritmnder, tries: 5'));
    expect(result.ok ? [] : result.problems).toMatchObject([{ hint: 'Did you mean "spiritmender"?' }]);
  });
});
