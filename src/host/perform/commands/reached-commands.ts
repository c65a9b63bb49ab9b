/** The command, and the scripts of a `package.json` that it leads to, as far as their text shows it. */
export function reachedCommands(command: string, scripts: Readonly<Record<string, string>>): readonly string[] {
  const reached = new Set([command]);
  // Iterating a set includes items that are added meanwhile.
  for (const text of reached) {
    for (const name of namesIn(text, scripts)) {
      for (const one of [`pre${name}`, name, `post${name}`]) {
        const script = Object.hasOwn(scripts, one) ? scripts[one] : undefined;
        if (script !== undefined) reached.add(script);
      }
    }
  }
  return [...reached];
}

const SHORT: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };

function namesIn(text: string, scripts: Readonly<Record<string, string>>): readonly string[] {
  if (/\b(?:run-s|run-p|npm-run-all)\b/.test(text)) return Object.keys(scripts);
  const asked = text.matchAll(
    /\b(?:(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:(?:run|run-script)\s+(?:-\S+\s+)*)?|node\s+--run[\s=]+)([\w:./@-]+)/g,
  );
  return [...asked].map(([, name = '']) => SHORT[name] ?? name);
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'source', '.']);
const INTERPRETERS = /^(?:node|deno|bun|tsx|ts-node|python\d?(?:\.\d+)?|ruby|perl|php)$/;

/** Their folder or name shows that they check something, rather than being checked. */
const CHECKING = /(?:^|\/)(?:scripts?|bin|tools|ci|hack)\/|(?:test|check|verify|spec|lint)[^/]*$/i;

/** The scripts of the project that a command line starts. */
export function scriptsNamed(commands: readonly string[], isThere: (path: string) => boolean): readonly string[] {
  return commands
    .flatMap((command) => command.split(/&&|\|\||[;|&\n()]/))
    .flatMap((simple) => scriptIn(simple))
    .filter(isThere);
}

function scriptIn(simple: string): readonly string[] {
  const args = simple
    .split(/\s+/)
    .map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
    .filter((word) => word !== '');
  while (/^(?:\w+=.*|env|exec|time|command|nice|!)$/.test(args[0] ?? '')) args.shift();
  const [program = '', ...rest] = args;
  if (program.includes('/')) return [plain(program)];
  const subject = rest.find((word) => !word.startsWith('-') && word !== 'run');
  if (subject === undefined) return [];
  if (SHELLS.has(program)) return [plain(subject)];
  return INTERPRETERS.test(program) && CHECKING.test(subject) ? [plain(subject)] : [];
}

const plain = (path: string): string => path.replace(/^(?:\.\/)+/, '');
