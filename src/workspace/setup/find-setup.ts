/** How the packages of a project are installed, by the file that names them. */
export interface FoundSetup {
  readonly lock: string;
  readonly command: string;
  /** Where they are installed inside of the project; null where that is outside of it. */
  readonly folder: string | null;
}

/** What a project has to install before it can be built and tested, by the names of the files in its root. */
export function findSetups(names: ReadonlySet<string>): readonly FoundSetup[] {
  const found = MANAGERS.flatMap(({ locks, command, folder }) => {
    const lock = locks.find((name) => names.has(name));
    return lock === undefined
      ? []
      : [{ lock, command: typeof command === 'string' ? command : command(names), folder }];
  });
  // A project that changed its package manager and left the old file there is installed once.
  return found.filter(({ folder }, at) => folder === null || found.findIndex((one) => one.folder === folder) === at);
}

/** The first package folder that the project needs and does not have. */
export function missingFolder(names: ReadonlySet<string>): (FoundSetup & { readonly folder: string }) | null {
  for (const { folder, ...setup } of findSetups(names)) {
    const isLinkedOtherwise = folder === 'node_modules' && names.has('.pnp.cjs');
    if (folder !== null && !names.has(folder) && !isLinkedOtherwise) return { ...setup, folder };
  }
  return null;
}

interface Manager {
  readonly locks: readonly string[];
  readonly command: string | ((names: ReadonlySet<string>) => string);
  readonly folder: string | null;
}

/** Each installs exactly what the lock file names. */
const MANAGERS: readonly Manager[] = [
  { locks: ['package-lock.json', 'npm-shrinkwrap.json'], command: 'npm ci', folder: 'node_modules' },
  { locks: ['pnpm-lock.yaml'], command: 'pnpm install --frozen-lockfile', folder: 'node_modules' },
  {
    locks: ['yarn.lock'],
    command: (names) => `yarn install ${names.has('.yarnrc.yml') ? '--immutable' : '--frozen-lockfile'}`,
    folder: 'node_modules',
  },
  { locks: ['bun.lock', 'bun.lockb'], command: 'bun install --frozen-lockfile', folder: 'node_modules' },
  { locks: ['uv.lock'], command: 'uv sync --locked', folder: '.venv' },
  { locks: ['poetry.lock'], command: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install', folder: '.venv' },
  { locks: ['Cargo.lock'], command: 'cargo fetch --locked', folder: null },
  { locks: ['go.sum'], command: 'go mod download', folder: null },
];
