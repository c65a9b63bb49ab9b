import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, type Problem } from '../../core/model/fault.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { commandEnvironment } from '../../tools/command-environment.ts';
import { findProgram } from '../clients/client-actors.ts';

/** A command by which the project checks itself, and who says that it is one. */
export interface NamedCommand {
  readonly command: string;
  /** A file, or what else names it. */
  readonly from: string;
}

export interface CheckPlace {
  /** The project's folder. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Refuses commands that are plainly not there, before a run exists: a program that is nowhere on the path, a script that
 * package.json does not have. Only what is certain without a shell; the rest shows when the commands are tried.
 */
export function refuseUnusableChecks(checks: readonly NamedCommand[], place: CheckPlace): void {
  const problems = checks.flatMap(({ command, from }): readonly Problem[] => {
    const why = missingProgram(command, place) ?? missingScript(command, place);
    if (why === null) return [];
    return [{ code: 'WARD_UNUSABLE', message: `\`${command}\`: ${why}`, severity: 'error', file: from }];
  });
  if (problems.length === 0) return;
  throw new Fault('WARD_UNUSABLE', 'Commands by which the engine would check the work are not there.', {
    problems,
    hint: 'Install or fix what is missing, or name other commands under "ward" in .troupe/config.yaml; "ward: []" means none.',
  });
}

/** Variables may be set before it. A path is left alone: the setup of a workspace may make it. */
const FIRST_WORD = /^\s*(?:[A-Za-z_]\w*=[\w./:-]*\s+)*([A-Za-z][\w.+-]*)(?=[\s;&|]|$)/;

/** Builtins of the shell, which need no program. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  (
    'alias bg break case cd command continue do done echo elif else esac eval exec exit export false fg fi for function getopts ' +
    'hash if in jobs kill local printf pwd read readonly return set shift test then time times trap true type ulimit umask ' +
    'unalias unset until wait while'
  ).split(' '),
);

/** Why the program that a command begins with cannot be started; null where it can, or where only a shell could tell. */
export function missingProgram(command: string, { environment }: CheckPlace): string | null {
  const program = FIRST_WORD.exec(command)?.[1];
  if (program === undefined || SHELL_WORDS.has(program)) return null;
  const { PATH } = commandEnvironment(environment);
  return findProgram(program, { PATH }) === null ? `there is no program "${program}" on the PATH.` : null;
}

/** Those two run nothing but scripts; with other options than these it may be those of another package. */
const RUN_SCRIPT =
  /^\s*(?:npm|pnpm)\s+(?:run(?:-script)?\s+(?:-s\s+|--silent\s+)?([A-Za-z][\w:.-]*)|(test))\s*(?:--\s.*)?$/;

function missingScript(command: string, { root }: CheckPlace): string | null {
  const [, named, test] = RUN_SCRIPT.exec(command) ?? [];
  const script = named ?? test;
  if (script === undefined) return null;
  const file = join(root, 'package.json');
  if (!existsSync(file)) return 'there is no package.json.';
  const scripts = scriptsOf(file);
  if (scripts === null || scripts.includes(script)) return null;
  return `package.json has no script "${script}".${scripts.length === 0 ? '' : ` It has: ${scripts.join(', ')}.`}`;
}

/** Null where it cannot be read: then the package manager will say so. */
function scriptsOf(file: string): readonly string[] | null {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Json;
    if (!isJsonObject(manifest)) return null;
    const { scripts } = manifest;
    return isJsonObject(scripts) ? Object.keys(scripts) : [];
  } catch {
    return null;
  }
}
