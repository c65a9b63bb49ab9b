import { describe, expect, test } from 'vitest';
import { readPlan } from './task-list.ts';

const TASK = { id: 1, description: 'Create user model', files: ['models/user.py'], risk: 'low' };

const problemsIn = (value: unknown): readonly string[] => {
  const read = readPlan(JSON.stringify(value, null, 2), 'task.json');
  return read.ok ? [] : read.problems.map(({ code, message, path, at }) => `${at?.line} ${path} ${code} ${message}`);
};

describe('[PH4] a list of tasks', () => {
  test('is a list, or a mapping with tasks; further keys are the planner’s own', () => {
    const tasks = [TASK, { ...TASK, id: 'second', risk: 'medium', files: [], estimate: '15min' }];
    expect(problemsIn(tasks)).toEqual([]);
    const read = readPlan(JSON.stringify({ goal: 'x', tasks }), 'task.json');
    expect(read).toMatchObject({ ok: true, value: { document: { goal: 'x' }, tasks: [{ id: 1 }, { id: 'second' }] } });
  });

  test.for([
    ['no list', 7, '1  VALUE_INVALID'],
    ['no tasks', { list: [] }, '1  KEY_MISSING'],
    ['tasks that are no list', { tasks: {} }, '2 tasks VALUE_INVALID'],
    ['an empty list', [], '1  VALUE_INVALID'],
    ['a task that is none', [TASK, 'x'], '10 [1] VALUE_INVALID'],
    ['no id', [{ ...TASK, id: undefined }], '2 [0].id KEY_MISSING'],
    ['an id that is half a number', [{ ...TASK, id: 1.5 }], '3 [0].id VALUE_INVALID'],
    ['no description', { tasks: [{ ...TASK, description: ' ' }] }, '5 tasks[0].description VALUE_INVALID'],
    ['files that are no list', [{ ...TASK, files: 'a.ts' }], '5 [0].files VALUE_INVALID'],
    ['a file outside', [{ ...TASK, files: ['a.ts', '../b.ts'] }], '7 [0].files[1] PATH_OUTSIDE'],
    ['an unknown risk', [{ ...TASK, risk: 'huge' }], '8 [0].risk VALUE_INVALID'],
    ['the same id twice', [TASK, { ...TASK, id: '1' }], '11 [1].id NAME_DUPLICATE'],
  ] as const)('%s', ([, value, expected]) => {
    const problems = problemsIn(value);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  test('invalid JSON is reported with its place', () => {
    const read = readPlan('[\n  {"id": 1,}\n]', 'task.json');
    expect(read).toMatchObject({ ok: false, problems: [{ at: { line: 2, column: 12 } }] });
  });
});
