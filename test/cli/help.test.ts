import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { core } from 'zod/mini';
import { scenarioSchema } from '../../src/actors/scripted/scenario.ts';
import { configSchema } from '../../src/app/config/config-schema.ts';
import { HELP_TOPICS } from '../../src/cli/help-topics.ts';
import { createSandbox, root } from './sandbox.ts';

/** Every key that a schema knows, at whatever depth. */
function keysOf(schema: core.$ZodType, seen: Set<core.$ZodType> = new Set()): ReadonlySet<string> {
  if (seen.has(schema)) return new Set();
  seen.add(schema);
  const { def } = (schema as core.$ZodTypes)._zod;
  const shape = def.type === 'object' ? def.shape : {};
  const inside = [...Object.values(shape), ...insideOf(def)].flatMap((one) => [...keysOf(one, seen)]);
  return new Set([...Object.keys(shape), ...inside]);
}

function insideOf(def: core.$ZodTypes['_zod']['def']): readonly core.$ZodType[] {
  switch (def.type) {
    case 'optional':
    case 'default':
      return [def.innerType];
    case 'array':
      return [def.element];
    case 'record':
      return [def.valueType];
    case 'pipe':
      return [def.in, def.out];
    case 'union':
      return def.options;
    case 'lazy':
      return [def.getter()];
    default:
      return [];
  }
}

const missing = (keys: ReadonlySet<string>, text: string): readonly string[] =>
  [...keys].filter((key) => !new RegExp(`(?<![\\w-])${key.replace('$', '\\$')}(?![\\w-])`).test(text));

test('[U2] help config names every key of the configuration', () => {
  const keys = keysOf(configSchema);
  expect(keys.size).toBeGreaterThan(60);
  expect(missing(keys, HELP_TOPICS['config'] ?? '')).toEqual(['$schema']);
});

test('[U4] help scenarios and the guide name every key of a scenario', () => {
  const keys = keysOf(scenarioSchema);
  expect(keys).toContain('delay_ms');
  expect(missing(keys, HELP_TOPICS['scenarios'] ?? '')).toEqual([]);
  expect(missing(keys, readFileSync(join(root, 'docs/guide/scripted-model.md'), 'utf8'))).toEqual([]);
});

test('[U2] what help config and help scenarios show can be used as it stands', async () => {
  const config = indented(HELP_TOPICS['config'] ?? '', 'models:', 'notify is run');
  const scenario = indented(HELP_TOPICS['scenarios'] ?? '', 'rules:', 'when     role');
  const sandbox = createSandbox({ '.troupe/config.yaml': config, 'answers.yaml': scenario });
  sandbox.write('more/flows/.keep', '');
  sandbox.write('more/roles.json', '{}');
  const result = await sandbox.troupe(['check', 'answers.yaml', '.troupe/config.yaml']);
  // The program of an example is nowhere to be found, which is only a warning.
  expect(result.stdout.replaceAll(/^.* warning .*\n/gm, '')).toBe('answers.yaml: ok\n.troupe/config.yaml: ok\n');
});

/** The lines of an example, from its first to before what follows it. */
function indented(text: string, first: string, next: string): string {
  const lines = text.slice(text.indexOf(`  ${first}`), text.indexOf(`  ${next}`)).split('\n');
  return lines.map((line) => line.slice(2)).join('\n');
}
