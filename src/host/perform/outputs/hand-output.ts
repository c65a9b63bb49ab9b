import { refusedTool } from '../../../tools/define-tool.ts';
import type { OutputService } from '../../../tools/port.ts';
import { takePaths } from './take-paths.ts';
import { takeText } from './take-text.ts';
import type { OutputTaking } from './taken-output.ts';

/**
 * Accepts an agent's output (PH4): a text is checked and written by the engine, paths are checked in place. An invalid
 * output changes nothing and is refused with reasons. A later submission replaces the earlier one, so repeating it is safe.
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
      const { paths, summary, changed } = taken;
      taking.note({ kind: 'output.handed', task: taking.task, name, paths });
      return { content: `${name} is handed in: ${summary} Handing it in again replaces it.`, isError: false, changed };
    },
  };
}

const MOST_LISTED = 30;

function sentBack(name: string, why: readonly string[]): string {
  const lines = why.slice(0, MOST_LISTED).map((one) => `- ${one}`);
  return [`${name} was not taken:`, ...lines, 'Correct it and hand it in again.'].join('\n');
}
