import { prepareBubblewrap } from './bubblewrap/bubblewrap-box.ts';
import { prepareContained } from './contained-box.ts';
import type { FoundLevel } from './found-level.ts';
import type { Sandbox } from './port.ts';
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
