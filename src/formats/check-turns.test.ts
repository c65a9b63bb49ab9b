import { expect, test } from 'vitest';
import type { Role } from '../core/model/role.ts';
import { checkChanges, checkTurns } from './check-turns.ts';
import { defineWorkflow } from './native/define-workflow.ts';
import { mergeRoles } from '../source/roles/placed-role.ts';

const turn = <Agent extends string>(agent: Agent) => ({ work: { kind: 'turn', agent, input: "'x'" } }) as const;

const together = (coder: object, tester: object) =>
  defineWorkflow({
    name: 'w',
    agents: { coder, tester },
    states: {
      start: { work: { kind: 'pool', units: { a: turn('coder'), b: turn('tester') } }, transitions: ['done'] },
      done: { kind: 'end' },
    },
  });

const warnings = (workflow: ReturnType<typeof together>, changes: Readonly<Record<string, Partial<Role>>> = {}) =>
  checkTurns(workflow, mergeRoles({ coder: {}, tester: {} }, changes)).map(({ code, severity, message }) => [
    code,
    severity,
    message,
  ]);

test('[Q9] agents of one pool that write in one place get a warning that they take turns', () => {
  expect(warnings(together({}, {}))).toEqual([
    [
      'WORKSPACE_TURNS',
      'warning',
      'coder and tester may write in the workspace of the run at the same time in "start", so they take turns with their tools.',
    ],
  ]);
  const bench = { workspace: 'bench' };
  expect(warnings(together(bench, bench))[0]?.[2]).toContain('in the workspace "bench"');
});

test('[Q9] no warning for an agent with its own place, that only reads, or without a tool that writes', () => {
  expect(warnings(together({ workspace: 'own' }, {}))).toEqual([]);
  expect(warnings(together({ workspace: 'a' }, { workspace: 'b' }))).toEqual([]);
  expect(warnings(together({}, {}), { tester: { mode: 'read' } })).toEqual([]);
  expect(warnings(together({}, {}), { tester: { mode: 'commands' } })).toEqual([]);
  expect(warnings(together({}, {}), { tester: { includedTools: ['grep'] } })).toEqual([]);
  const excludedTools = ['write_file', 'edit_file', 'execute_terminal'];
  expect(warnings(together({}, {}), { tester: { excludedTools } })).toEqual([]);
});

test('[Q9] a list of units of one agent takes turns too, unless there is one slot', () => {
  const each = (slots: number) =>
    defineWorkflow({
      name: 'w',
      agents: { coder: {} },
      states: {
        start: {
          work: { kind: 'pool', items: '[1, 2]', slots, work: { kind: 'turn', agent: 'coder', input: "'x'" } },
          transitions: ['done'],
        },
        done: { kind: 'end' },
      },
    });
  expect(warnings(each(2))[0]?.[2]).toMatch(/^Several turns of coder may write/);
  expect(warnings(each(1))).toEqual([]);
});

test('[A7] [L3] changed files that an agent may not make are pointed out', () => {
  const work = { kind: 'turn', agent: 'coder', input: "'x'", changes: 'required' } as const;
  const workflow = defineWorkflow({
    name: 'w',
    agents: { coder: {} },
    states: { start: { work, transitions: ['done'] }, done: { kind: 'end' } },
  });
  const codes = (mode: Role['mode'] & string) =>
    checkChanges(workflow, mergeRoles({ coder: {} }, { coder: { mode } })).map(({ code }) => code);
  expect(codes('read')).toEqual(['CHANGES_NOT_ALLOWED']);
  expect(codes('write')).toEqual([]);
});
