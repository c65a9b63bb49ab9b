import { prepareBubblewrap } from './bubblewrap/bubblewrap-box.ts';
import { prepareContained } from './contained-box.ts';
import type { FoundLevel } from './found-level.ts';
import type { Box, Sandbox } from './port.ts';
import { preparedSandbox } from './prepared-sandbox.ts';

/** The sandbox of a level as it was found. `scratch` is where throw-away layers are kept. */
export function openSandbox(found: FoundLevel, scratch: string): Sandbox {
  const { level, hasOverlay, containment, processLimit } = found;
  const prepare =
    level === 'bubblewrap'
      ? prepareBubblewrap({ ...found, scratch })
      : prepareContained({ level, containment, processLimit });
  return preparedSandbox({ level, hasOverlay }, prepare);
}

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
