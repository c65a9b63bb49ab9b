import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../lib/process-identity.ts';
import { orElse } from '../../lib/or-else.ts';
import { parseObject } from '../../core/model/json.ts';

/** A web page that is being served on this machine. */
export interface OpenPage {
  /** As in `http://127.0.0.1:4321`; without the token, which is the person's secret. */
  readonly origin: string;
  readonly since: number;
}

interface Note extends OpenPage {
  readonly process: ProcessIdentity;
}

const FOLDER = 'pages';

/** Lets other programs of the same home find the page. Returns its end. */
export function notePage(home: string, origin: string): () => void {
  const folder = join(home, FOLDER);
  makeFolder(folder, 0o700);
  const file = join(folder, `${process.pid}-${new URL(origin).port}.json`);
  const note: Note = { origin, since: Date.now(), process: ownIdentity() };
  writeFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Those whose process lives, the newest first. A process that was killed leaves its note behind, which counts for nothing. */
export function openPages(home: string): readonly OpenPage[] {
  const names = orElse(() => readdirSync(join(home, FOLDER)), []).filter((name) => name.endsWith('.json'));
  const notes = names.flatMap((name) => readNote(join(home, FOLDER, name)) ?? []);
  return notes.filter((note) => isAlive(note.process)).toSorted((a, b) => b.since - a.since);
}

/** Null for one that is half written, or by another version. */
function readNote(file: string): Note | null {
  const note: Partial<Note> | null = parseObject(orElse(() => readFileSync(file, 'utf8'), ''));
  const isNote =
    typeof note?.origin === 'string' && typeof note.since === 'number' && typeof note.process?.pid === 'number';
  return isNote ? (note as Note) : null;
}
