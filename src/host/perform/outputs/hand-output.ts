import { refusedTool } from '../../../tools/define-tool.ts';
import type { OutputService } from '../../../tools/port.ts';
import { takePaths } from './take-paths.ts';
import { takeText } from './take-text.ts';
import type { OutputTaking } from './taken-output.ts';

/**
 * Takes what an agent hands in (PH4): a text is checked and written by the engine, paths are looked at where they are. What
 * will not do changes nothing and is told. Handed in again it replaces what was there, so it is safe to repeat.
 */
export function outputService(taking: OutputTaking): OutputService {
  return {
    hand: async (name, content) => {
      const owed = taking.outputs.filter((one) => one.name === name);
      const [first] = owed;
      if (first === undefined) return refusedTool(`You do not owe ${JSON.stringify(name)}.`);
      const taken =
        first.form === 'file' ? await takeText(taking, first, content) : await takePaths(taking, owed, content);
      if ('why' in taken) return refusedTool(sentBack(name, taken.why), taken.code);
      const { paths, told, changed } = taken;
      taking.note({ kind: 'output.handed', task: taking.task, name, paths });
      return { content: `${name} is handed in: ${told} Handing it in again replaces it.`, isError: false, changed };
    },
  };
}

const MOST_TOLD = 30;

function sentBack(name: string, why: readonly string[]): string {
  const lines = why.slice(0, MOST_TOLD).map((one) => `- ${one}`);
  return [`${name} was not taken:`, ...lines, 'Correct it and hand it in again.'].join('\n');
}
