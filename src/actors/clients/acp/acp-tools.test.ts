import { expect, test } from 'vitest';
import type { Activity } from '../../../core/record/agent-fact.ts';
import { AcpTools } from './acp-story.ts';

function toolsOf() {
  const activities: Activity[] = [];
  return { activities, tools: new AcpTools((activity) => activities.push(activity), ['signal_back']) };
}

test('later updates contain only changes, and the same is not reported twice', () => {
  const { activities, tools } = toolsOf();
  tools.read({
    toolCallId: 't',
    title: 'Edit a.ts',
    kind: 'edit',
    locations: [{ path: '/w/a.ts' }],
    status: 'pending',
  });
  tools.read({ toolCallId: 't', status: 'in_progress', title: null });
  tools.read({ toolCallId: 't', status: 'failed' });
  expect(activities).toEqual([
    { id: 't', kind: 'tool', name: 'edit', status: 'running', text: '/w/a.ts' },
    { id: 't', kind: 'tool', name: 'edit', status: 'failed', text: '/w/a.ts' },
  ]);
});

test.each([
  [{ rawOutput: { exit_code: 2 } }, 'failed'],
  [{ rawOutput: { metadata: { exit: 1 } } }, 'failed'],
  [{ _meta: { terminal_exit: { exit_code: null, signal: 'SIGKILL' } } }, 'failed'],
  [{ rawOutput: { exitCode: 0 } }, 'ok'],
])('[L3] a completed command with %j is %s', (more, status) => {
  const { activities, tools } = toolsOf();
  tools.read({ toolCallId: 't', title: 'make', kind: 'execute', status: 'completed', ...more });
  expect(activities).toMatchObject([{ status }]);
});

test.each([
  ['mcp__troupe__signal_back', '', true],
  ['', 'signal_back (troupe MCP Server)', true],
  ['', 'troupe_signal_back', true],
  ['', 'signal_back', false],
])('[Q2] the desk is known by the name %j and the title %j: %s', (name, title, isDesk) => {
  const { tools } = toolsOf();
  const known = tools.asked({ toolCallId: 't', title, ...(name === '' ? {} : { name }), kind: 'other' });
  expect(known.isDesk).toBe(isDesk);
});

test('a command is never the desk, whatever it is called', () => {
  const { tools } = toolsOf();
  expect(tools.asked({ toolCallId: 't', title: 'echo troupe signal_back', kind: 'execute' }).isDesk).toBe(false);
});

test('[Q8] a sub-agent is a minion, and its tools are below it', () => {
  const { activities, tools } = toolsOf();
  const rawInput = { subagent_type: 'scout', description: 'Scouting' };
  tools.read({ toolCallId: 'm', title: 'Task', rawInput, _meta: { claudeCode: { toolName: 'Agent' } } });
  const _meta = { claudeCode: { toolName: 'Bash', parentToolUseId: 'm' } };
  tools.read({
    toolCallId: 't',
    title: 'ls',
    kind: 'execute',
    rawInput: { command: 'ls' },
    status: 'completed',
    _meta,
  });
  expect(activities).toEqual([
    { id: 'm', kind: 'minion', name: 'scout', status: 'running', text: 'Scouting' },
    { id: 't', kind: 'tool', name: 'Bash', status: 'ok', parent: 'm', text: 'ls' },
  ]);
});

test('a call without an id is ignored', () => {
  const { activities, tools } = toolsOf();
  tools.read({ title: 'x' });
  expect(activities).toEqual([]);
});
