import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../core/model/json.ts';
import type { Tool, ToolContext, ToolResult } from '../port.ts';
import { temporaryFolder, writeFiles } from '../../workspace/testing/test-project.ts';
import { orElse } from '../../lib/or-else.ts';

/** For tests: a folder with these files, gone when the test is over. */
export function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = join(temporaryFolder(), 'work');
  mkdirSync(folder);
  writeFiles(folder, files);
  return folder;
}

/** For tests: one call, as an agent would make it. */
export function call(
  tool: Tool,
  input: Readonly<Record<string, Json>>,
  context: Partial<ToolContext> & { readonly folder: string },
): Promise<ToolResult> {
  return tool.run(input, { signal: new AbortController().signal, ...context });
}

/** For tests: the processes on this machine whose words, parted by NUL, contain the text. */
export function runningWith(words: string): readonly string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && orElse(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').includes(words),
  );
}
