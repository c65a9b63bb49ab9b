import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ProjectTop, WardCommand, WardName } from './ward-command.ts';

/** The scripts of a package.json, run by the package manager the project uses; Deno's own commands where it is a Deno project. */
export function wardOfNode(top: ProjectTop): readonly WardCommand[] {
  const manifest = readObject(top.text('package.json'));
  const scripts = isJsonObject(manifest['scripts']) ? manifest['scripts'] : {};
  const found = Object.entries(SCRIPTS).flatMap(([name, words]): readonly WardCommand[] => {
    const script = words.find((word) => isScript(scripts[word]));
    if (script === undefined) return [];
    return [{ name: name as WardName, command: `${runnerOf(top, manifest)} ${script}`, from: 'package.json' }];
  });
  return found.length > 0 ? found : wardOfDeno(top);
}

const SCRIPTS: Readonly<Record<WardName, readonly string[]>> = {
  lint: ['lint'],
  types: ['typecheck', 'type-check', 'types', 'check-types', 'tsc'],
  test: ['test'],
};

/** What npm writes into a new package is no test. */
const isScript = (value: Json | undefined): boolean =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('no test specified');

function runnerOf({ names }: ProjectTop, manifest: JsonObject): string {
  const named =
    typeof manifest['packageManager'] === 'string' ? manifest['packageManager'].split('@', 1)[0] : undefined;
  const manager =
    MANAGERS.find(({ name }) => name === named) ?? MANAGERS.find(({ locks }) => locks.some((lock) => names.has(lock)));
  return `${manager?.name ?? 'npm'} run`;
}

const MANAGERS: readonly { readonly name: string; readonly locks: readonly string[] }[] = [
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'] },
  { name: 'pnpm', locks: ['pnpm-lock.yaml'] },
  { name: 'yarn', locks: ['yarn.lock'] },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'] },
];

function wardOfDeno({ names }: ProjectTop): readonly WardCommand[] {
  const from = ['deno.json', 'deno.jsonc'].find((name) => names.has(name));
  if (from === undefined) return [];
  return [
    { name: 'lint', command: 'deno lint', from },
    { name: 'test', command: 'deno test', from },
  ];
}

export function readObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
