import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EMPTY_CONFIG } from '../../src/app/config/config.ts';
import { adaptDefinition } from '../../src/app/library/wanted-definition.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { AgentSpec } from '../../src/core/model/workflow.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { defineWorkflow } from '../../src/formats/native/define-workflow.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { findAssets, loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { readDocument } from '../../src/source/read-document.ts';
import { parseStateMachine } from '../../src/formats/state-machine/parse-state-machine.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses } from '../workspaces/bench.ts';
import { PatternBench } from './patterns-bench.ts';
import { picks, writesThenSays } from './replies.ts';

/** The words that the patterns brought into the formats: who plays an agent, by an expression, and a merge of a unit. */

function parse(text: string) {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yaml' }), 'INTERNAL');
  return parseStateMachine(document, { file: 'w.yaml', locate });
}

const ONE = (model: string): string => `
workflow_name: one
variables: { who: '' }
contexts: [{ name: desk }]
agents: [{ agent_role: coder, context: desk, role: assistant, actor: codex, model: ${model} }]
states:
  - { name: start, agent: coder, input: "'Do it.'", transition: [{ target: stop }] }
`;

async function definitionOf(text: string): Promise<Definition> {
  const { roles } = await loadShipped();
  return valueOrFault(buildDefinition('one', valueOrFault(parse(text), 'INTERNAL'), mergeRoles(roles)), 'INTERNAL');
}

/** Which level and which actor the one agent was called with. */
async function playedBy(model: string, change: (definition: Definition) => Definition = (given) => given) {
  const seen: (readonly [string, string | undefined])[] = [];
  const bench = new FilesBench({ files: {}, answer: () => says('done') });
  const { world } = bench.host();
  const { host } = bench.host({
    actorFor: async (role, name) => {
      seen.push([role.level, name]);
      return await world.actorFor(role, name);
    },
  });
  const definition = change(await definitionOf(ONE(model)));
  const { outcome, failure } = await host.rest(await host.start({ definition, input: {}, project: bench.project }));
  return { seen, outcome, failure };
}

test.for([
  ['a model of the settings', '"\'quick\'"', ['quick', undefined]],
  ['a client', '"\'claude-code\'"', ['base', 'claude-code']],
  ['an ACP agent', '"\'acp:gemini\'"', ['base', 'acp:gemini']],
  ['the usual actor', 'common_data.who', ['base', 'codex']],
] as const)('[PD1] an agent is played by %s, as its expression says', async ([, model, expected]) => {
  expect(await playedBy(model)).toMatchObject({ outcome: 'ok', seen: [expected] });
});

test('[PD1] what is no name is a failure of the turn, with a code', async () => {
  expect(await playedBy('"({ a: 1 })"')).toMatchObject({ outcome: 'failed', failure: { code: 'MODEL_NOT_A_NAME' } });
});

test('[PD1] a level chosen on the command line also holds for models chosen later', async () => {
  const { seen } = await playedBy('"\'quick\'"', (given) => ({ ...given, chosen: { models: { quick: 'slow' } } }));
  expect(seen).toEqual([['quick=slow', undefined]]);
});

test('[U1] the command line has the last word, and leaves those alone that it does not name', async () => {
  const given = await definitionOf(ONE('common_data.who'));
  const playedIn = (definition: Definition, byName: Readonly<Record<string, string>>) =>
    adaptDefinition(definition, EMPTY_CONFIG, { actors: { byName, others: null } });
  const [played] = playedIn(given, { coder: 'scripted' }).workflow.agents;
  expect(played).toMatchObject({ name: 'coder', actor: 'scripted' });
  expect(played).not.toHaveProperty('model');
  const other = { ...given.workflow, agents: [{ ...given.workflow.agents[0], name: 'other' } as AgentSpec] };
  const both = { ...given, library: { other } };
  const { library, workflow } = playedIn(both, { other: 'scripted' });
  expect(library['other']?.agents[0]).not.toHaveProperty('model');
  expect(workflow.agents[0]).toHaveProperty('model');
});

test('[Q8] a sub-agent of a kind with its own actor is played by that actor', async () => {
  const levels: string[] = [];
  const bench = new FilesBench({
    files: {},
    answer: ({ role, run, call }) => {
      levels.push(role.level);
      const isFirst = !run.includes('/') && call === 1;
      return isFirst ? uses('task', { prompt: 'Do a part.' }) : says('done');
    },
  });
  const { host } = bench.host();
  const { roles, ...rest } = await definitionOf(ONE('"\'quick\'"'));
  // The shipped coder starts none.
  const own = Object.entries(roles).map(([name, role]) => [name, { ...role, tasks: [name] }]);
  const definition = { ...rest, roles: Object.fromEntries(own) as typeof roles };
  const run = await host.start({ definition, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(levels).toEqual(['quick', 'quick', 'quick']);
});

test('[L3] an expression for the model that cannot be read, and a merge of two things, are reported with their place', () => {
  const bad = parse(ONE('"common_data."'));
  expect(bad.ok ? [] : bad.problems.map(({ code, path }) => [code, path])).toEqual([
    ['EXPRESSION_INVALID', 'agents[0].model'],
  ]);
  const both = parse(
    ONE('common_data.who').replace(
      'transition: [{ target: stop }]',
      'transition: [{ target: home }] }\n  - { name: home, action: { merge: { agent: coder, unit: common_data.who } }, transition: [{ target: stop }]',
    ),
  );
  expect(both.ok ? [] : both.problems.map(({ code }) => code)).toContain('ACTION_CONFLICT');
});

test('[U3] both words are there in TypeScript too', () => {
  const workflow = defineWorkflow({
    name: 'mine',
    agents: { coder: { model: 'item' } },
    states: {
      start: {
        work: {
          kind: 'pool',
          items: "['a', 'b']",
          work: { kind: 'turn', agent: 'coder', input: "'Do it.'" },
          slots: 1,
        },
        transitions: ['home'],
      },
      home: { work: { kind: 'merge', agent: null, unit: "'0'" }, transitions: ['end'] },
      end: { kind: 'end' },
    },
  });
  expect(workflow.agents[0]).toMatchObject({ model: { kind: 'name', name: 'item' } });
  expect(workflow.states['home']).toMatchObject({ work: { kind: 'merge', agent: null, unit: { value: '0' } } });
});

test('[PD7] a unit that never ran is reported by name', async () => {
  const text = `
workflow_name: one
states:
  - { name: start, action: { merge: { unit: "'nobody'" } }, transition: [{ target: stop }] }
`;
  const bench = new FilesBench({ files: {}, answer: () => says('done') });
  const { host } = bench.host();
  const run = await host.start({ definition: await definitionOf(text), input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({
    outcome: 'failed',
    failure: { code: 'UNIT_UNKNOWN', message: expect.stringContaining('"nobody"') },
  });
});

test('[U7] a fork made after the candidates were done merges what they did', async () => {
  const bench = new PatternBench((asked) =>
    asked.role === 'judge'
      ? picks(bench.run === 'none' || bench.modelsOf('judge').length === 1 ? 'candidate_1' : 'candidate_2')
      : writesThenSays(asked, 'made.txt', `${asked.model}\n`),
  );
  await bench.start('judge', { task: 'Make it', models: ['a', 'b'] });
  expect(bench.file('made.txt')).toBe('a\n');
  const records = await bench.bench.journal.read(bench.run);
  const at = records.find(({ fact }) => fact.kind === 'state.entered' && fact.state === 'judge')?.seq ?? 0;
  const fork = await bench.host.fork(bench.run, { at, by: 'ann' });
  await bench.host.resume(fork);
  expect(await bench.host.rest(fork)).toMatchObject({ outcome: 'ok', output: { winner: 'candidate_2' } });
  expect(bench.file('made.txt', fork)).toBe('b\n');
  expect(bench.file('made.txt')).toBe('a\n');
});

test.for(['race', 'vote', 'judge', 'relay', 'map_reduce'])('[PD8] %s is read in under 60 lines', (name) => {
  const text = readFileSync(join(findAssets(), 'workflows', `${name}.yaml`), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThan(60);
});
