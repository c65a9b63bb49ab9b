import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Invocation } from '../invocation.ts';
import { openProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { findSetups, type FoundSetup } from '../../workspace/setup/find-setup.ts';
import {
  setupCommand,
  setupLine,
  setupText,
  STARTER_FILES,
  checksLine,
  checksText,
} from '../../app/starter/starter-files.ts';
import { storeHome } from '../../app/world/store.ts';
import { printAnswer, printNote, type Terminal } from '../terminal/terminal.ts';
import { findChecks, type ProjectCheck } from '../../app/project-checks/find-checks.ts';
import { schemaNames, schemaText } from './schema.ts';

/** `troupe init`: a project one can run at once. What is there already is left alone, and said so. */
export async function initCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const written: string[] = [];
  const kept: string[] = [];
  const checks = await findChecks(terminal.folder);
  const setups = findSetups(new Set(readdirSync(terminal.folder)));
  for (const [path, text] of Object.entries(await starterFiles(checks, setups))) {
    const file = join('.troupe', path);
    (writeNew(join(terminal.folder, file), text) ? written : kept).push(file);
  }
  const hasOwnSetup = setups.length > 0 && written.includes(CONFIG);
  const isTrusted = hasOwnSetup && (await trustOwnSetup(terminal));
  const lines = [
    ...written.map((file) => `wrote  ${file}`),
    ...kept.map((file) => `kept   ${file} (it was there already)`),
    checksLine(checks),
    ...(written.includes(CONFIG) ? [setupLine(setups, isTrusted)] : []),
  ];
  const answer = { kind: 'init', written, kept, ward: checks, setup: setupCommand(setups), isTrusted };
  printAnswer(terminal, answer, () => lines.join('\n'));
  if (terminal.mode.json) return EXIT.ok;
  const first = hasOwnSetup && !isTrusted ? 'troupe trust && ' : '';
  printNote(terminal, `\nTry it:  ${first}troupe run write_and_review "Explain what a journal is for"`);
  return EXIT.ok;
}

/**
 * Agrees to the setup command that this command has just written, so that the first run is not refused for it. Only where
 * nothing else of the project would run: what others put there is agreed to with `troupe trust`.
 */
async function trustOwnSetup(terminal: Terminal): Promise<boolean> {
  const { trustProject, trustState } = await import('../../workspace/trust.ts');
  const { root, powers } = await openProject(terminal);
  const asked = { home: storeHome(terminal), project: root, powers };
  const trust = await trustState(asked);
  const isOnlySetup = trust.files.length === 0 && powers.every(({ setting }) => setting === 'setup');
  return isOnlySetup && (await trustProject(asked, trust)).state === 'trusted';
}

const CONFIG = join('.troupe', 'config.yaml');

/** With the schemas beside them, so that editors complete the files offline. */
async function starterFiles(
  checks: readonly ProjectCheck[],
  setups: readonly FoundSetup[],
): Promise<Readonly<Record<string, string>>> {
  const schemas = await Promise.all(
    schemaNames().map(async (name) => [`schemas/${name}.schema.json`, `${await schemaText(name)}\n`] as const),
  );
  const config = `${STARTER_FILES['config.yaml'] ?? ''}${setupText(setups)}${checksText(checks)}`;
  return { ...STARTER_FILES, 'config.yaml': config, ...Object.fromEntries(schemas) };
}

function writeNew(file: string, text: string): boolean {
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
  return true;
}
