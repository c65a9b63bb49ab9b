import type { Box, Sandbox } from './port.ts';

/** The same sandbox, in which every box also shows these folders, to be read only. */
export function withReadable(sandbox: Sandbox, paths: readonly string[]): Sandbox {
  if (paths.length === 0) return sandbox;
  const shown = paths.map((path) => ({ path, access: 'read' as const }));
  const widen = <Asked extends Box>(box: Asked): Asked => ({ ...box, folders: [...shown, ...box.folders] });
  return {
    ...sandbox,
    wrap: (argv, box) => sandbox.wrap(argv, widen(box)),
    run: (argv, options) => sandbox.run(argv, widen(options)),
  };
}
