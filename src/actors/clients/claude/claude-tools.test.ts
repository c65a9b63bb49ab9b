import { expect, test } from 'vitest';
import { sampleRole } from '../../actor.contract.ts';
import { claudeArguments } from './claude-setup.ts';
import { chooseTools } from './claude-tools.ts';

const desk = {
  url: 'http://127.0.0.1:1/mcp',
  headers: {},
  tools: ['signal_back'],
  bridge: { command: [], environment: {}, folders: [] },
};
const order = { mode: 'write', network: false, desk: null } as const;

test('[PH3] the mode decides which tools there are', () => {
  const offered = (mode: 'read' | 'commands' | 'write') => chooseTools(sampleRole, { ...order, mode }).offered;
  expect(offered('read')).toEqual(expect.arrayContaining(['Read', 'Grep']));
  expect(offered('read')).not.toContain('Bash');
  expect(offered('commands')).toContain('Bash');
  expect(offered('commands')).not.toContain('Write');
  expect(offered('write')).toEqual(expect.arrayContaining(['Bash', 'Write', 'Edit']));
  expect(offered('write')).not.toContain('WebFetch');
  expect(chooseTools(sampleRole, { ...order, network: true }).offered).toContain('WebFetch');
});

test('the lists of a role name the engine’s tools, or the client’s own', () => {
  const role = {
    ...sampleRole,
    includedTools: ['read_file', 'execute_terminal', 'Edit'],
    excludedTools: ['edit_file'],
  };
  expect(chooseTools(role, order).offered).toEqual(['Read', 'NotebookRead', 'Bash', 'BashOutput', 'KillShell']);
  expect(chooseTools({ ...sampleRole, includedTools: [] }, order)).toMatchObject({ offered: [], allowed: [] });
});

test('what must be asked for is not allowed beforehand; the desk always is', () => {
  const choice = chooseTools({ ...sampleRole, ask: ['execute_terminal'] }, { ...order, desk });
  expect(choice.asked).toContain('Bash');
  expect(choice.allowed).not.toContain('Bash');
  expect(choice.allowed).toContain('mcp__troupe__signal_back');
});

test('no way around the engine is offered', () => {
  const { offered, disallowed } = chooseTools(sampleRole, order);
  for (const name of ['AskUserQuestion', 'EnterPlanMode', 'Workflow']) {
    expect(offered).not.toContain(name);
    expect(disallowed).toContain(name);
  }
});

test('[Q4] a conversation is new, gone on with, or copied', () => {
  const nothing = async () => undefined;
  const files = { folder: '', system: null, servers: null, forgetServers: nothing, remove: nothing };
  const words = (session: Parameters<typeof claudeArguments>[0]['session'], effort?: 'max') =>
    claudeArguments({
      program: '/claude',
      session,
      tools: chooseTools(sampleRole, order),
      files,
      model: undefined,
      effort,
    }).join(' ');
  expect(words({ how: 'new', id: 'a' }, 'max')).toContain(' --effort max ');
  expect(words({ how: 'new', id: 'a' })).toMatch(/ --session-id a$/);
  expect(words({ how: 'resumed', id: 'a' })).toMatch(/ --resume a$/);
  expect(words({ how: 'forked', from: 'a', id: 'b' })).toMatch(/ --resume a --fork-session --session-id b$/);
});
