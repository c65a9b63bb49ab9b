import type { WardCommand } from '../ward/ward-command.ts';

/** What a new `config.yaml` says about Ward: what was found, and how to say otherwise. */
export function wardText(ward: readonly WardCommand[]): string {
  const lines = ward.length === 0 ? ['npm run lint', 'npm test'] : ward.map(({ command }) => command);
  const found =
    ward.length === 0
      ? '# Nothing was found that checks this project, so a quest goes on without; for example:'
      : `# Found in ${[...new Set(ward.map(({ from }) => from))].join(', ')}; to have others run instead, say:`;
  return [
    '',
    '# Ward: the commands by which the engine itself sees whether the work of a quest is sound. They run in workspaces.',
    found,
    '# ward:',
    ...lines.map((line) => `#   - ${line}`),
    '',
  ].join('\n');
}

/** The same in a line, for whoever has just typed `troupe init`. */
export function wardLine(ward: readonly WardCommand[]): string {
  if (ward.length === 0) return 'Ward: nothing found that checks this project (see "ward" in .troupe/config.yaml)';
  return `Ward: ${ward.map(({ command }) => command).join(', ')}`;
}
