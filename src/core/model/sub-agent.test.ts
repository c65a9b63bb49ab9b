import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { build, end } from '../../host/testing/build-definition.ts';
import { allTools } from '../../tools/all-tools.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import type { Role } from './role.ts';
import { subAgentDefinition } from './sub-agent.ts';

const define = (roles: Readonly<Record<string, Partial<Role>>>) => build({ states: [end('stop')], roles });

function started(helper: Partial<Role>, starter: Partial<Role>): { readonly own: Role; readonly starter: Role } {
  const { roles, ...rest } = define({ helper, starter });
  const { starter: asking, helper: asked } = roles;
  if (asking === undefined || asked === undefined) throw new Error('They are defined above.');
  const own = subAgentDefinition({ ...rest, roles }, 'helper', asking).roles['helper'];
  return { own: own ?? asked, starter: asking };
}

const toolNames = (role: Role): readonly string[] => toolsFor(role, allTools).tools.map(({ spec }) => spec.name);

describe('[PH3] a sub-agent gets no more than its starter', () => {
  test('no network where its starter has none', () => {
    expect(started({ network: true }, {}).own.network).toBeUndefined();
    expect(started({ network: true }, { network: true }).own.network).toBe(true);
    expect(started({}, { network: true }).own.network).toBeUndefined();
  });

  test('no tool that its starter does not have, and a person is asked for the same tools', () => {
    const { own } = started(
      { includedTools: ['read_file', 'write_file', 'mcp__docs__search'], ask: ['glob'] },
      { includedTools: ['read_file', 'mcp__docs__*'], ask: ['read_file'] },
    );
    expect(own.includedTools).toEqual(['read_file', 'mcp__docs__search']);
    expect(own.ask).toEqual(['glob', 'read_file']);
    expect(toolNames(started({}, { excludedTools: ['execute_terminal'] }).own)).not.toContain('execute_terminal');
  });

  const names = allTools.map(({ spec }) => spec.name);
  const role = fc.record({
    mode: fc.constantFrom('read' as const, 'commands' as const, 'write' as const),
    network: fc.boolean(),
    includedTools: fc.option(fc.subarray(names)),
    excludedTools: fc.subarray(names),
    tasks: fc.constant(['helper']),
  });

  test('whatever both roles are', () => {
    fc.assert(
      fc.property(role, role, (helper, starter) => {
        const { own, starter: asking } = started(helper, starter);
        expect(toolNames(asking)).toEqual(
          expect.arrayContaining([...toolNames(own)].filter((name) => name !== 'task')),
        );
        expect(own.network === true && asking.network !== true).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
