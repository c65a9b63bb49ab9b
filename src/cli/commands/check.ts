import { whole } from '../../protocol/whole-list.ts';
import { openProject } from '../../app/config/project.ts';
import { type Invocation, words } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { checkedText } from '../terminal/checked-text.ts';
import { checkFile, type CheckedFile } from '../../app/library/check-file.ts';
import type { ProjectView } from '../../app/library/project-trust.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { printAnswer } from '../terminal/terminal.ts';

/** `troupe check FILE…`: every problem of every file, in the author's words, with its line. */
export async function checkCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const files = words(invocation, 0);
  const view: ProjectView = { project: await openProject(terminal), caller: terminal };
  const results: CheckedFile[] = [];
  for (const file of files) results.push(await checkFile(file, view));
  printAnswer(terminal, { kind: 'checks', ...whole(results) }, () =>
    results.map((result) => plainText(checkedText(result))).join('\n'),
  );
  return results.every((result) => result.ok) ? EXIT.ok : EXIT.usage;
}
