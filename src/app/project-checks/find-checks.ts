import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, parseObject } from '../../core/model/json.ts';

/** A command that tells whether a project is sound. The engine runs it; no agent is believed instead (L4). */
export interface ProjectCheck {
  readonly name: CheckName;
  readonly command: string;
  /** The file of the project that it was found in. */
  readonly from: string;
}

export type CheckName = 'lint' | 'types' | 'test';

/** A project as far as these questions go: which files lie at its top, and what stands in them. */
export interface ProjectTop {
  readonly names: ReadonlySet<string>;
  /** Empty where it cannot be read. */
  text(name: string): string;
}

/** The scripts of a package.json, run by the package manager the project uses; Deno's own commands where it is a Deno project. */
export function checksOfNode(top: ProjectTop): readonly ProjectCheck[] {
  const manifest = readObject(top.text('package.json'));
  const scripts = isJsonObject(manifest['scripts']) ? manifest['scripts'] : {};
  const found = Object.entries(SCRIPTS).flatMap(([name, words]): readonly ProjectCheck[] => {
    const script = words.find((word) => isScript(scripts[word]));
    if (script === undefined) return [];
    return [{ name: name as CheckName, command: `${runnerOf(top, manifest)} ${script}`, from: 'package.json' }];
  });
  return found.length > 0 ? found : checksOfDeno(top);
}

const SCRIPTS: Readonly<Record<CheckName, readonly string[]>> = {
  lint: ['lint'],
  types: ['typecheck', 'type-check', 'types', 'check-types', 'tsc'],
  test: ['test'],
};

/** The placeholder that npm writes into a new package is no test. */
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

function checksOfDeno({ names }: ProjectTop): readonly ProjectCheck[] {
  const from = ['deno.json', 'deno.jsonc'].find((name) => names.has(name));
  if (from === undefined) return [];
  return [
    { name: 'lint', command: 'deno lint', from },
    { name: 'test', command: 'deno test', from },
  ];
}

export function readObject(text: string): JsonObject {
  return parseObject(text.replace(/^\uFEFF/, '')) ?? {};
}

/** Languages whose own tool checks every project in the same way. */
export function checksOfOthers(top: ProjectTop): readonly ProjectCheck[] {
  const found = TOOLS.filter(({ file }) => top.names.has(file)).flatMap(({ file, commands }) =>
    Object.entries(commands).map(([name, command]) => ({ name: name as CheckName, command, from: file })),
  );
  return [...found, ...checksOfComposer(top)];
}

interface Tool {
  readonly file: string;
  readonly commands: Readonly<Partial<Record<CheckName, string>>>;
}

const TOOLS: readonly Tool[] = [
  { file: 'Cargo.toml', commands: { types: 'cargo check --all-targets', test: 'cargo test' } },
  { file: 'go.mod', commands: { lint: 'go vet ./...', test: 'go test ./...' } },
  { file: 'gradlew', commands: { test: './gradlew check' } },
  { file: 'mvnw', commands: { test: './mvnw -q verify' } },
  { file: 'pom.xml', commands: { test: 'mvn -q verify' } },
  { file: 'mix.exs', commands: { test: 'mix test' } },
];

function checksOfComposer(top: ProjectTop): readonly ProjectCheck[] {
  const { scripts } = readObject(top.text('composer.json'));
  if (!isJsonObject(scripts)) return [];
  return (['lint', 'test'] as const)
    .filter((name) => Object.hasOwn(scripts, name))
    .map((name) => ({ name, command: `composer run ${name}`, from: 'composer.json' }));
}

/** The tools that a Python project has settings for, run inside its environment where a lock file says which. */
export function checksOfPython(top: ProjectTop): readonly ProjectCheck[] {
  const { names } = top;
  const run = RUNNERS.find(({ lock }) => names.has(lock))?.run ?? '';
  return RULES.flatMap(({ name, command, files, section }): readonly ProjectCheck[] => {
    const from = files.find((file) => names.has(file)) ?? sectionIn(top, section);
    return from === undefined ? [] : [{ name, command: `${run}${command}`, from }];
  }).filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
}

const RUNNERS: readonly { readonly lock: string; readonly run: string }[] = [
  { lock: 'uv.lock', run: 'uv run ' },
  { lock: 'poetry.lock', run: 'poetry run ' },
  { lock: 'pdm.lock', run: 'pdm run ' },
];

interface Rule {
  readonly name: CheckName;
  readonly command: string;
  /** Files whose presence says that the tool is used. */
  readonly files: readonly string[];
  /** A section of pyproject.toml, setup.cfg or tox.ini that does. */
  readonly section: RegExp;
}

/** Of two for one thing the first counts. */
const RULES: readonly Rule[] = [
  { name: 'lint', command: 'ruff check .', files: ['ruff.toml', '.ruff.toml'], section: /^\[tool\.ruff[\].]/m },
  { name: 'lint', command: 'flake8', files: ['.flake8'], section: /^\[flake8\]/m },
  { name: 'types', command: 'mypy .', files: ['mypy.ini', '.mypy.ini'], section: /^\[(?:tool\.)?mypy\]/m },
  { name: 'types', command: 'pyright', files: ['pyrightconfig.json'], section: /^\[tool\.pyright\]/m },
  { name: 'test', command: 'tox', files: [], section: /^\[tox\]/m },
  {
    name: 'test',
    command: 'python -m pytest',
    files: ['pytest.ini', '.pytest.ini', 'conftest.py'],
    section: /^\[(?:tool\.pytest[\].]|tool:pytest\]|pytest\])|^\s*"?pytest\b/m,
  },
];

function sectionIn(top: ProjectTop, section: RegExp): string | undefined {
  return ['pyproject.toml', 'setup.cfg', 'tox.ini'].find((file) => section.test(top.text(file)));
}

/**
 * What a project checks itself with, cheapest first: found in the files that say so, never guessed. An empty list means that
 * nothing was found, and nothing is checked.
 */
export async function findChecks(project: string): Promise<readonly ProjectCheck[]> {
  const top = await readTop(project);
  const found = [...checksOfNode(top), ...checksOfPython(top), ...checksOfOthers(top)];
  const made = checksOfMake(top).filter(({ name }) => found.every((other) => other.name !== name));
  return [...found, ...made].sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
}

const ORDER: readonly CheckName[] = ['lint', 'types', 'test'];

const READ = [
  'package.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'composer.json',
] as const;

/** No hand-written file of this kind is larger. */
const MOST_BYTES = 1024 * 1024;

async function readTop(project: string): Promise<ProjectTop> {
  const names = new Set(await readdir(project).catch(() => []));
  const present = READ.filter((name) => names.has(name));
  const texts = new Map(await Promise.all(present.map(async (name) => [name, await readText(project, name)] as const)));
  return { names, text: (name) => new Map<string, string>(texts).get(name) ?? '' };
}

async function readText(project: string, name: string): Promise<string> {
  const path = join(project, name);
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= MOST_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Targets by the names people give them; only where nothing else says how. */
function checksOfMake(top: ProjectTop): readonly ProjectCheck[] {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => top.text(name) !== '');
  if (file === undefined) return [];
  const targets = new Set(
    [...top.text(file).matchAll(/^([A-Za-z][\w-]*)[ \t]*:(?![:=])/gm)].map(([, name = '']) => name),
  );
  return Object.entries(TARGETS).flatMap(([name, words]): readonly ProjectCheck[] => {
    const target = words.find((word) => targets.has(word));
    return target === undefined ? [] : [{ name: name as CheckName, command: `make ${target}`, from: file }];
  });
}

const TARGETS: Readonly<Record<CheckName, readonly string[]>> = {
  lint: ['lint'],
  types: ['typecheck', 'types'],
  test: ['test', 'tests', 'check'],
};
