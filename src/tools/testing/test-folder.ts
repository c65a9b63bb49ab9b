import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Json } from '../../core/model/json.ts';
import type { Tool, ToolContext, ToolResult } from '../port.ts';

/** For tests: a folder with these files, gone when the test is over. */
export function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const base = mkdtempSync(join(tmpdir(), 'tools-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'work');
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
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
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(words));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
