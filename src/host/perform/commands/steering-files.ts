/** The files of a project that decide the results of its tests. Paths are those of the user's project, judged by name alone. */

const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', 'e2e', 'testdata', '__snapshots__', '__fixtures__']);

/** Such a folder may also hold written specifications. */
const SPEC_FOLDERS = new Set(['spec', 'specs']);
const CODE = /\.(?:[cm]?[jt]sx?|rb|py|php|ex|exs|lua|coffee|swift|scala|hs|cr)$/;

const TEST_NAMES: readonly RegExp[] = [
  /[.-](?:test|tests|spec|specs)\.\w+(?:\.snap)?$/,
  /_(?:test|spec)\.\w+$/,
  /^test_.*\.py$/,
  /(?:Test|Tests|IT|Spec)\.(?:java|kt|kts|cs|scala|swift|php|groovy)$/,
  /^conftest\.py$/,
];

/** A test, or something that tests read. */
export function isTestFile(path: string): boolean {
  const names = path.split('/');
  const name = names.pop() ?? '';
  if (TEST_NAMES.some((pattern) => pattern.test(name))) return true;
  if (names.some((folder) => TEST_FOLDERS.has(folder))) return !/\.md$/i.test(name);
  return names.some((folder) => SPEC_FOLDERS.has(folder)) && CODE.test(name);
}

const RUNNER_CONFIG: readonly RegExp[] = [
  /^(?:vitest|jest|playwright|cypress|karma|wdio|ava|cucumber|nightwatch|web-test-runner)(?:[.-]\w+)*\.conf(?:ig)?\.\w+$/,
  /^(?:vitest|jest)\.(?:workspace|setup|projects)\.\w+$/,
  /^setupTests\.\w+$/,
  /^\.(?:mocharc|taprc|nycrc|c8rc|rspec)(?:\.\w+)?$/,
  /^\.?pytest\.ini$/,
  /^conftest\.py$/,
  /^phpunit\.xml(?:\.dist)?$/,
  // They choose the shell that scripts run in.
  /^\.npmrc$/,
  /^\.yarnrc(?:\.yml)?$/,
  /^bunfig\.toml$/,
  /^nextest\.toml$/,
];

/** Files that one program reads, if the command leads to it. */
const TOOL_FILES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bg?make\b/, /^(?:GNUmakefile|[Mm]akefile|.*\.mk)$/],
  [/\bjust\b/, /^\.?justfile$/i],
  [/\btask\b/, /^Taskfile(?:\.dist)?\.ya?ml$/],
  [/\btox\b/, /^tox\.ini$/],
  [/\bnox\b/, /^noxfile\.py$/],
  [/\brake\b/, /^Rakefile$/],
  [/\bvitest\b/, /^vite\.config\.\w+$/],
];

/** Configures a test runner, or whatever starts it. */
export function isRunnerConfig(path: string, commands: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (RUNNER_CONFIG.some((pattern) => pattern.test(name)) || /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path)) {
    return true;
  }
  return TOOL_FILES.some(([tool, file]) => file.test(name) && commands.some((command) => tool.test(command)));
}
