/**
 * The tool an agent most likely meant by a name that is none. Models do not mistype: they use a name from elsewhere, or put
 * the words in another order or spelling. So words are compared rather than letters, and well-known names are known.
 */
export function nearestTool(wrong: string, names: readonly string[]): string | undefined {
  const words = wordsOf(wrong.slice(0, MAX_NAME));
  const known = ELSEWHERE[words.join('_')];
  if (known !== undefined && names.includes(known)) return known;
  const ranked = names
    .map((name) => ({ name, likeness: likeness(pairsOf(words), pairsOf(wordsOf(name))) }))
    .sort((a, b) => b.likeness - a.likeness);
  const best = ranked[0];
  return best !== undefined && best.likeness >= NEAR_ENOUGH ? best.name : undefined;
}

const MAX_NAME = 100;
const NEAR_ENOUGH = 0.5;

/** What other systems call the same thing. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  bash: 'execute_terminal',
  shell: 'execute_terminal',
  run: 'execute_terminal',
  exec: 'execute_terminal',
  terminal: 'execute_terminal',
  run_command: 'execute_terminal',
  execute_command: 'execute_terminal',
  run_shell_command: 'execute_terminal',
  run_terminal_cmd: 'execute_terminal',
  read: 'read_file',
  cat: 'read_file',
  view: 'read_file',
  open: 'read_file',
  write: 'write_file',
  create: 'write_file',
  create_file: 'write_file',
  edit: 'edit_file',
  replace: 'edit_file',
  str_replace: 'edit_file',
  apply_patch: 'edit_file',
  ls: 'list_files',
  list_dir: 'list_files',
  list_directory: 'list_files',
  find: 'glob',
  find_files: 'glob',
  search: 'grep',
  search_files: 'grep',
  ripgrep: 'grep',
  fetch: 'web_fetch',
  fetch_url: 'web_fetch',
  todo: 'todo_write',
  update_plan: 'todo_write',
  agent: 'task',
  spawn_agent: 'task',
};

/** `readFile`, `Read-File` and `read_file` are two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function pairsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => Array.from(`^${word}`, (_, at) => `^${word}$`.slice(at, at + 2))));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}
