import { expect, test } from 'vitest';
import { routeByRules, type StageDefinition } from './rules/stage-definition.ts';
import { tiny, type TinyParts } from './testing/tiny-workflow.ts';
import { validateDefinition } from './validate-definition.ts';

const found = (workflow: StageDefinition) =>
  validateDefinition(workflow).map(({ code, path }) => `${code} ${path ?? ''}`);
const of = (parts: TinyParts) => found(tiny(parts));

test('a sound workflow has no problems', () => {
  expect(
    of({
      stages: [
        { name: 'a', outputTo: ['b'] },
        { name: 'b', inputFrom: ['a'] },
      ],
    }),
  ).toEqual([]);
});

test.each<[string, TinyParts, string[]]>([
  ['entryStage', { stages: [{ name: 'a' }], entryStage: 'x' }, ['UNKNOWN_STAGE entryStage']],
  ['completionStage', { stages: [{ name: 'a' }], completionStage: 'x' }, ['UNKNOWN_STAGE completionStage']],
  ['no stages', { stages: [] }, ['UNKNOWN_STAGE entryStage', 'UNKNOWN_STAGE completionStage']],
  ['inputFrom', { stages: [{ name: 'a', inputFrom: ['x'] }] }, ['UNKNOWN_STAGE stages[0].inputFrom[0]']],
  ['outputTo', { stages: [{ name: 'a', outputTo: ['a', 'x'] }] }, ['UNKNOWN_STAGE stages[0].outputTo[1]']],
  ['a role', { stages: [{ name: 'a', agent: 'x' }], agents: ['y'] }, ['UNKNOWN_ROLE stages[0].agent']],
  [
    'a fallback role',
    { stages: [{ name: 'a', fallback: ['x'] }], agents: ['aer'] },
    ['UNKNOWN_ROLE stages[0].fallback[0]'],
  ],
  ['a name twice', { stages: [{ name: 'a' }, { name: 'a' }] }, ['STAGE_DUPLICATE stages[1].name']],
  [
    'a stage without a name',
    { stages: [{ name: 'a' }, { name: '' }], completionStage: 'a' },
    ['NO_NAME stages[1].name'],
  ],
  ['a timeout of 0', { stages: [{ name: 'a', timeout: 0 }] }, ['DURATION_INVALID stages[0].timeout']],
  ['a negative timeout', { stages: [{ name: 'a', timeout: -1 }] }, ['DURATION_INVALID stages[0].timeout']],
  [
    'a maxDuration of 0',
    { stages: [{ name: 'a' }], config: { maxDuration: 0 } },
    ['DURATION_INVALID config.maxDuration'],
  ],
  [
    'a maxDuration that is no number',
    { stages: [{ name: 'a' }], config: { maxDuration: Number.NaN } },
    ['DURATION_INVALID config.maxDuration'],
  ],
  ['maxIterations of 0', { stages: [{ name: 'a', maxIterations: 0 }] }, ['LIMIT_INVALID stages[0].maxIterations']],
  [
    'negative maxRevisions',
    { stages: [{ name: 'a' }], config: { maxRevisions: -1 } },
    ['LIMIT_INVALID config.maxRevisions'],
  ],
  [
    'a strategy',
    { stages: [{ name: 'a' }], config: { failureStrategy: 'hope' as 'abort' } },
    ['UNKNOWN_STRATEGY config.failureStrategy'],
  ],
  ['an outputType', { stages: [{ name: 'a', outputType: 'x' as 'task' }] }, ['UNKNOWN_TYPE stages[0].outputType']],
  ['an inputType', { stages: [{ name: 'a', inputTypes: ['x' as 'task'] }] }, ['UNKNOWN_TYPE stages[0].inputTypes[0]']],
  [
    'an iterationTrigger',
    { stages: [{ name: 'a', iterationTrigger: 'x' as 'task' }] },
    ['UNKNOWN_TYPE stages[0].iterationTrigger'],
  ],
  [
    'a condition',
    { stages: [{ name: 'a', condition: { type: 'x' as 'count' } }] },
    ['UNKNOWN_CONDITION stages[0].condition.type'],
  ],
  [
    'its type of message',
    { stages: [{ name: 'a', condition: { type: 'message_received', messageType: 'x' as 'task' } }] },
    ['UNKNOWN_TYPE stages[0].condition.messageType'],
  ],
  [
    'its verdict',
    { stages: [{ name: 'a', condition: { type: 'verdict', verdict: 'X' as 'APPROVED' } }] },
    ['UNKNOWN_VERDICT stages[0].condition.verdict'],
  ],
  [
    'its field',
    { stages: [{ name: 'a', condition: { type: 'count' } }] },
    ['NO_COUNT_FIELD stages[0].condition.countField'],
  ],
  [
    'its function',
    { stages: [{ name: 'a', condition: { type: 'custom', customCheck: 'x' } }] },
    ['UNKNOWN_CONDITION stages[0].condition.customCheck'],
  ],
  [
    'stages that wait for each other',
    {
      stages: [
        { name: 'a', outputTo: ['b', 'c'] },
        { name: 'b', inputFrom: ['c'] },
        { name: 'c', inputFrom: ['b'] },
      ],
    },
    ['INPUT_CYCLE stages[1].inputFrom', 'INPUT_CYCLE stages[2].inputFrom'],
  ],
  [
    'a stage without a way to it',
    { stages: [{ name: 'a', outputTo: ['c'] }, { name: 'b' }, { name: 'c' }] },
    ['UNREACHABLE_STAGE stages[1]'],
  ],
])('wrong: %s', (_what, parts, problems) => {
  expect(of(parts)).toEqual(problems);
});

test('a stage without a way to it is a warning: routeMessage may lead anywhere', () => {
  const problems = validateDefinition(tiny({ stages: [{ name: 'a', outputTo: ['c'] }, { name: 'b' }, { name: 'c' }] }));
  expect(problems).toMatchObject([{ severity: 'warning' }]);
  expect(of({ stages: [{ name: 'a' }, { name: 'b' }] })).toEqual([]);
});

test('all problems are reported at once, with the known names', () => {
  const problems = validateDefinition(tiny({ stages: [{ name: 'a', timeout: -1, outputTo: ['x'] }], entryStage: 'y' }));
  expect(problems.map(({ code }) => code)).toContain('DURATION_INVALID');
  expect(problems[0]).toMatchObject({ message: 'There is no stage "y".', hint: 'There are a.' });
});

test.each([
  ['nothing', undefined, ['NO_WORKFLOW ']],
  ['a word', 'x', ['NO_WORKFLOW ']],
  ['no definition', { ...tiny({ stages: [] }), definition: 1 }, ['NO_DEFINITION definition']],
  [
    'parts that are missing',
    { ...tiny({ stages: [] }), routeMessage: 1, definition: { name: 'x' } },
    ['NO_FUNCTION routeMessage', 'NO_LIST agents', 'NO_LIST stages', 'NO_CONFIG config'],
  ],
  [
    'stages of the wrong shape',
    {
      ...tiny({ stages: [] }),
      definition: { ...tiny({ stages: [] }).definition, stages: [null, { name: 'a', inputFrom: 'b', condition: 'x' }] },
    },
    ['NO_STAGE stages[0]', 'NO_LIST stages[1].inputFrom', 'UNKNOWN_CONDITION stages[1].condition'],
  ],
])('what is no workflow: %s', (_what, given, problems) => {
  expect(found(given as unknown as StageDefinition)).toEqual(problems);
});

test('rows of a routing table that lead to no stage or name no role are reported', () => {
  const row = { from: 'aer', messageType: 'task', routeTo: 'aer' } as const;
  const routeMessage = routeByRules([
    { ...row, updateStage: 'a' },
    { ...row, from: '*', updateStage: 'complete' },
    { ...row, updateStage: 'x' },
    { ...row, from: 'nobody', routeTo: 'noone' },
  ]);
  const workflow: StageDefinition = {
    ...tiny({ stages: [{ name: 'a', agent: 'aer' }], agents: ['aer'] }),
    routeMessage,
  };
  expect(found(workflow)).toEqual([
    'UNKNOWN_STAGE routeByRules[2].updateStage',
    'UNKNOWN_ROLE routeByRules[3].from',
    'UNKNOWN_ROLE routeByRules[3].routeTo',
  ]);
});

test('a limit for functions must be more than 0', () => {
  const workflow = tiny({ stages: [{ name: 'a' }] });
  const config = { ...workflow.definition.config, functionTimeout: 0 };
  expect(found({ ...workflow, definition: { ...workflow.definition, config } })).toEqual([
    'DURATION_INVALID config.functionTimeout',
  ]);
});
