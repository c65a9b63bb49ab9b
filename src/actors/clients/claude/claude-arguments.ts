import type { SessionOrder } from '../../client-port.ts';
import type { Effort } from '../../model/model-config.ts';
import type { ToolChoice } from './claude-tools.ts';
import type { TurnFiles } from './turn-files.ts';

export interface ClaudeArguments {
  readonly program: string;
  readonly session: SessionOrder;
  readonly tools: ToolChoice;
  readonly files: TurnFiles;
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
}

/**
 * One turn, spoken over its input and output. Nothing of the user's or the project's own settings applies: a project could
 * else bring hooks, servers and rights along. What other users of the machine must not read in the list of processes is in files.
 */
export function claudeArguments(turn: ClaudeArguments): readonly string[] {
  const { program, session, tools, files, model, effort } = turn;
  const settings = JSON.stringify({ disableAllHooks: true, permissions: { ask: tools.asked } });
  return [
    program,
    ...SPEAKING,
    '--setting-sources',
    '',
    ...option('--settings', settings),
    '--tools',
    tools.offered.join(','),
    ...option('--allowedTools', tools.allowed.join(',')),
    ...option('--disallowedTools', tools.disallowed.join(',')),
    ...option('--append-system-prompt-file', files.system),
    ...option('--mcp-config', files.servers),
    ...option('--model', model),
    ...option('--effort', effort),
    ...sessionWords(session),
  ];
}

const SPEAKING = [
  '-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages',
  '--permission-prompt-tool stdio --strict-mcp-config --disable-slash-commands',
].flatMap((words) => words.split(' '));

const option = (name: string, value: string | null | undefined): readonly string[] =>
  value === null || value === undefined || value === '' ? [] : [name, value];

function sessionWords(session: SessionOrder): readonly string[] {
  const own = option('--session-id', session.id);
  if (session.how === 'new') return own;
  if (session.how === 'resumed') return ['--resume', session.id];
  return ['--resume', session.from, '--fork-session', ...own];
}
