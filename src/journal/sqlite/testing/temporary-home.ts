import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for one test. */
export function temporaryHome(): { readonly home: string; readonly dispose: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'troupe-journal-'));
  return { home, dispose: () => rmSync(home, { recursive: true, force: true }) };
}
