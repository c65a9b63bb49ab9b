import type { ProjectTop, WardCommand, WardName } from './ward-command.ts';

/** The tools that a Python project has settings for, run inside its environment where a lock file says which. */
export function wardOfPython(top: ProjectTop): readonly WardCommand[] {
  const { names } = top;
  const run = RUNNERS.find(({ lock }) => names.has(lock))?.run ?? '';
  return RULES.flatMap(({ name, command, files, section }): readonly WardCommand[] => {
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
  readonly name: WardName;
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
