import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { STARTER_FILES } from '../starter/starter-files.ts';
import { wardLine, wardText } from '../starter/ward-text.ts';
import { findWard } from '../ward/find-ward.ts';
import type { WardCommand } from '../ward/ward-command.ts';
import { schemaNames, schemaText } from './schema.ts';

/** `troupe init`: a project one can run at once. What is there already is left alone, and said so. */
export async function initCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const written: string[] = [];
  const kept: string[] = [];
  const ward = await findWard(terminal.folder);
  for (const [path, text] of Object.entries(await starterFiles(ward))) {
    const file = join('.troupe', path);
    (writeNew(join(terminal.folder, file), text) ? written : kept).push(file);
  }
  if (flag(invocation, 'json')) {
    terminal.stdout.write(`${JSON.stringify({ written, kept, ward })}\n`);
    return EXIT.ok;
  }
  for (const file of written) terminal.stdout.write(`wrote  ${file}\n`);
  for (const file of kept) terminal.stdout.write(`kept   ${file} (it was there already)\n`);
  terminal.stdout.write(`${wardLine(ward)}\n`);
  terminal.stderr.write('\nTry it:  troupe run write_and_review "Explain what a journal is for"\n');
  return EXIT.ok;
}

/** With the schemas beside them, so that editors complete the files offline. */
async function starterFiles(ward: readonly WardCommand[]): Promise<Readonly<Record<string, string>>> {
  const schemas = await Promise.all(
    schemaNames().map(async (name) => [`schemas/${name}.schema.json`, `${await schemaText(name)}\n`] as const),
  );
  const config = `${STARTER_FILES['config.yaml'] ?? ''}${wardText(ward)}`;
  return { ...STARTER_FILES, 'config.yaml': config, ...Object.fromEntries(schemas) };
}

function writeNew(file: string, text: string): boolean {
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
  return true;
}
