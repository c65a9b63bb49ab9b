import { whole } from '../../protocol/whole-list.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import { nameHint } from '../../dialects/source/closest-name.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { schemaFolder } from '../../app/library/package-files.ts';

const ENDING = '.schema.json';

/** `troupe schema [NAME]`: a JSON Schema for editors; without a name, which there are. */
export async function schemaCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const name = word(invocation, 0);
  const isJson = flag(invocation, 'json');
  if (name !== undefined) {
    const text = await schemaText(name);
    const answer = { kind: 'schema', name, schema: JSON.parse(text) as unknown };
    terminal.stdout.write(`${isJson ? JSON.stringify(answer) : text}\n`);
  } else if (isJson) terminal.stdout.write(`${JSON.stringify({ kind: 'schemas', ...whole(schemaNames()) })}\n`);
  else terminal.stdout.write(`${schemaNames().join('\n')}\n`);
  return EXIT.ok;
}

export function schemaNames(): readonly string[] {
  const folder = schemaFolder();
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const shipped = files.filter((file) => file.endsWith('.json')).map(schemaName);
  return [...new Set([...shipped, 'config'])].toSorted();
}

const schemaName = (file: string): string => basename(file).replace(/(\.schema)?\.json$/, '');

export async function schemaText(name: string): Promise<string> {
  if (name === 'config') return await configSchemaText();
  const files = [join(schemaFolder(), `${name}${ENDING}`), join(schemaFolder(), `${name}.json`)];
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) {
    const names = schemaNames();
    throw new Fault('SCHEMA_UNKNOWN', `There is no schema named "${name}".`, {
      hint: nameHint(name, names) ?? `There are: ${names.join(', ')}.`,
    });
  }
  return readFileSync(file, 'utf8').trimEnd();
}

/** Made from what checks the file, so the two cannot drift apart. */
async function configSchemaText(): Promise<string> {
  const [{ toJSONSchema }, { configSchema }] = await Promise.all([
    import('zod/v4/core'),
    import('../../app/config/config-schema.ts'),
  ]);
  return JSON.stringify(toJSONSchema(configSchema, { target: 'draft-07', io: 'input' }), null, 2);
}
