import { defineTool } from '../../tools/define-tool.ts';
import type { Tool } from '../../tools/port.ts';
import { says } from './test-world.ts';

/** A disk that is full until somebody makes room, and what was kept on it. */
export interface TestDisk {
  isFull: boolean;
  readonly kept: string[];
}

/** A tool that writes to the disk. */
export function keeping(disk: TestDisk): Tool {
  return defineTool<{ text: string }>({
    name: 'keep',
    description: 'Keeps a text.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    repeat: 'safe',
    access: 'write',
    run({ text }) {
      if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      disk.kept.push(text);
      return 'kept';
    },
  });
}

/** An agent's answer that calls it. */
export const keep = (text: string) => says('', [{ id: `keep-${text}`, name: 'keep', arguments: { text } }]);
