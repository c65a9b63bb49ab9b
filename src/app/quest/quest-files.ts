import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import type { QuestView } from '../../protocol/quest/quest-view.ts';
import { runPlace } from '../../workspace/run-place.ts';
import { questText } from './quest-text.ts';

/** Where a quest is written out: for tools, and for people. */
export interface QuestPlace {
  readonly json: string;
  readonly text: string;
}

export function questPlace(home: string, run: string): QuestPlace {
  const { base } = runPlace(home, run);
  return { json: join(base, 'quest.json'), text: join(base, 'quest.md') };
}

export const questJson = (view: QuestView): string => `${JSON.stringify(view, null, 2)}\n`;

/** Both files, each whole or not at all: whoever reads one never sees half of it. */
export async function writeQuestFiles(home: string, view: QuestView): Promise<void> {
  const { json, text } = questPlace(home, view.run);
  const [forTools, forPeople] = [questJson(view), questText(view)];
  makeFolder(dirname(json), 0o700);
  await replaceFile(json, forTools);
  await replaceFile(text, forPeople);
}

/** On the disk before it takes the other's place: a machine that loses power has the old one or the new one. */
async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
