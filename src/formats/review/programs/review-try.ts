import type { EngineProgram } from '../../../host/world.ts';
import { workspaceRequest } from '../../../host/perform/commands/in-place.ts';
import { inPlaceOf } from './agent-place.ts';
import { keepReview } from './keep-review.ts';
import { runThrownAway, outputTail, type CommandEnd } from './run-thrown-away.ts';

/**
 * `review.try`: whether the user's command can run at all, on the unchanged project and before any model is paid. A red result is
 * fine: it may test the work that is asked for.
 */
export const reviewTry: EngineProgram = keepReview(async ({ context, effect, command }) => {
  if (command === '') return { kind: 'tried', unusable: null };
  const end = await inPlaceOf(context, workspaceRequest(context, effect), async ({ workspace, files: { tree } }) =>
    runThrownAway(context, {
      effect,
      agent: '',
      workspace,
      tree,
      during: tree,
      command,
      timeoutMs: LONG_ENOUGH_MS,
    }),
  );
  return { kind: 'tried', unusable: cannotRun(end) ? whyNot(command, end) : null };
});

/** A missing program shows at once; the tests of a large project need not finish for that. */
const LONG_ENOUGH_MS = 60_000;

/** Programs and tools that are not there. Scripts, targets and files are of the project: the work may bring them. */
const NO_SUCH_TOOL =
  /^(make.*: \*\*\* \[.*\] Error 12[67]|error: Failed to spawn:|\S*python\S*: No module named (pytest|tox|nox|mypy|ruff|flake8)\b)/m;

/** 126: not executable; 127: not found. */
export function cannotRun({ exitCode, output }: CommandEnd): boolean {
  if (exitCode === 126 || exitCode === 127) return true;
  return exitCode !== 0 && exitCode !== null && NO_SUCH_TOOL.test(output);
}

const whyNot = (command: string, { exitCode, output }: CommandEnd): string =>
  [
    `\`${command}\` ended with exit code ${exitCode}.`,
    outputTail(output, SHOWN_CHARS),
    'What git ignores, such as node_modules, is not in a workspace: "setup: npm ci" in .troupe/config.yaml makes one ready.',
  ]
    .filter((part) => part !== '')
    .join('\n');

const SHOWN_CHARS = 600;
