import { whole } from '../../protocol/whole-list.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { nameHint } from '../../source/closest-name.ts';
import { type Invocation, word } from '../invocation.ts';
import { schemaFolder } from '../../tools/own/own-package.ts';
import { printAnswer } from '../terminal/terminal.ts';

const ENDING = '.schema.json';

/** `troupe schema [NAME]`: a JSON Schema for editors; without a name, which there are. */
export async function schemaCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const name = word(invocation, 0);
  if (name === undefined)
    return printAnswer(terminal, { kind: 'schemas', ...whole(schemaNames()) }, () => schemaNames().join('\n'));
  const text = await schemaText(name);
  printAnswer(terminal, { kind: 'schema', name, schema: JSON.parse(text) as unknown }, () => text);
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
