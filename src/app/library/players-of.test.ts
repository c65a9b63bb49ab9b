import { expect, test } from 'vitest';
import type { Definition } from '../../core/model/definition.ts';
import { build, end, to, turn, work } from '../../host/testing/build-definition.ts';
import { EMPTY_CONFIG } from '../config/config.ts';
import { playersOf } from './check-models.ts';

/** One agent, whose role may start scouts, who may start readers. */
function definition(actor: string | undefined): Definition {
  const made = build({
    roles: { coder: { tasks: ['scout'] }, scout: { tasks: ['reader'] }, reader: {}, spare: {} },
    states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  const [coder] = made.workflow.agents;
  if (coder === undefined) throw new Error('There is no coder.');
  const agents = [actor === undefined ? coder : { ...coder, actor }];
  return { ...made, workflow: { ...made.workflow, agents } };
}

const players = (actor?: string): readonly string[] =>
  playersOf(definition(actor), EMPTY_CONFIG).map(({ role, choice }) => `${role.name}: ${choice.kind}`);

test('[Q8] a sub-agent that a model may start needs an actor, and so on below', () => {
  expect(players()).toEqual(['coder: model', 'spare: model', 'scout: model', 'reader: model']);
});

test('[Q4] [PD1] a client starts its own sub-agents, so a workflow that clients play needs no model for them', () => {
  expect(players('claude-code')).toEqual(['coder: claude-code', 'spare: model']);
});
