import { expect, test } from 'vitest';
import type { Definition } from '../../core/model/definition.ts';
import { build, end, to, turn, work } from '../../host/testing/build-definition.ts';
import { chooseActor, NO_ACTORS, parseActors, type ActorOverrides } from './choose-actor.ts';
import { adaptDefinition } from '../library/wanted-definition.ts';
import { EMPTY_CONFIG, mergeConfig, type Config } from './config.ts';

const config: Config = {
  ...EMPTY_CONFIG,
  actors: { codex: { model: 'large' }, acp: { mine: { command: ['x'], env: [] } } },
};

const definition = (): Definition =>
  build({
    roles: { coder: {}, critic: {} },
    states: [
      work('code', turn('coder', "'go'"), [to('look')]),
      work('look', turn('critic', "'look'"), [to('stop')]),
      end('stop'),
    ],
  });

const played = (actors: ActorOverrides, by = definition()): Definition => adaptDefinition(by, config, { actors });

const cast = ({ workflow }: Definition) => workflow.agents.map(({ name, actor }) => `${name}: ${actor ?? '–'}`);

test('[Q4] an actor is a model unless somebody else is named', () => {
  expect(chooseActor(undefined, config)).toEqual({ kind: 'model' });
  expect(chooseActor('claude-code', config)).toEqual({ kind: 'claude-code', settings: {} });
  expect(chooseActor('codex', config)).toEqual({ kind: 'codex', settings: { model: 'large' } });
  expect(chooseActor('acp:mine', config)).toMatchObject({ kind: 'acp', name: 'mine', settings: { command: ['x'] } });
  expect(chooseActor('acp:gemini', config)).toEqual({ kind: 'acp', name: 'gemini', settings: null });
});

test.each(['codx', 'acp:', 'acp', 'Claude-Code', '', 'constructor', 'acp:constructor'])(
  '[L3] no agent may be called "%s"',
  (name) => {
    expect(() => chooseActor(name, config)).toThrow(expect.objectContaining({ code: 'ACTOR_UNKNOWN' }));
  },
);

test('[L8] a program that the user has not agreed to is not started in its place either', () => {
  const barred = { ...config, actors: { codex: { program: '/x', isBarred: true } } };
  expect(() => chooseActor('codex', barred)).toThrow(expect.objectContaining({ code: 'PROJECT_UNTRUSTED' }));
});

test('[Q4] the command line says who plays a role, an agent, or all others', () => {
  const parsed = parseActors(['claude-code', 'critic=codex'], config);
  const all = played(parsed);
  expect(cast(all)).toEqual(['coder: claude-code', 'critic: codex']);
  expect(all.roles['critic']?.actor).toBe('codex');
  expect(cast(played(parseActors(['coder=acp:mine'], config)))).toEqual(['coder: acp:mine', 'critic: –']);
});

test('[L2] where nothing is said the definition stays the same one', () => {
  const before = definition();
  expect(played(NO_ACTORS, before)).toEqual(before);
});

test.each([
  [['coder=nobody'], 'ACTOR_UNKNOWN'],
  [['='], 'ACTOR_UNKNOWN'],
  [['coder='], 'ACTOR_UNKNOWN'],
])('[L3] %j is refused', (list, code) => {
  expect(() => parseActors(list, config)).toThrow(expect.objectContaining({ code }));
});

test('[L3] one that the workflow does not have is refused with the name that was meant', () => {
  expect(() => played(parseActors(['codr=codex'], config))).toThrow(
    expect.objectContaining({ code: 'AGENT_UNKNOWN', hint: 'Did you mean "coder"?' }),
  );
  expect(() => played(parseActors(['__proto__=codex'], config))).toThrow('no agent and no role');
});

test('[L8] the nearer file wins key by key, but an ACP agent never gets the variables of another command', () => {
  const below: Config = {
    ...EMPTY_CONFIG,
    actors: { codex: { model: 'a', idleMs: 1 }, acp: { it: { command: ['a'], env: ['KEY'] } } },
  };
  const above: Config = {
    ...EMPTY_CONFIG,
    actors: { codex: { model: 'b' }, acp: { it: { command: ['b'], env: [] } } },
  };
  expect(mergeConfig(below, above).actors).toEqual({
    codex: { model: 'b', idleMs: 1 },
    acp: { it: { command: ['b'], env: [] } },
  });
});
