import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { findSetups, type FoundSetup } from '../../workspace/setup/find-setup.ts';
import { setupCommand, setupLine, setupText } from '../starter/setup-text.ts';
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
  const setups = findSetups(new Set(readdirSync(terminal.folder)));
  for (const [path, text] of Object.entries(await starterFiles(ward, setups))) {
    const file = join('.troupe', path);
    (writeNew(join(terminal.folder, file), text) ? written : kept).push(file);
  }
  if (flag(invocation, 'json')) {
    terminal.stdout.write(`${JSON.stringify({ written, kept, ward, setup: setupCommand(setups) })}\n`);
    return EXIT.ok;
  }
  for (const file of written) terminal.stdout.write(`wrote  ${file}\n`);
  for (const file of kept) terminal.stdout.write(`kept   ${file} (it was there already)\n`);
  terminal.stdout.write(`${wardLine(ward)}\n`);
  const isAgreed = setups.length === 0 || !written.includes(CONFIG);
  if (!kept.includes(CONFIG)) terminal.stdout.write(`${setupLine(setups)}\n`);
  const first = isAgreed ? '' : 'troupe trust && ';
  terminal.stderr.write(`\nTry it:  ${first}troupe run write_and_review "Explain what a journal is for"\n`);
  return EXIT.ok;
}

const CONFIG = join('.troupe', 'config.yaml');

/** With the schemas beside them, so that editors complete the files offline. */
async function starterFiles(
  ward: readonly WardCommand[],
  setups: readonly FoundSetup[],
): Promise<Readonly<Record<string, string>>> {
  const schemas = await Promise.all(
    schemaNames().map(async (name) => [`schemas/${name}.schema.json`, `${await schemaText(name)}\n`] as const),
  );
  const config = `${STARTER_FILES['config.yaml'] ?? ''}${setupText(setups)}${wardText(ward)}`;
  return { ...STARTER_FILES, 'config.yaml': config, ...Object.fromEntries(schemas) };
}

function writeNew(file: string, text: string): boolean {
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
  return true;
}
