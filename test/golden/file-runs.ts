import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';

export const FILES = { 'notes.txt': 'one\ntwo\nthree\n', 'old.txt': 'old\n' };

/** Two agents, one with its own workspace: a permission, merges, a conflict that is settled, a question, and work after it. */
const withFiles = build({
  name: 'with_files',
  roles: { coder: { ask: ['execute_terminal'] }, worker: {} },
  states: [
    work('code', turn('coder', "'go'"), [to('bring')]),
    work('bring', { kind: 'merge', agent: 'coder' }, [to('main')]),
    work('main', turn('worker', "'your side'"), [to('clash')]),
    work('clash', turn('coder', "'your side'"), [to('bring_again')]),
    work('bring_again', { kind: 'merge', agent: 'coder' }, [to('sure')], { on: { blocked: [to('settle')] } }),
    work('settle', turn('coder', "'settle it'"), [to('bring_last')]),
    work('bring_last', { kind: 'merge', agent: 'coder' }, [to('sure')]),
    work('sure', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('last')]),
    work('last', turn('worker', "'the end'"), [to('stop')]),
    end('stop', 'last_agent_response'),
  ],
});
const agents = withFiles.workflow.agents.map((agent) =>
  agent.name === 'coder' ? { ...agent, workspace: 'own' } : agent,
);
export const WITH_FILES = { ...withFiles, workflow: { ...withFiles.workflow, agents } };

const failing = build({
  name: 'failing',
  roles: { worker: {} },
  states: [
    work('change', turn('worker', "'go'"), [to('check')]),
    work('check', { kind: 'command', command: expression("'false'"), okExitCodes: [0] }, [to('stop')]),
    end('stop'),
  ],
});
export const FAILING = { ...failing, workflow: { ...failing.workflow, onFailure: 'rollback' as const } };

const write = (path: string, content: string) => ({ tools: [{ name: 'write_file', arguments: { path, content } }] });

export const SCENARIO = {
  rules: [
    {
      when: { state: 'code' },
      steps: [
        write('new.txt', 'by the coder\n'),
        {
          tools: [{ name: 'execute_terminal', arguments: { command: 'echo by a command > command.txt; rm old.txt' } }],
        },
        'coded',
      ],
    },
    { when: { state: 'main' }, steps: [write('notes.txt', 'one\nMAIN\nthree\n'), 'done'] },
    { when: { state: 'clash' }, steps: [write('notes.txt', 'one\nCODER\nthree\n'), 'done'] },
    { when: { state: 'settle' }, steps: [write('notes.txt', 'one\nBOTH\nthree\n'), 'settled'] },
    { when: { state: 'last' }, steps: [write('last.txt', 'after all\n'), 'finished'] },
    { when: { state: 'change' }, steps: [write('new.txt', 'in vain\n'), 'changed'] },
  ],
};
