import { expect, test } from 'vitest';
import { ACP_PRESETS as KNOWN } from '../../actors/clients/acp/acp-presets.ts';
import { ownVariables } from '../../actors/clients/client-box.ts';
import { ACP_PRESET_NAMES } from '../config/choose-actor.ts';
import { acpAgent } from './client-actors.ts';

const ENVIRONMENT = { MY_KEY: '1', MY_KEY_2: '2', MY_KEY_OTHER: '3', GEMINI_API_KEY: '4', AWS_SECRET: '5' };

const variables = async (name: string, env: readonly string[]): Promise<readonly string[]> => {
  const agent = await acpAgent({ kind: 'acp', name, settings: { command: ['x'], env } });
  return Object.keys(ownVariables(ENVIRONMENT, agent.own));
};

test('[L8] an agent of the settings gets the variables that are named, to the letter', async () => {
  expect(await variables('mine', [])).toEqual([]);
  expect(await variables('mine', ['MY_KEY'])).toEqual(['MY_KEY']);
  expect(await variables('mine', ['MY_KEY', 'MY_KEY_2'])).toEqual(['MY_KEY', 'MY_KEY_2']);
  expect(await variables('mine', ['A'])).toEqual([]);
});

test('[U4] a known agent keeps its own variables when the settings say how it is started', async () => {
  expect(await variables('gemini', ['MY_KEY'])).toEqual(['MY_KEY', 'GEMINI_API_KEY']);
  expect(await acpAgent({ kind: 'acp', name: 'gemini', settings: null })).toMatchObject({
    command: ['gemini', '--acp'],
  });
});

test('the agents that need no settings are those that are known', () => {
  expect(KNOWN.map(({ name }) => name).toSorted()).toEqual([...ACP_PRESET_NAMES]);
});
