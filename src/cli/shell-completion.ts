import tab from '@bomb.sh/tab/commander';
import { type Argument, type Complete, script } from '@bomb.sh/tab';
import type { Command } from 'commander';
import { COMMANDS } from './command-table.ts';
import type { Terminal } from './terminal/terminal.ts';
import { openProject } from '../app/config/project.ts';
import { listPrompts } from '../app/library/shown-prompt.ts';
import { oneLine } from '../protocol/plain-text.ts';
import type { Caller } from '../app/caller.ts';
import { withStore } from '../app/world/store.ts';
import { loadLibrary } from '../app/library/workflow-library.ts';
import { listedWorkflows } from '../app/library/workflow-place.ts';

/**
 * Completion for bash by its own means: no package has to be installed, and sourcing it twice does no harm. Words that
 * are complete are quoted before they reach the program, so that nothing on the line is run.
 */
export const BASH_COMPLETION = `# bash completion for troupe; put it to use with: source <(troupe completion bash)

__troupe_complete() {
    local current="\${COMP_WORDS[COMP_CWORD]}" line value out
    local directive=0
    # Bash takes a line apart at "=" and ":" as well; what stands before them is no part of the word to complete.
    case "$current" in '=' | ':') current='' ;; esac
    out=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null) || return 0
    COMPREPLY=()
    while IFS= read -r line; do
        case "$line" in
            :[0-9]*) directive="\${line#:}" ;;
            ?*)
                value="\${line%%$'\\t'*}"
                if [[ "$value" == "$current"* ]]; then COMPREPLY+=("$value"); fi
                ;;
        esac
    done <<< "$out"
    # 2: no space behind it; 4: no file names when nothing fits.
    if (( directive & 2 )); then compopt -o nospace 2>/dev/null || true; fi
    if (( directive & 4 )); then compopt +o default 2>/dev/null || true; fi
    return 0
}

complete -o default -F __troupe_complete troupe
`;

/** The script of a shell; the one for bash is our own. */
export function completionScript(shell: string): string {
  if (shell === 'bash') return BASH_COMPLETION;
  // The library prints the script instead of returning it.
  const { log } = console;
  const printed: string[] = [];
  console.log = (...words: readonly string[]) => void printed.push(words.join(' '));
  try {
    script(shell, 'troupe', 'troupe');
  } finally {
    console.log = log;
  }
  return `${printed.join('\n')}\n`;
}

/** The values that completion scripts ask for while a person types. */
export async function addShellCompletion(program: Command, terminal: Terminal): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' });
  const values = await completionValues(terminal);
  for (const [name, command] of completion.commands) {
    for (const [argument, spec] of command.arguments) offer(spec, values, { command: name, argument });
  }
}

interface Values {
  readonly runs: readonly Value[];
  readonly workflows: readonly Value[];
  /** Types of agents and roles. */
  readonly prompts: readonly Value[];
}

function offer(spec: Argument, values: Values, at: { readonly command: string; readonly argument: string }): void {
  const list = offeredAt(values, at);
  if (list.length === 0) return;
  spec.handler = (complete: Complete) => {
    for (const { value, description } of list) complete(value, description);
  };
}

function offeredAt(
  { runs, workflows, prompts }: Values,
  { command, argument }: { readonly command: string; readonly argument: string },
): readonly Value[] {
  if (argument === 'run') return runs;
  if (argument === 'workflow') return workflows;
  const actions = COMMANDS.find(({ name }) => name === command)?.actions ?? [];
  if (argument === 'action') return actions;
  if (command === 'prompt') return prompts;
  return actions.length === 0 ? [] : runs;
}

/** Completion must never fail or complain: what cannot be read offers nothing. */
async function completionValues(terminal: Terminal): Promise<Values> {
  const asked = [knownRuns(terminal), knownWorkflows(terminal), knownPrompts(terminal)];
  const [runs = [], workflows = [], prompts = []] = (await Promise.allSettled(asked)).map((one) =>
    one.status === 'fulfilled' ? one.value : [],
  );
  return { runs, workflows, prompts };
}

interface Value {
  readonly value: string;
  readonly description: string;
}

const MOST = 50;

async function knownRuns(caller: Caller): Promise<readonly Value[]> {
  const runs = await withStore(caller, ({ journal }) => journal.runs({ parent: null, limit: MOST }));
  const last = { value: 'last', description: 'the newest run' };
  return [
    last,
    ...runs.map((info) => ({ value: info.run, description: oneLine(`${info.workflow} ${info.title}`, 60) })),
  ];
}

async function knownWorkflows(caller: Caller): Promise<readonly Value[]> {
  const library = await loadLibrary({ project: await openProject(caller), caller });
  return listedWorkflows(library).map(({ name, description }) => ({
    value: name,
    description: oneLine(description, 60),
  }));
}

async function knownPrompts(caller: Caller): Promise<readonly Value[]> {
  const { prompts } = await listPrompts({ project: await openProject(caller), caller });
  return prompts.map(({ name, description }) => ({ value: name, description: oneLine(description, 60) }));
}
