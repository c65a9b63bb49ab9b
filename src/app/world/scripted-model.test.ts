import { expect, test } from 'vitest';
import { readScenario } from './scripted-model.ts';

test('[L3] a scenario that is not there is reported by its name', async () => {
  await expect(readScenario('/nowhere/answers.yaml')).rejects.toMatchObject({
    code: 'SCENARIO_INVALID',
    message: expect.stringMatching(/^The scenario \/nowhere\/answers\.yaml cannot be used: .*does not exist/),
  });
});
