import { expect, test } from 'vitest';
import { parseStateMachine } from '../../formats/state-machine/parse-state-machine.ts';
import { readDocument } from '../../source/read-document.ts';
import { valueOrFault } from '../../source/checked.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { ResourceSettings } from '../../workspace/resources/resources.ts';
import { checkResources } from './check-resources.ts';

const TEXT = `workflow_name: w
contexts: [{ name: c }]
agents:
  - { agent_role: coder, context: c, role: assistant, holds: [devise] }
  - { agent_role: reviewer, context: c, role: user, workspace: own }
states:
  - { name: start, agent: coder, transition: [{ target: test }] }
  - name: test
    action: { command: { run: "'npm test -- --port \${resources.web_prt}'", holds: [web_port] } }
    transition: [{ target: stop }]
  - { name: stop }
`;

function workflows(): readonly Workflow[] {
  const { document, locate } = valueOrFault(readDocument(TEXT, { file: 'w.yaml' }), 'INTERNAL');
  return valueOrFault(parseStateMachine(document, { file: 'w.yaml', locate }), 'INTERNAL');
}

const problemsOf = (settings: ResourceSettings) =>
  checkResources(workflows(), settings).map(({ code, at, file, message, hint }) => ({
    code,
    line: at?.line,
    file,
    message,
    hint,
  }));

test('[Q9] a resource that an agent or a command holds without a declaration is reported with its line and a suggestion', () => {
  const found = problemsOf({ device: { kind: 'mutex' }, lock: { kind: 'mutex' }, web_port: { kind: 'port' } });
  expect(found).toEqual([
    {
      code: 'RESOURCE_UNKNOWN',
      file: 'w.yaml',
      line: 4,
      message: 'The agent "coder" holds the resource "devise", which the configuration does not declare.',
      hint: 'Did you mean "device"? Declared: device, lock.',
    },
    {
      code: 'RESOURCE_KIND',
      file: 'w.yaml',
      line: 8,
      message:
        'The command of "test" holds "web_port", a resource of the kind port, which every workspace has for itself; only a mutex is held.',
      hint: expect.stringContaining('Declared: device, lock.'),
    },
    {
      code: 'RESOURCE_UNKNOWN',
      file: 'w.yaml',
      line: 8,
      message: 'The command of "test" names the resource "web_prt", which the configuration does not declare.',
      hint: 'Did you mean "web_port"? Declared: web_port.',
    },
  ]);
});

test('[Q9] where nothing is declared the hint says what to write', () => {
  expect(problemsOf({})[0]?.hint).toBe('Declare it in .troupe/config.yaml: resources: { devise: { kind: mutex } }');
});

test('[Q9] fewer ports than workspaces are a warning; enough of all are none', () => {
  const enough: ResourceSettings = {
    devise: { kind: 'mutex' },
    web_prt: { kind: 'port', from: 4000, to: 4001 },
    web_port: { kind: 'mutex' },
  };
  expect(problemsOf(enough)).toEqual([]);
  expect(problemsOf({ ...enough, web_prt: { kind: 'port', from: 4000, to: 4000 } })).toMatchObject([
    { code: 'RESOURCE_FEW', message: expect.stringContaining('2 workspaces at once, but there are only 1') },
  ]);
  expect(problemsOf({ ...enough, db: { kind: 'name', pattern: 'db{n}', count: 1 } })).toMatchObject([
    { code: 'RESOURCE_FEW' },
  ]);
});
