import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Json } from '../core/json.ts';
import type { Tool, ToolResult } from './port.ts';

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
  options: { readonly folder: string; readonly signal?: AbortSignal },
): Promise<ToolResult> {
  return tool.run(input, { folder: options.folder, signal: options.signal ?? new AbortController().signal });
}
