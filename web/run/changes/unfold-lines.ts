import type { FileDiffContentsLoader } from '@pierre/diffs';
import { ApiProblem } from '../../api/api-problem.ts';
import { toast } from '../../ui/toasts.ts';
import type { DiffFile } from './diff-files.ts';
import { wholeFiles, type ComparedTrees } from './whole-files.ts';

/** Reads both versions of a file when somebody wants to see more of it than the patch has. */
export function unfoldLines(trees: ComparedTrees, files: ReadonlyMap<string, DiffFile>): FileDiffContentsLoader {
  return async ({ name }) => {
    const file = files.get(name) ?? { path: name, key: name };
    try {
      const { before, after } = await wholeFiles.read(trees, file);
      return { oldFile: { name, contents: before }, newFile: { name, contents: after } };
    } catch (error) {
      const { message } = error instanceof Error ? error : { message: '' };
      const hint = error instanceof ApiProblem ? error.hint : undefined;
      toast({
        tone: 'bad',
        title: `The rest of the file cannot be shown. ${message}`,
        ...(hint === undefined ? {} : { hint }),
      });
      throw error;
    }
  };
}

/**
 * What unfolds lines is drawn by the library for pointers alone: here each gets a name, a place in the order of the keyboard,
 * and the keys of a button.
 */
export function nameUnfolding(node: HTMLElement): void {
  const buttons = node.shadowRoot?.querySelectorAll<HTMLElement>('[data-expand-button]') ?? [];
  for (const button of buttons) {
    button.tabIndex = 0;
    button.setAttribute('aria-label', nameOf(button));
    button.addEventListener('keydown', press);
  }
}

function nameOf(button: HTMLElement): string {
  // What is read on it comes first in what it is called.
  if ('expandAllButton' in button.dataset) return 'Expand all lines between';
  if ('expandBoth' in button.dataset) return 'Show the lines between';
  return 'expandUp' in button.dataset ? 'Show more lines below what is above' : 'Show more lines above what is below';
}

function press(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.click();
}
