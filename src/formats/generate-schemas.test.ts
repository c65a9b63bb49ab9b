import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateSchemas } from './generate-schemas.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'schemas');
const schemas = generateSchemas();

test.for(Object.entries(schemas))(
  '[U3] the committed %s is what the checks are made from (update with vitest -u)',
  async ([file, text]) => {
    await expect(text).toMatchFileSnapshot(join(FOLDER, file));
  },
);

test('[U3] the schemas are draft 07, closed, and describe what editors show', () => {
  const workflow = JSON.parse(schemas['workflow.schema.json'] ?? '') as {
    $schema: string;
    definitions: { workflow: { additionalProperties: boolean; properties: Record<string, unknown> } };
  };
  expect(workflow.$schema).toBe('http://json-schema.org/draft-07/schema#');
  expect(workflow.definitions.workflow.additionalProperties).toBe(false);
  expect(Object.keys(workflow.definitions.workflow.properties)).toEqual([
    '$schema',
    'workflow_name',
    'description',
    'input',
    'inputs',
    'output',
    'variables',
    'contexts',
    'agents',
    'states',
    'limits',
    'labels',
    'internal',
    'on_failure',
  ]);
  expect(JSON.parse(schemas['roles.schema.json'] ?? '')).toMatchObject({
    additionalProperties: { $ref: '#/definitions/role' },
  });
});
